# SPDX-License-Identifier: GPL-2.0-or-later
"""A log that lost or changed a line of its structure is never a good run, whichever line it was.

(test_boot.py tries some on every processor's log.)
"""

import pytest
from judge import Status, judge
from mutants import believed
from judge_logs import CRASHED, EXIT, GOOD, STRUCTURE, raw

COMMAND_LINES = [
    "test=table17_6",
    "repeat=2 test=probe.*,ring3",
    "list",
    "log=compact test=probe,table17_6,random",
]


def test_no_mutant_of_a_real_log_is_believed(boot_machine, emulator):
    boot = boot_machine(qemu=emulator)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert not believed(boot.outcome.raw, seed=1, most=80)


def test_no_mutant_of_skips_is_believed(boot_machine):
    boot = boot_machine()
    assert boot.judgement.status == Status.SKIP, boot.explain()
    assert not believed(boot.outcome.raw, seed=2, most=40)


@pytest.mark.parametrize("command_line", COMMAND_LINES)
def test_no_mutant_of_a_short_log_is_believed(boot_machine, emulator, command_line):
    boot = boot_machine(qemu=emulator, command_line=command_line)
    wanted = Status.LISTED if command_line == "list" else Status.PASS
    assert boot.judgement.status == wanted, boot.explain()
    assert not believed(boot.outcome.raw, seed=3, most=80)


def disturbed(raw):
    """The same log as it comes through other cables and terminals."""
    lines = raw.replace(b"\r\n", b"\n").split(b"\n")
    yield "no carriage returns", b"\n".join(lines)
    yield "two of them", b"\r\r\n".join(lines)
    yield "before and after", b"\n\r".join(lines)
    yield "colours", b"\n".join(b"\x1b[1;32m" + line + b"\x1b[0m" for line in lines)
    yield "blanks at the end", b"  \r\n".join(lines)
    foreign = b"[  12.3] usb 1-1: new device, oil is ok"
    yield "foreign lines", b"\r\n".join(each for line in lines for each in (foreign, line))
    yield "firmware before it", b"\x1b[2J\x1b[01;01HBdsDxe: \xff\x00 starting\r\n" + raw


def test_disturbances_that_a_log_survives(boot_machine, emulator):
    raw = boot_machine(qemu=emulator, command_line="test=table17_6,ring3").outcome.raw
    for name, other in disturbed(raw.removesuffix(b"\r\n")):
        judgement = judge(other)
        assert judgement.status == Status.PASS, (name, judgement.reasons)


def structure_of(text):
    return [line for line in text.split("\n") if STRUCTURE.match(line)]


@pytest.mark.parametrize("line", structure_of(GOOD))
def test_line_that_was_cut_off_and_came_again_counts_once(line):
    """The watchdog may cut a line off anywhere; on the serial line it may stand whole already."""
    good = raw(GOOD).decode().replace("\r\n", "\n")
    for cut in range(len(line) + 1):
        begun = line[:cut] + "\n" if cut else ""
        twice = f"{begun}# cut off: this line once more:\n{line}"
        assert judge(good.replace(line, twice, 1).encode()).status == Status.PASS, twice
    without_the_sentence = good.replace(line, f"{line}\n{line}", 1)
    assert judge(without_the_sentence.encode()).status != Status.PASS


def test_line_that_was_cut_off_twice_counts_once():
    mark = "# cut off: this line once more:\n"
    line = "  ok 1 ds_area"
    for begun in ("  ok 1 d", "  o", line):
        good = raw(GOOD).decode().replace("\r\n", "\n")
        text = good.replace(line, f"  ok 1\n{mark}{begun}\n{mark}{line}", 1)
        assert judge(text.encode()).status == Status.PASS, begun


def test_crash_whose_log_lost_a_line_is_none():
    text = raw(CRASHED).decode().replace("\r\n", "\n")
    assert judge(text.encode(), EXIT["CRASH"]).status == Status.CRASH
    for line in structure_of(text):
        less = text.replace(line + "\n", "", 1).encode()
        assert judge(less, EXIT["CRASH"]).status in (Status.DISAGREE, Status.CUT_OFF), line
