# SPDX-License-Identifier: GPL-2.0-or-later
"""`make clients`: kvm-unit-tests' logs, what is a difference, and how the whole ends.

The clients themselves take a quarter of an hour and are not run here.
"""

import subprocess
import sys

import pytest
from conftest import ROOT, stand_ins
from machine import load_profiles

sys.path.append(str(ROOT / "tools"))
from clients.steps import BAD_INPUT, HUNG, NO_EMULATOR, SKIPPED, Stopped, boot  # noqa: E402
from clients.kut import part  # noqa: E402
from clients.kut.results import compare, read, witnesses  # noqa: E402

CLIENTS = ROOT / "tools/clients/run"
LOG = """\
enabling apic
PASS: one
FAIL: 3712 <= 10000017 <= 111361
FAIL: two: clock-0
PASS: three
SKIP: four
SUMMARY: 4 tests, 1 unexpected failures, 1 skipped
"""
ROW = {"pass": 2, "skip": 1, "known": [{"names": ["two: clock-0"], "reason": "a clock"}]}
GOOD, BAD, ALL_SKIPPED = 1, 3, 77


def different(log, row=ROW, status=BAD):
    results = read(log)
    return witnesses(results, status) + compare(results, row)


def test_log_as_expected():
    assert different(LOG) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("PASS: one\n", "", "the summary counts"),
        ("PASS: one", "FAIL: one", "unexpected FAIL: one"),
        ("FAIL: two: clock-0", "PASS: two: clock-0", "does not any more: two: clock-0"),
        ("PASS: three", "FAIL: two: clock-0", "fails 2 times, expected 1: two: clock-0"),
        ("SKIP: four", "PASS: four", "0 SKIP lines, expected 1"),
        ("PASS: three", "XPASS: three", "unexpected FAIL: three"),
        ("PASS: three", "KFAIL: three", "1 PASS lines, expected 2"),
        ("4 tests", "5 tests", "the summary counts"),
        ("SUMMARY", "", "ends before its summary"),
    ],
)
def test_difference_is_told(old, new, told):
    assert old in LOG
    found = different(LOG.replace(old, new))
    assert any(told in sentence for sentence in found), found


@pytest.mark.parametrize("status", [0, GOOD, ALL_SKIPPED, -9])
def test_exit_status_that_does_not_fit_the_lines_is_a_difference(status):
    assert any("exit status" in sentence for sentence in different(LOG, status=status))


@pytest.mark.parametrize(
    ("log", "row", "status"),
    [
        ("PASS: one\nSUMMARY: 1 tests\n", {"pass": 1}, GOOD),
        ("SKIP: all of it\nSUMMARY: 1 tests, 1 skipped\n", {"skip": 1}, ALL_SKIPPED),
        (
            "XFAIL: a\nKFAIL: b\nSUMMARY: 2 tests, 1 known failures, 1 expected failures\n",
            {},
            GOOD,
        ),
    ],
)
def test_summary_and_status_fit_the_lines(log, row, status):
    assert different(log, row, status) == []


def test_bounds_that_a_count_misses_are_no_verdict():
    assert read(LOG).lines["FAIL"] == ["two: clock-0"]


def test_every_row_has_a_profile_and_every_failure_a_reason():
    rows = part.rows()
    assert {row["profile"] for row in rows} <= load_profiles().keys()
    assert len({(row["profile"], row["test"]) for row in rows}) == len(rows)
    for row in rows:
        assert row.get("clock", "host") in part.CLOCKS
        assert all(known["reason"] and known["names"] for known in row.get("known", []))


def test_rows_are_chosen():
    assert {row["test"] for row in part.rows(test="debug")} == {"debug"}
    assert len(part.rows("skylake", "debug")) == 1
    with pytest.raises(Stopped) as stopped:
        part.rows("skylake", "no-such-test")
    assert stopped.value.status == BAD_INPUT and "skylake debug" in str(stopped.value)


def emulator_that(folder, does):
    """A stand-in for QEMU."""
    return stand_ins(folder, {"qemu": does}) / "qemu"


def test_boot_brings_log_and_status(tmp_path):
    ended = boot(emulator_that(tmp_path, "echo said; exit 3"), "max", [], 20)
    assert (ended.log, ended.status) == ("said\n", 3)


@pytest.mark.parametrize(
    ("does", "seconds", "status", "told"),
    [
        ("echo last words; exec sleep 60", 1, HUNG, "last words"),
        ("echo no such device >&2; exit 1", 20, NO_EMULATOR, "no such device"),
    ],
)
def test_boot_that_does_not_end_well(tmp_path, does, seconds, status, told):
    with pytest.raises(Stopped) as stopped:
        boot(emulator_that(tmp_path, does), "max", [], seconds)
    assert stopped.value.status == status and told in str(stopped.value)


def test_emulator_that_is_not_there(tmp_path):
    with pytest.raises(Stopped, match="make emulator"):
        boot(tmp_path / "none", "max", [], 20)


def clients(*words):
    return subprocess.run([CLIENTS, *words], text=True, capture_output=True, timeout=60)


def test_without_a_source_it_says_what_to_do():
    answer = clients("--only", "kut")
    assert answer.returncode == SKIPPED and "KUT_SRC=" in answer.stdout


@pytest.mark.parametrize(
    ("word", "value", "status", "told"),
    [
        ("--source", "nowhere", BAD_INPUT, "neither a tree of kvm-unit-tests nor a git directory"),
        ("--test", "nothing", BAD_INPUT, "no such run"),
        ("--emulator", "nowhere", NO_EMULATOR, "run make emulator"),
    ],
)
def test_bad_input_gets_a_sentence(tmp_path, word, value, status, told):
    emulator = emulator_that(tmp_path, "exit 1")
    words = {"--source": tmp_path, "--emulator": emulator, "--build": tmp_path / "built"}
    words[word] = tmp_path / value if value == "nowhere" else value
    answer = clients("--only", "kut", *[str(item) for pair in words.items() for item in pair])
    assert answer.returncode == status and told in answer.stderr, answer
    assert "Traceback" not in answer.stderr
