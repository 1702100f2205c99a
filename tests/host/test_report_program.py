# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/lab/report as a person or a CI job starts it."""

import gzip
import json
import os
import subprocess

import pytest
from conftest import execute
from judge import Status
from lxml import etree
from report_logs import FAILING, LOGS, PASSING, REPORT, report, write_logs

TRACEBACK = b"Traceback"
WELL = ("PASS", "SKIP")


@pytest.mark.parametrize("status", LOGS)
def test_exit_status_is_that_of_the_log(tmp_path, status):
    logs = write_logs(tmp_path, one=LOGS[status])
    answer = report("--json", tmp_path / "x.json", *logs)
    assert answer.returncode == Status[status], answer.stderr
    assert json.loads((tmp_path / "x.json").read_text())[0]["status"]["name"] == status


def test_exit_status_is_the_worst_and_every_format_is_written(tmp_path):
    logs = write_logs(tmp_path, a=PASSING, b=FAILING, c=PASSING)
    files = {name: tmp_path / f"x.{name}" for name in ("junit", "json", "tap", "html")}
    words = [word for name, path in files.items() for word in (f"--{name}", path)]
    answer = report(*words, *logs)
    assert answer.returncode == Status.FAIL, answer.stderr
    assert etree.parse(str(files["junit"])).getroot().get("tests") == "18"
    assert len(json.loads(files["json"].read_text())) == 3
    assert "\n1..18\n" in files["tap"].read_text()
    assert "2 of 3 passed" in files["html"].read_text()
    assert b"b.log: FAIL" in answer.stderr and answer.stdout == b""
    assert all(path.stat().st_mode & 0o777 == 0o666 & ~umask() for path in files.values())


@pytest.mark.parametrize("status", [name for name in LOGS if name not in WELL])
@pytest.mark.parametrize("well", WELL)
def test_whatever_went_wrong_is_worse_than_what_went_well(tmp_path, status, well):
    logs = write_logs(tmp_path, a=LOGS[well], b=LOGS[status], c=LOGS[well])
    assert report("--json", tmp_path / "x.json", *logs).returncode == Status[status]


def umask():
    now = os.umask(0o22)
    os.umask(now)
    return now


def test_a_log_that_is_not_there_is_named_and_the_rest_is_done(tmp_path):
    logs = write_logs(tmp_path, a=PASSING)
    answer = report("--junit", tmp_path / "x.xml", *logs, tmp_path / "none.log")
    assert answer.returncode == Status.ERROR and TRACEBACK not in answer.stderr
    root = etree.parse(str(tmp_path / "x.xml")).getroot()
    assert root.get("errors") == "1" and "No such file" in root.findtext(".//error")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.log"], "which report?"),
        (["--junit", "x"], "LOG"),
        (["--xml", "x", "a.log"], "--xml"),
        (["--junit", "x", "--tap", "x", "a.log"], "cannot go into one file"),
        (["--junit", "none/x", "a.log"], "none"),
        (["--tap", ".", "a.log"], "."),
        (["--tap", "x", "a.log", "./a.log"], "named 2 times"),
        (["--tap", "a.log", "a.log"], "overwrite"),
        (["--tap", "x", "--board", "b", "a.log", "b.log"], "--board"),
    ],
)
def test_bad_words_are_one_sentence_and_a_status(tmp_path, words, said):
    write_logs(tmp_path, a=PASSING)
    answer = report(*words, cwd=tmp_path)
    assert answer.returncode == Status.ERROR and TRACEBACK not in answer.stderr
    assert said in answer.stderr.decode() and not (tmp_path / "x").exists()


def test_standard_output_is_a_file(tmp_path):
    logs = write_logs(tmp_path, a=PASSING)
    answer = report("--tap", "-", *logs)
    assert answer.returncode == 0 and answer.stdout.startswith(b"TAP version 13\n1..6\n")


def test_a_packed_log_and_a_name_for_its_board(tmp_path):
    (tmp_path / "a.ktap.gz").write_bytes(gzip.compress(PASSING))
    for words, name in (((), "a"), (("--board", "icx 7"), "icx 7")):
        answer = report("--json", "-", *words, tmp_path / "a.ktap.gz")
        assert answer.returncode == 0, answer.stderr
        assert json.loads(answer.stdout)[0]["board"] == name


@pytest.mark.parametrize("form", ["json", "junit", "tap", "html"])
def test_a_log_of_any_depth_is_a_run(tmp_path, form):
    levels = range(1, 1500)
    begin = "".join(f"{'  ' * n}KTAP version 1\n{'  ' * n}1..1\n" for n in levels)
    end = "".join(f"{'  ' * n}ok 1 s{n}\n" for n in reversed(range(1500)))
    logs = write_logs(tmp_path, deep=f"KTAP version 1\n1..1\n{begin}{end}".encode())
    answer = report(f"--{form}", tmp_path / "x", *logs)
    assert answer.returncode == Status.CUT_OFF, answer.stderr


def test_nobody_reads_it_any_more(tmp_path):
    logs = write_logs(tmp_path, a=FAILING)
    command = [str(REPORT), "--json", "-", *map(str, logs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        messages = running.stderr.read().decode()
    assert running.returncode == Status.FAIL
    assert messages == f"report: {logs[0]}: FAIL\n"


def test_prove_judges_logs_through_it(tmp_path):
    for content, passes in ((PASSING, True), (FAILING, False), (LOGS["CUT_OFF"], False)):
        (log,) = write_logs(tmp_path, one=content)
        answer = execute("prove", "-e", f"{REPORT} --tap -", log, timeout=120)
        assert (answer.returncode == 0) == passes, answer.stdout


def test_a_real_failure_is_shown(emulator, boot_machine, tmp_path):
    """A processor that does not record jumps: what its log says reaches the page."""
    boot = boot_machine(
        qemu=emulator, variation="x-ds-fault=jmp-lost", command_line="test=table17_6.encodings"
    )
    logs = write_logs(tmp_path, real=boot.outcome.raw)
    answer = report("--html", tmp_path / "x.html", "--json", tmp_path / "x.json", *logs)
    assert answer.returncode == Status.FAIL, boot.explain()
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    (run,) = json.loads((tmp_path / "x.json").read_text())
    assert {"BTS-1", "T17-6.3"} <= set(run["tests"][0]["claims"])
    assert page.count('class="failed"') == 6, "settings of Table 17-6 that store something"
    assert (
        "records expected" in page
        and 'class="missing"' in page
        and " missing" in page
        and "before slot" in page
    )
