# SPDX-License-Identifier: GPL-2.0-or-later
"""The labgrid preset: a board behind ser2net, run by Debian's labgrid under pytest of its own."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import ktap
import pytest
from conftest import ROOT
from judge import Status, judge
from integrations import HANG, PRESETS, image_and_emulator, stand_in  # noqa: F401
from judge_logs import COMPACT, FAILING, GOOD, SKIPPED, STARVED, raw
from transport import Limits

FOLDER = PRESETS / "labgrid"
LIMIT = 240  # seconds for a whole run
OUTCOMES = {"fail": "failure", "timeout": "failure", "skip": "skipped", "xfail": "skipped"}

# An item of pytest that has a log, as the one that ran the board.
REPORTING = """\
import ktap
from items import LOG


def test_log(request):
    request.node.stash[LOG] = ktap.read(open("log", "rb").read())
"""


def run_pytest(folder, *words, path="", disturb=lambda process: None):
    """pytest by itself, with nothing of these tests' settings but a path; returns it finished, and
    its JUnit items as {classname.name: (kind, message)}; kind: pass, failure, skipped, error."""
    junit = folder / "junit.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={junit}"]
    with subprocess.Popen(
        [*command, *map(str, words)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            disturb(process)
            stdout, _ = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    answer = subprocess.CompletedProcess(command, process.returncode, stdout)
    return answer, read_junit(junit)


def read_junit(junit):
    items = {}
    for case in ElementTree.parse(junit).iter("testcase") if junit.exists() else []:
        children = [(each.tag, each.get("message")) for each in case if each.tag != "system-out"]
        name = f"{case.get('classname')}.{case.get('name')}"
        assert name not in items, f"{name} came twice"
        items[name] = children[0] if children else ("pass", "")
    return items


def report(log, folder):
    """run_pytest() of an item that has this log."""
    (folder / "log").write_bytes(log)
    (folder / "test_log.py").write_text(REPORTING)
    (folder / "conftest.py").write_text((FOLDER / "conftest.py").read_text())
    return run_pytest(folder, "test_log.py", path=f"{ROOT}/tools/lab:{FOLDER}")


# ---- the items of a log -----------------------------------------------------------------------

XFAILED = GOOD.replace(
    "  ok 1 encodings", "  # finding: from\n  ok 1 encodings # XFAIL HSD53 x12"
).replace("pass=2 fail=0 skip=1 xfail=0", "pass=1 fail=0 skip=1 xfail=1")


@pytest.mark.parametrize(
    "text",
    [GOOD, FAILING, SKIPPED, STARVED, COMPACT, XFAILED, GOOD[:300], "", FAILING[:-300]],
    ids=["good", "failing", "skipped", "starved", "compact", "xfailed", "cut", "empty", "late"],
)
def test_each_test_of_a_log_is_an_item(text, tmp_path):
    answer, items = report(raw(text), tmp_path)
    assert items.pop("test_log.test_log") == ("pass", "")
    tests = {f"test_log.{name}": test for name, test in ktap.read(raw(text)).tests()}
    assert {name: OUTCOMES.get(test.outcome, "pass") for name, test in tests.items()} == {
        name: kind for name, (kind, _) in items.items()
    }
    for name, test in tests.items():
        assert test.outcome != "skip" or items[name][1] == test.reason
    wrong = any(not test.ok for test in tests.values())
    assert answer.returncode == int(wrong), answer.stdout


def test_a_failed_item_shows_its_part_of_the_log(tmp_path):
    answer, _ = report(raw(FAILING), tmp_path)
    shown = answer.stdout.split("table17_6.encodings")[1].split("short test summary")[0]
    assert "not ok 2 tr1_bts1" in shown and "ds_area" not in shown


def test_a_plugin_of_labgrid_leaves_these_tests_alone(request):
    """Installed, it loads itself into every pytest of a machine."""
    assert request.config.pluginmanager.is_blocked("labgrid")


# ---- whole runs -------------------------------------------------------------------------------


@pytest.fixture
def labgrid(tmp_path):
    """labgrid(board, **changes) -> (pytest, items, the log's path): a run by the preset, with this
    board's port and power in its environment. Changes are lines of env.yaml, by their key; end_by:
    a signal, once the board is heard."""
    if importlib.util.find_spec("labgrid") is None:
        pytest.skip("labgrid is not installed (Debian's python3-labgrid)")

    def run(board, end_by=None, **changes):
        lines = {
            "port": board.port,
            "log": tmp_path / "raw.ktap",
            "cmd_on": board.command("on"),
            "cmd_off": board.command("off"),
            "delay": 0.2,
            **changes,
        }
        text = (FOLDER / "env.yaml").read_text(encoding="utf-8")
        text = changed_lines(text, lines).replace("- btscheck_s", f"- {FOLDER}/btscheck_s")
        (tmp_path / "env.yaml").write_text(text, encoding="utf-8")
        words = ("--lg-env", tmp_path / "env.yaml", FOLDER / "test_btscheck.py")
        log = tmp_path / "raw.ktap"

        def disturb(process):
            if end_by is not None:
                wait_for_size(log)
                process.send_signal(end_by)

        return *run_pytest(tmp_path, *words, disturb=disturb), log

    return run


def wait_for_size(path):
    until = time.monotonic() + LIMIT
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < until
        time.sleep(0.05)


def changed_lines(text, values):
    found = set()
    lines = text.split("\n")
    for number, line in enumerate(lines):
        key = line.lstrip(" #").split(":")[0]
        if key in values:
            indent = len(line) - len(line.lstrip(" "))
            lines[number] = f"{indent * ' '}{key}: {values[key]}"
            found.add(key)
    assert found == set(values)
    return "\n".join(lines)


@pytest.fixture
def board(labgrid, image_and_emulator, tmp_path):  # noqa: F811
    """board(test, options…): a stand-in with such a selection of tests."""
    machine = image_and_emulator("ser2net", "socat")
    return lambda *options: stand_in(tmp_path / "b", *machine, *options)


def test_good_board(labgrid, board):
    with board("probe.*") as stand:
        answer, items, log = labgrid(stand)
        assert not stand.is_on()
    assert answer.returncode == 0, answer.stdout
    assert items["test_btscheck.test_verdict"][0] == "pass"
    judgement = judge(log.read_bytes())
    assert judgement.status == Status.PASS
    tests = {f"test_btscheck.{name}" for name, _ in judgement.log.tests()}
    assert set(items) == tests | {"test_btscheck.test_verdict"} and len(tests) > 20
    skipped = {name for name, (kind, _) in items.items() if kind == "skipped"}
    assert "test_btscheck.probe.no_bts_without_ds" in skipped
    assert f", {len(skipped)} skipped" in answer.stdout


def test_failing_board(labgrid, board):
    selection = "probe.availability_*,selftest.deliberate_failure"
    with board(selection, "--protocol", "rfc2217") as stand:
        answer, items, log = labgrid(stand, protocol="rfc2217")
    assert answer.returncode == 1
    failed = {name.split(".", 1)[1] for name, (kind, _) in items.items() if kind == "failure"}
    assert failed == {"test_verdict", "selftest.deliberate_failure"} and len(items) == 4
    assert "expected 42 (0x2a), got 41 (0x29)" in answer.stdout
    assert "FAIL (status 1)" in items["test_btscheck.test_verdict"][1]
    assert judge(log.read_bytes()).status == Status.FAIL


def test_board_that_hangs(labgrid, board):
    with board(*HANG) as stand:
        answer, items, log = labgrid(stand, silence=6.0)
        assert not stand.is_on()
    assert answer.returncode == 1
    assert "TIMEOUT (status 6)" in items["test_btscheck.test_verdict"][1]
    assert judge(log.read_bytes()).status == Status.CUT_OFF


def test_board_without_anything_to_test(labgrid, board):
    """Nothing but skips is no pass."""
    with board("selftest.deliberate_skip") as stand:
        answer, items, _ = labgrid(stand)
    assert answer.returncode == 1
    assert items["test_btscheck.selftest.deliberate_skip"][0] == "skipped"
    assert "SKIP (status 4)" in items["test_btscheck.test_verdict"][1]


def test_what_the_line_still_holds_is_of_no_run(labgrid, board):
    with board("probe.availability_*") as stand:
        with open(stand.folder / "board", "wb", buffering=0) as line:
            line.write(raw(GOOD)[-400:])
        answer, _, log = labgrid(stand)
    assert answer.returncode == 0, answer.stdout
    assert log.read_bytes().count(b"# verdict: ") == 1


def test_board_that_lists(labgrid, board, tmp_path):
    with board("", "--args", "list") as stand:
        answer, items, _ = labgrid(stand)
    assert answer.returncode == 1
    assert "LISTED (status 9)" in items["test_btscheck.test_verdict"][1]
    assert 'name="btscheck_status" value="LISTED"' in (tmp_path / "junit.xml").read_text()


def test_board_is_off_after_a_power_command_that_fails_half_way(labgrid, board):
    with board("probe.*") as stand:
        answer, items, _ = labgrid(stand, cmd_on=f"sh -c '{stand.command('on')}; exit 3'")
        assert not stand.is_on()
    assert answer.returncode == 1
    assert "cannot be switched on" in items["test_btscheck.test_verdict"][1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_board_is_off_after_a_job_that_is_ended(labgrid, board, number):
    with board(*HANG) as stand:
        answer, _, _ = labgrid(stand, end_by=number)
        assert not stand.is_on()
    assert answer.returncode == (2 if number == signal.SIGINT else 128 + number)


def test_limits_that_nobody_names_grow_with_a_soak(labgrid, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    module = importlib.import_module("btscheck_strategy")
    strategy = module.BtscheckStrategy.__new__(module.BtscheckStrategy)
    strategy.log, strategy.first, strategy.silence, strategy.total = "log", 300.0, None, None

    def keep(_, __, clock, show):
        show(b"KTAP version 1\r\n# command line: repeat=8h\r\n")
        return clock.limits

    monkeypatch.setattr(module, "keep", keep)
    assert strategy.listen().total >= 8 * 3600 + Limits().total
    strategy.total = 100.0
    assert strategy.listen().total == 100


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"cmd_on": "/bin/false"}, "the board cannot be switched on"),
        ({"cmd_off": "sh -c 'echo no such outlet; exit 3'"}, "switched off: no such outlet"),
        ({"port": 9}, "the board cannot be heard: Could not open"),
    ],
    ids=["power-on", "power-off", "console"],
)
def test_what_cannot_be_reached_is_told(labgrid, board, change, sentence, tmp_path):
    (tmp_path / "raw.ktap").write_bytes(raw(GOOD))  # of a run before
    with board("probe.*") as stand:
        answer, items, log = labgrid(stand, **change)
    assert answer.returncode == 1
    assert sentence in items["test_btscheck.test_verdict"][1] and len(items) == 1
    assert "Traceback" not in answer.stdout
    assert judge(log.read_bytes()).status == Status.CUT_OFF
