# SPDX-License-Identifier: GPL-2.0-or-later
"""TAP, read by Perl's prove, by tap.py and by npm's tap-parser; a row of real_processors.txt."""

import json
import shutil

import pytest
from conftest import ROOT, execute
from judge import judge
from report_logs import FAILING, HEAD, LOGS, PASSING, log_of, report, write_logs
from run_data import run_data
from tap14 import tap_text
from writing import leaves_rows

LEAVES = (
    "# leaves: 0.0=16.756e6547.6c65746e.49656e69 1.0=506e3.100800.7ffafbbf.bfebfbff"
    " 7.0=0.29c6fbf.0.bc000400 a.0=7300404.0.0.603 1a.0=0.0.0.0 msr345=33c5 msr1a0=850089\n"
)
TELLING = log_of(head=HEAD + LEAVES)
ROW = (
    "GenuineIntel 0=16 1=506e3.0.8014.200020 7=0.800 a=7300404.0.0.603 msr345=33c5 msr1a0=80"
    " # Intel Core Processor (Skylake)\n"
)


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


def row_of(log):
    return leaves_rows([run_data(judge(log))]).decode()


def test_row_has_the_bits_that_decide():
    assert row_of(TELLING) == ROW


def test_row_is_one_of_the_file_but_for_what_no_dump_tells():
    words = {word for word in ROW.split(" # ")[0].split() if not word.startswith("msr")}
    text = (ROOT / "tests/host/real_processors.txt").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if words <= set(line.split())]


def test_hypervisor_is_in_the_row():
    guest = TELLING.replace(b"none (bare metal)", b"Microsoft Hv")
    assert row_of(guest).startswith("GenuineIntel under=Microsoft_Hv 0=16 ")


def test_log_that_does_not_tell_has_no_row():
    assert row_of(PASSING) == "# Intel Core Processor (Skylake): the log does not tell\n"


def test_report_prints_a_row_of_each_log(tmp_path):
    answer = report("--leaves", "-", *write_logs(tmp_path, a=TELLING, b=TELLING))
    assert answer.returncode == 0 and answer.stdout.decode() == 2 * ROW, answer.stderr
