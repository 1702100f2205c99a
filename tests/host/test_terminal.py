# SPDX-License-Identifier: GPL-2.0-or-later
"""What tools/lab/run shows on a terminal, and that a pipe gets the whole log.

Boards stand for machines: a serial line behind TCP says what the test wants, when it wants.
"""

import io
import os
import pty
import re
import signal

import pytest
from conftest import ROOT, RUN, execute, make
from damage import LIES
from judge import Status
from judge_logs import COMPACT, CRASHED, DRY, FAILING, GOOD, LISTED, changed, raw
from suites import Suites
from terminals import Terminal
from test_lab import serve_log
from test_line_sums import summed

TIMED = ("ok 1 probe\n", "# time: suite probe 0.07 s\nok 1 probe\n")
PROBE = "probe                     1 passed                  1 skipped      0.07 s"
FAILED = """\
  # Subtest: table17_6
  # choice: wrap=lazy
    # Subtest: encodings
    # a diagnostic
    not ok 2 tr1_bts1
  # claims: BTS-1
  not ok 1 encodings
table17_6                              1 failed
"""
BROKEN = changed(
    ("\n" + TIMED[0], "\n" + TIMED[1]),
    ("    KTAP", "  # choice: wrap=lazy\n    KTAP"),
    ("  not ok 1 encodings", "  # claims: BTS-1\n  not ok 1 encodings"),
    text=FAILING,
)
GOOD_AS_TEXT = raw(GOOD).decode().replace("\r", "").lstrip("\n").replace("\x1b[2J", "")
SOAK = """\
KTAP version 1
1..1
  KTAP version 1
  # Subtest: soak
  1..1
# soak: 60 s: records=5 interrupts=0 programs=9 runs=3 failed=0
# soak@cpu0: 60 s: records=5 interrupts=0 programs=9 runs=3 failed=0
    # soak: after 61 s circular.laps failed:
    # finding: index expected=3 got=4
    # rerun: make run TEST=circular.laps
"""


def shown(text, size=1 << 20):
    """What comes in pieces of so many bytes shows, in a file."""
    out = io.StringIO()
    suites = Suites(out)
    for at in range(0, len(text), size):
        suites(text[at : at + size])
    suites.finish()
    return out.getvalue()


def test_a_line_a_suite():
    assert shown(raw(changed(("\n" + TIMED[0], "\n" + TIMED[1])))) == (
        PROBE + "\n" + "table17_6                 1 passed\n"
    )


@pytest.mark.parametrize("size", range(1, 40))
def test_failures_in_full_wherever_the_bytes_are_cut(size):
    assert shown(raw(BROKEN), size) == f"{PROBE}\n{FAILED}"


def test_what_comes_before_the_first_suite_is_no_part_of_its_failure():
    text = changed(("  ok 1 ds_area", "  not ok 1 ds_area"), ("\nok 1 probe", "\nnot ok 1 probe"))
    assert shown(raw(text)).startswith("  # Subtest: probe\n  not ok 1 ds_area\nprobe ")


def test_prefixes_and_checksums_are_no_part_of_what_is_shown():
    text = "\n".join(f"bay1: {line}" for line in summed(BROKEN) if "BIOS" not in line)
    assert shown(text.encode() + b"\n") == f"{PROBE}\n{FAILED}"


def test_compact_log():
    text = shown(raw(COMPACT))
    assert "    # Subtest: encodings\n    not ok 3 tr1_bts1\n  not ok 1 encodings\n" in text
    assert "tr0_bts1" not in text and text.endswith(
        "table17_6                              1 failed\n"
    )


def test_starved_and_excused_tests_are_counted_by_themselves():
    text = changed(
        ("  ok 1 ds_area", "  ok 1 ds_area # XFAIL HSD53 x1"),
        (
            "  ok 2 reserved_bits # SKIP CPUID.01H:ECX[4].DS-CPL = 0",
            "  not ok 2 x # TIMEOUT starved",
        ),
        ("\nok 1 probe", "\nnot ok 1 probe"),
    )
    assert re.search(r"^probe +, 1 excused, 1 starved$", shown(raw(text)), re.M)


@pytest.mark.parametrize("log", [LISTED, DRY])
def test_what_runs_no_test_is_shown_whole(log):
    assert shown(raw(log)).strip() == raw(log).decode().replace("\r\n", "\n").strip()


def test_what_a_crash_says():
    assert shown(raw(CRASHED)).endswith(
        "  # Subtest: table17_6\n    # Subtest: encodings\n"
        "Bail out! #PF in table17_6.encodings\n"
    )


@pytest.mark.parametrize("lines", range(2, BROKEN.count("\n")))
def test_a_log_that_ends_anywhere_says_where(lines):
    """And never loses what a failure said."""
    text = "\n".join(BROKEN.split("\n")[:lines])
    seen = shown(raw(text))
    last = seen.rstrip("\n").split("\n")[-1]
    assert last.startswith("no verdict; ")
    names = re.findall("# Subtest: (.*)", text)
    if "encodings" in names and "ok 1 encodings" not in text:
        assert last.startswith("no verdict; table17_6.encodings: ")
        assert "# a diagnostic" not in text or "# a diagnostic" in seen
    elif not names and "\n  KTAP" not in text:
        assert last == "no verdict; no test has begun" and "SeaBIOS" in seen
    for line in re.findall("^ +not ok .*", text, re.M):
        assert f"\n{line}\n" in seen


def test_a_machine_that_starts_again():
    seen = shown(raw(GOOD[: GOOD.index("    # a diag")] + GOOD))
    assert seen.count("the machine started again\n") == 1
    assert seen.endswith("table17_6                 1 passed\n")


def test_a_soak_shows_at_once_what_fails():
    """It goes on for hours."""
    out = io.StringIO()
    Suites(out)(raw(SOAK))
    seen = out.getvalue()
    assert "# soak: 60 s: " in seen and "# soak@cpu0: 60 s" not in seen
    assert seen.endswith("    # rerun: make run TEST=circular.laps\n")


@pytest.mark.parametrize("lie", LIES)
def test_no_line_is_too_strange(lie):
    lines = raw(BROKEN).decode().split("\r\n")
    for at in range(len(lines)):
        assert shown("\n".join([*lines[:at], lie, *lines[at:]]).encode())


# ---- the terminal itself ----


def run_at_terminal(tmp_path, chunks, *options, term="xterm"):
    command = [RUN, "--serial", serve_log(chunks), "--log", tmp_path / "log", *options]
    return Terminal(command, term)


def test_a_terminal_shows_suites_and_the_path_of_the_log(tmp_path):
    terminal = run_at_terminal(tmp_path, [raw(BROKEN)])
    terminal.read()
    assert terminal.end() == Status.FAIL
    assert terminal.screen().startswith(f"{PROBE}\n{FAILED}FAIL (status 1): a test failed")
    assert f"\n  log: {tmp_path}/log\n" in terminal.screen()
    assert "\x1b[31m    not ok 2 tr1_bts1\x1b[0m" in terminal.text
    assert (tmp_path / "log").read_bytes() == raw(BROKEN)


def test_what_hangs_is_named_until_it_goes_on(tmp_path):
    at = GOOD.index("    ok 1 tr0_bts0")
    terminal = run_at_terminal(tmp_path, [raw(GOOD[:at])], "--silence", "5")
    text = terminal.read(until="table17_6.encodings, silent for 3 s: 0 of 2 done")
    assert "table17_6.encodings, silent for 2 s: 0 of 2 done\r\x1b[Ktable17_6" in text
    terminal.read()
    assert terminal.end() == Status.TIMEOUT
    assert "\nno verdict; table17_6.encodings: 0 of 2 done\n" in terminal.screen()
    assert "silent" not in terminal.screen()


def test_an_emulator_that_hangs_is_seen_too(run_fake):
    master, slave = pty.openpty()
    streams = {"stdout": slave, "stderr": slave, "env": {**os.environ, "TERM": "xterm"}}
    at = GOOD.index("    ok 1 tr0_bts0")
    answer = run_fake(raw(GOOD[:at]), "time.sleep(50)", "--silence", "3", **streams)
    assert answer.returncode == Status.TIMEOUT
    assert "table17_6.encodings, silent for 2 s" in os.read(master, 65536).decode()
    os.close(slave)
    os.close(master)


def test_nothing_is_overwritten_where_the_terminal_cannot(tmp_path):
    at = GOOD.index("    ok 1 tr0_bts0")
    terminal = run_at_terminal(tmp_path, [raw(GOOD[:at])], "--silence", "3", term="dumb")
    text = terminal.read()
    assert terminal.end() == Status.TIMEOUT
    assert "\x1b" not in text and "silent for" not in text
    assert "\nno verdict; table17_6.encodings: 0 of 2 done\r\n" in text


def test_ctrl_c_leaves_a_whole_line(tmp_path):
    at = GOOD.index("    ok 1 tr0_bts0")
    terminal = run_at_terminal(tmp_path, [raw(GOOD[:at])])
    terminal.read(until="0 of 2 done")
    terminal.process.send_signal(signal.SIGINT)
    terminal.read()
    assert terminal.end() == 130
    assert re.search(
        r"\nno verdict; table17_6\.enc.*\nrun: interrupted; the log", terminal.screen()
    )


def test_a_terminal_shows_the_log_on_demand(tmp_path):
    terminal = run_at_terminal(tmp_path, [raw(GOOD)], "--view", "log")
    terminal.read()
    assert terminal.end() == Status.PASS
    assert "ok 2 tr1_bts1" in terminal.text and "silent" not in terminal.text


@pytest.mark.parametrize(("view", "is_whole"), [("auto", True), ("suites", False)])
def test_a_pipe_gets_the_whole_log(tmp_path, view, is_whole):
    command = [RUN, "--serial", serve_log([raw(GOOD)]), "--log", tmp_path / "log", "--view", view]
    answer = execute(*command, timeout=60)
    assert answer.returncode == Status.PASS, answer.stderr
    assert (answer.stdout == "\n" + GOOD_AS_TEXT) == is_whole and "\x1b" not in answer.stdout


def test_quiet_is_quiet_on_a_terminal(tmp_path):
    terminal = run_at_terminal(tmp_path, [raw(GOOD)], "--quiet")
    terminal.read()
    assert terminal.end() == Status.PASS
    assert terminal.text.startswith("PASS (status 0)")


def test_what_cannot_start_has_no_view():
    terminal = Terminal([RUN, "--profile", "no-such"])
    terminal.read()
    assert terminal.end() == Status.ERROR
    assert terminal.text.startswith("run: ") and terminal.text.count("\n") == 1


def test_a_view_of_nothing_is_refused():
    answer = execute(RUN, "--quiet", "--view", "log", cwd=ROOT)
    assert answer.returncode == 2 and "--view has no effect with --quiet" in answer.stderr


def test_make_asks_for_the_log_with_v():
    assert "--view=log" in make("-n", "run", "V=1").stdout
    assert "--view" not in make("-n", "run").stdout
