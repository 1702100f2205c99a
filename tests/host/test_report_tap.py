# SPDX-License-Identifier: GPL-2.0-or-later
"""TAP, read by Perl's prove, by tap.py and by npm's tap-parser."""

import json
import shutil

import pytest
from conftest import execute
from judge import judge
from report_logs import FAILING, LOGS, PASSING, log_of
from run_data import run_data
from tap14 import tap_text


def document_of(*logs):
    return tap_text([run_data(judge(log), board=f"bay{n}") for n, log in enumerate(logs, 1)])


def points_of(text):
    """(is it ok, its description, is it skipped), as tap.py reads it."""
    parser = pytest.importorskip(
        "tap.parser", reason="no python3-tap: `tools/setup lab` installs it"
    ).Parser()
    lines = list(parser.parse_text(text))
    assert not [line for line in lines if line.category == "bail"]
    return [(each.ok, each.description, each.skip) for each in lines if each.category == "test"]


def prove(tmp_path, text):
    (tmp_path / "x.tap").write_text(text)
    return execute("prove", "-e", "cat", tmp_path / "x.tap", timeout=120)


def parsed(text, folder):
    """What npm's tap-parser says at the end, and its exit status."""
    command = [shutil.which("node"), folder / "tap-parser/bin/cmd.cjs", "-j", "0"]
    if not command[1].exists():
        command[1] = folder / ".bin/tap-parser"
    answer = execute(*command, input=text, timeout=120)
    events = json.loads(answer.stdout)
    return events, dict(each for each in events if each[0] == "complete")["complete"]


@pytest.mark.parametrize("status", LOGS)
def test_prove_passes_only_what_passed(tmp_path, status):
    answer = prove(tmp_path, document_of(LOGS[status]))
    assert "Parse errors" not in answer.stdout, answer.stdout
    assert (answer.returncode == 0) == (status == "PASS"), answer.stdout
    assert ("Result: PASS" in answer.stdout) == (status == "PASS")


def test_prove_reads_several_runs(tmp_path):
    answer = prove(tmp_path, document_of(PASSING, FAILING, PASSING))
    assert "Tests: 18 Failed: 2" in answer.stdout and "Parse errors" not in answer.stdout


def test_tap_py_reads_every_point():
    points = points_of(document_of(FAILING))
    assert [ok for ok, _, _ in points] == [True, True, True, False, True, False]
    assert points[2][2] and "verdict FAIL" in points[-1][1]
    assert [ok for ok, _, _ in points_of(document_of(PASSING))] == [True] * 6


@pytest.mark.parametrize("status", LOGS)
def test_tap_parser_of_npm_agrees(report_readers, status):
    events, complete = parsed(document_of(LOGS[status]), report_readers)
    assert complete["ok"] == (status == "PASS")
    assert not [each for each in events if each[0] == "extra"]


def test_what_failed_stands_in_its_block(report_readers):
    events, _ = parsed(document_of(FAILING), report_readers)
    (failed,) = [
        e[1] for e in events if e[0] == "assert" and e[1].get("name", "").endswith("encodings")
    ]
    assert failed["diag"]["claims"] == "T17-6.3 BTS-1"
    assert "finding: record.missing slot=2 expected=0x10 (two)" in failed["diag"]["lines"]
    assert "rerun: make run TEST=table17_6.encodings" in failed["diag"]["lines"]


def test_odd_names_and_reasons_are_one_line(tmp_path, report_readers):
    log = log_of(skip_reason="a # b \\ ' \" \x1f\u2028 ok 7 - no")
    text = document_of(log)
    assert "no_bts_without_ds # SKIP a \\# b \\\\ ' " in text
    assert prove(tmp_path, text).returncode == 0 and parsed(text, report_readers)[1]["ok"]
