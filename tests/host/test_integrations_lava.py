# SPDX-License-Identifier: GPL-2.0-or-later
"""The LAVA preset: monitors on logs, and lava-judge."""

import random
import re
import subprocess
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import ktap
import pytest
from conftest import ROOT
from damage import PREFIXES, with_prefix
from errors import LabError
from judge import Status
from log_lines import split_lines
from integrations import PRESETS
from judge_logs import COMPACT, CRASHED, DRY, FAILING, GOOD, LISTED, SKIPPED, STARVED, raw
from test_line_sums import summed
from test_integrations_labgrid import XFAILED

yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
pexpect = pytest.importorskip("pexpect", reason="python3-pexpect is not installed")

FOLDER = PRESETS / "lava"
LIMIT = 240  # seconds
NAMED = SKIPPED.replace("  1..2\n", "  # Subtest: probe\n  1..2\n")
LOGS = {
    "good": GOOD,
    "failing": FAILING,
    "skipped": NAMED,
    "starved": STARVED,
    "compact": COMPACT,
    "xfailed": XFAILED,
}
EVERY_LOG = LOGS | {"listed": LISTED, "dry-run": DRY}
VERDICT_OF = {
    **dict.fromkeys(("skipped", "listed", "dry-run"), "skip"),
    "failing": "fail",
    "compact": "fail",
    "starved": "unknown",
}
LAVA_WORDS = {"pass": "pass", "xfail": "pass", "fail": "fail", "skip": "skip", "timeout": "unknown"}


def run(*words, **options):
    options = {"capture_output": True, "text": True, "timeout": LIMIT, "check": False, **options}
    return subprocess.run(list(map(str, words)), **options)


# ---- monitors ---------------------------------------------------------------------------------


def load_job(path):
    job = yaml.safe_load(path.read_text(encoding="utf-8"))
    return job, next(each["test"]["monitors"] for each in job["actions"] if "test" in each)


def watch(monitors, log):
    """What LAVA makes of a log: monitor after monitor, by the same library with the same settings.
    [(monitor's name, test, result)]; the log comes over a terminal, in small pieces."""
    found = []
    with pexpect.spawn(
        "cat", [str(log)], encoding="utf-8", timeout=20, searchwindowsize=4000, maxread=50
    ) as console:
        for monitor in monitors:
            console.expect(monitor["start"])
            while console.expect([monitor["end"], monitor["pattern"]]) == 1:
                word = console.match["result"]
                case = console.match["test_case_id"]
                found.append((monitor["name"], case, monitor["fixupdict"].get(word, word)))
    return found


def with_sums(text):
    """As log=sum has it."""
    return "\n".join(summed(text)) + "\n"


@pytest.mark.parametrize("form", [str, with_sums], ids=["plain", "sums"])
@pytest.mark.parametrize("job", ["job-qemu.yaml", "job-board.yaml"])
@pytest.mark.parametrize("name", EVERY_LOG)
def test_monitors_find_every_test(job, name, form, tmp_path):
    (tmp_path / "log").write_bytes(raw(form(EVERY_LOG[name])))
    log = ktap.read(raw(EVERY_LOG[name]))
    _, monitors = load_job(FOLDER / job)
    tests = [("btscheck", t.name, LAVA_WORDS[t.outcome]) for _, t in log.tests()]
    expected = [*tests, ("btscheck", "verdict", VERDICT_OF.get(name, "pass"))]
    assert watch(monitors, tmp_path / "log") == expected


def test_an_unknown_directive_is_no_result(tmp_path):
    text = GOOD.replace("ok 2 reserved_bits # SKIP", "ok 2 reserved_bits # LATER")
    (tmp_path / "log").write_bytes(raw(text))
    _, monitors = load_job(FOLDER / "job-qemu.yaml")
    found = watch(monitors, tmp_path / "log")
    assert [case for _, case, _ in found] == ["ds_area", "encodings", "verdict"]


@pytest.mark.parametrize("form", [str, with_sums], ids=["plain", "sums"])
def test_a_machine_that_started_again_is_a_failure(form, tmp_path):
    """Each result passes, and the second run's verdict."""
    text = form(GOOD)
    cut = text.index("  ok 2 reserved_bits")
    (tmp_path / "log").write_bytes(raw(form(GOOD)[:cut] + form(GOOD)))
    _, monitors = load_job(FOLDER / "job-qemu.yaml")
    found = watch(monitors, tmp_path / "log")
    assert [(case, result) for _, case, result in found] == [
        *(("ds_area", "pass"), ("KTAP", "fail")),
        *(("ds_area", "pass"), ("reserved_bits", "skip"), ("encodings", "pass")),
        ("verdict", "pass"),
    ]


@pytest.mark.parametrize("form", [str, with_sums], ids=["plain", "sums"])
@pytest.mark.parametrize("name", LOGS)
def test_a_monitor_for_each_suite(name, form, tmp_path):
    text = LOGS[name].replace("table17_6", "table17_6@E2")
    (tmp_path / "log").write_bytes(raw(form(text)))
    answer = run(FOLDER / "by-suite", FOLDER / "job-board.yaml", tmp_path / "log")
    assert answer.returncode == 0, answer.stderr
    (tmp_path / "job.yaml").write_text(answer.stdout)
    _, monitors = load_job(tmp_path / "job.yaml")
    log = ktap.read(raw(text))
    tests = [
        (suite.name.replace("@", "-at-"), test.name, LAVA_WORDS[test.outcome])
        for suite in log.root.results
        for test in suite.children
    ]
    assert watch(monitors, tmp_path / "log")[:-1] == tests
    assert all(re.fullmatch(r"[-_a-zA-Z0-9.]+", each["name"]) for each in monitors)


def test_by_suite_refuses_what_it_cannot_use(tmp_path):
    (tmp_path / "cut").write_bytes(raw(GOOD[:300]))
    (tmp_path / "good").write_bytes(raw(GOOD))
    (tmp_path / "odd.yaml").write_text("actions: [{test: {monitors: [1, 2]}}]")
    job = FOLDER / "job-qemu.yaml"
    for words in ([job, "cut"], ["odd.yaml", "good"], ["good", "good"], [job, "absent"]):
        answer = run(FOLDER / "by-suite", *words, cwd=tmp_path)
        assert answer.returncode == Status.ERROR and answer.stdout == ""
        assert answer.stderr.startswith("by-suite: ") and "Traceback" not in answer.stderr


def test_the_jobs_have_the_same_monitors():
    assert load_job(FOLDER / "job-qemu.yaml")[1] == load_job(FOLDER / "job-board.yaml")[1]


# ---- lava-judge -------------------------------------------------------------------------------


def record(level, message):
    data = {"dt": "2026-01-01T00:00:00.000000", "lvl": level, "msg": message}
    return yaml.dump(data, default_flow_style=True, default_style='"', width=10**6).strip()


def output_of(data, trouble=""):
    """As lava-run writes it, which leaves out CR and ESC and escapes quotes."""
    lines = data.decode("utf-8", "replace").replace("\r", "").replace("\x1b", "").split("\n")
    job = {"definition": "lava", "case": "job", "result": "fail" if trouble else "pass"}
    job |= {"error_msg": trouble, "error_type": "Job"} if trouble else {}
    records = [record("info", "start: 0 validate")]
    records += [record("target", line.replace('"', '\\"')) for line in lines if line]
    records += [record("input", "]"), record("input", "quit\n"), record("target", "\x1dquit")]
    records += [record("input", "poweroff\n"), *[record("target", "poweroff")] * 2]
    records += [record("target", "telnet> quit"), record("target", "Connection closed.")]
    return "\n".join([*records, record("results", job)]) + "\n"


def lava_judge(text, tmp_path, *options):
    (tmp_path / "output").write_text(text)
    answer = run(FOLDER / "lava-judge", tmp_path / "output", *options)
    assert "Traceback" not in answer.stderr and "fault of btscheck" not in answer.stderr
    return answer


@pytest.mark.parametrize("item", ["", "- "], ids=["lava-run", "server"])
@pytest.mark.parametrize("options", [[], ["--follow"]], ids=str)
def test_judge_log_names_who_judges_a_jobs_log(tmp_path, item, options):
    """lava-run's may begin with something else."""
    records = [item + line for line in output_of(raw(GOOD)).splitlines()]
    path = tmp_path / "output"
    path.write_text("\n".join(["a warning", *records]) + "\n")
    answer = run(ROOT / "tools/lab/judge-log", *options, path)
    assert answer.returncode == Status.ERROR and "lava-judge` judges it" in answer.stderr
    assert lava_judge(path.read_text(), tmp_path).returncode == Status.PASS


@pytest.mark.parametrize(
    ("text", "trouble", "status"),
    [
        (GOOD, "", Status.PASS),
        (GOOD, "power-off timed out after 10 seconds", Status.PASS),
        (FAILING, "", Status.FAIL),
        (SKIPPED, "", Status.SKIP),
        (LISTED, "", Status.LISTED),
        (CRASHED, "", Status.CRASH),
        (GOOD[:300], "wait for prompt timed out", Status.TIMEOUT),
        (GOOD[:300], "Connection closed", Status.CUT_OFF),
        (GOOD[:300], "", Status.CUT_OFF),
        (GOOD + "ok 3 more\n", "", Status.DISAGREE),
        (GOOD + GOOD, "", Status.CUT_OFF),
        ("", "Unable to fetch the image", Status.ERROR),
    ],
    ids="good slow fail skip list crash hang closed cut after twice nothing".split(),
)
@pytest.mark.parametrize("mark", ["", "- "], ids=["lava-run", "server"])
def test_statuses_are_those_of_the_lab(text, trouble, status, mark, tmp_path):
    lines = output_of(raw(text) if text else b"", trouble).splitlines(True)
    if not text:
        lines = [line for line in lines if "target" not in line]
    answer = lava_judge("".join(mark + line for line in lines), tmp_path)
    assert answer.returncode == status, answer.stdout + answer.stderr
    assert trouble in answer.stdout + answer.stderr


@pytest.mark.parametrize("form", [str, with_sums], ids=["plain", "sums"])
@pytest.mark.parametrize("name", PREFIXES)
@pytest.mark.parametrize(("text", "status"), [(GOOD, 0), (FAILING, 1)], ids=["good", "failing"])
def test_prefixes_before_each_line_are_no_matter(name, text, status, form, tmp_path):
    lines = raw(form(text)).decode().replace("\r\n", "\n")
    answer = lava_judge(output_of(with_prefix(name, lines).encode()), tmp_path)
    assert answer.returncode == status, answer.stdout


def test_what_the_board_said_is_kept(tmp_path):
    text = GOOD.replace("# a diagnostic", '# finding: setup where="the answer"')
    lava_judge(output_of(raw(text)), tmp_path, "--log", tmp_path / "log")
    kept = (tmp_path / "log").read_text()
    assert kept.split() == raw(text).decode().replace("\x1b", "").split()


def test_results_are_named_by_suite_and_test(tmp_path):
    lava_judge(output_of(raw(FAILING)), tmp_path, "--results", tmp_path / "results.yaml")
    rows = yaml.safe_load((tmp_path / "results.yaml").read_text())
    assert [(row["suite"], row["name"], row["result"]) for row in rows] == [
        ("probe", "ds_area", "pass"),
        ("probe", "reserved_bits", "skip"),
        ("table17_6", "encodings", "fail"),
        ("btscheck", "verdict", "fail"),
    ]
    assert rows[1]["reason"] == "CPUID.01H:ECX[4].DS-CPL = 0" and rows[-1]["reason"] == "FAIL"


def load_lava_judge():
    """The program as a module, for what is asked of it very often."""
    loader = SourceFileLoader("lava_judge", str(FOLDER / "lava-judge"))
    module = module_from_spec(spec_from_loader("lava_judge", loader))
    loader.exec_module(module)
    return module


def damaged(whole, chance):
    data = bytearray(whole)
    for _ in range(chance.randint(1, 12)):
        place = chance.randrange(len(data))
        data[place : place + chance.choice((0, 1, 40))] = chance.randbytes(chance.randint(0, 3))
    return bytes(data)


@pytest.mark.parametrize("text", [GOOD, FAILING], ids=["good", "failing"])
def test_damaged_output_gives_no_wrong_pass(text):
    """Bytes lost or changed anywhere in LAVA's output. A pass has every line of structure."""
    program, chance = load_lava_judge(), random.Random(15)
    whole, statuses = output_of(raw(text)).encode(), set()
    structure = structure_of(raw(text))
    for _ in range(400):
        try:
            output = program.read_output(damaged(whole, chance), yaml)
            status = program.judge_output(output).status
        except LabError:
            continue
        statuses.add(status)
        assert status != Status.PASS or structure_of(output.console) == structure
    assert {Status.DISAGREE, Status.CUT_OFF} <= statuses
    assert (Status.PASS in statuses) == (text == GOOD)


def structure_of(data):
    words = re.compile(r" *(KTAP|1\.\.|# Subtest|ok|not ok)")
    return [line for line in split_lines(data) if words.match(line)]


def test_odd_output_is_refused_in_words(tmp_path):
    kept = [tmp_path / "kept.ktap", tmp_path / "kept.yaml"]
    for text in (
        "",
        "no record\n",
        '{"dt": ' + "[" * 5000 + "}\n",
        record("target", ["a", "list"]),
    ):
        for path in kept:
            path.write_text("of a run before")
        answer = lava_judge(text, tmp_path, "--log", kept[0], "--results", kept[1])
        assert answer.returncode == Status.ERROR
        assert "nothing came from the board" in answer.stderr
        assert kept[0].read_bytes().strip() in (b"", b"['a', 'list']") and not kept[1].read_bytes()
    assert run(FOLDER / "lava-judge", tmp_path / "absent").returncode == Status.ERROR


def test_the_pages_commands_exist():
    text = (PRESETS / "README.md").read_text(encoding="utf-8")
    for program in re.findall(r"tools/integrations/[a-z_/.-]+", text):
        assert (ROOT / program.rstrip(".")).exists(), program
