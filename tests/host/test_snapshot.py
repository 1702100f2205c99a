# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines that go on from the kernel's entry."""

import re

import machine
import pytest
from judge import Status, judge
from snapshot import FILLER, GAP, Snapshots, filled
from transport import Limits, boot


@pytest.fixture(scope="module")
def start(iso, emulator, tmp_path_factory):
    """start(command line, more of -cpu) -> the judgement of one boot."""
    folder = tmp_path_factory.mktemp("snapshots")
    snapshots = Snapshots(iso.with_suffix(".elf"), folder / "states")
    cpu = machine.find_profile("skylake")["cpu"]

    def run(command_line, more=""):
        wanted = machine.Machine(qemu=emulator, iso=iso, cpu=cpu + more, command_line=command_line)
        with snapshots.resumed(wanted, cpu) as resumed:
            answer = boot(resumed, folder / "log", Limits(total=120), lambda chunk: None)
        return judge(answer.raw, answer.exit_code, answer.timed_out)

    run.snapshots = snapshots
    run.machine = machine.Machine(qemu=emulator, iso=iso, cpu=cpu)
    return run


def test_each_boot_has_its_own_command_line(start):
    first, second = start("test=circular.*"), start("test=threshold.* seed=7")
    assert first.status == second.status == Status.PASS, first.reasons + second.reasons
    assert {name.split(".")[0] for name, _ in first.log.tests()} == {"circular"}
    assert {name.split(".")[0] for name, _ in second.log.tests()} == {"threshold"}
    assert "# seed: 0x7" in second.log.lines
    assert len(list(start.snapshots.folder.glob("*.snapshot"))) == 1


def test_the_processor_may_differ_where_only_the_kernel_sees_it(start):
    found = start("test=table17_6.encodings", ",x-ds-fault=off-os-ignored")
    assert found.status == Status.FAIL


def test_the_lab_does_what_the_kernel_asks(start):
    found = start("test=machine_check.*")
    assert found.status == Status.PASS and found.counts()["skip"] == 0


def test_the_head_says_what_was_asked(start):
    lines = start("test=circular.*").log.lines
    assert any(re.fullmatch(r"# command line: test=circular.\*.*", line) for line in lines)


def test_a_line_that_is_too_long_is_refused(start):
    with pytest.raises(machine.LabError, match="characters"):
        start("test=" + "x" * len(FILLER))


def test_a_machine_that_never_enters_the_kernel_is_refused(start, tmp_path):
    """The ELF says another entry than that which the image's loader jumps to."""
    elf = tmp_path / "other.elf"
    data = bytearray(start.snapshots.elf.read_bytes())
    data[24:32] = (0x7777_0000).to_bytes(8, "little")  # e_entry
    elf.write_bytes(data)
    other = Snapshots(elf, tmp_path / "states")
    with pytest.raises(machine.LabError, match="did not stop at the kernel's entry"):
        with other.resumed(start.machine, start.machine.cpu):
            pass


@pytest.mark.parametrize("cut", [1, 5, 11, 12, 13, 300, len(FILLER) - 12, len(FILLER) - 1])
def test_a_filler_that_two_pages_share_is_found(cut):
    between = bytes(range(0xA0, 0xA0 + GAP))
    whole = FILLER.encode()
    data = b"front" + whole[:cut] + between + whole[cut:] + b"\0middle" + whole + b"\0end"
    text = "test=circular.* seed=7".ljust(len(FILLER)).encode()
    wanted = b"front" + text[:cut] + between + text[cut:] + b"\0middle" + text + b"\0end"
    assert filled(data, "test=circular.* seed=7") == wanted
