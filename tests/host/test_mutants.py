# SPDX-License-Identifier: GPL-2.0-or-later
"""A log that lost or changed a line of its structure is never a good run, whichever line it was.

(test_boot.py tries some on every processor's log.)
"""

import pytest
from judge import Status, judge
from mutants import believed

COMMAND_LINES = ["test=table17_6", "repeat=2 test=probe.*,ring3", "list"]


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
    assert boot.judgement.status == Status.PASS, boot.explain()
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
