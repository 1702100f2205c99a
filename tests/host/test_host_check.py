# SPDX-License-Identifier: GPL-2.0-or-later
"""A hypervisor that gets instructions wrong ends the run; the same of a board is for the tests."""

import pytest
from judge import Status
from patched import patched

# Where a byte of ring 3's code lies in physical memory, which is what gdb writes to.
PLACE = "*(unsigned char *)((long)&__user_load + (long){name} + {offset} - (long)&USER_VIRTUAL)"

# In the place of SYSCALL UD2; another number added.
WRONG = {
    "host_check_syscall": (4, 0x0B, "SYSCALL from ring 3 to an entry in a page of ring 0: #UD"),
    "host_check_sled": (3, 0xE5, "instructions of ring 3 on both sides of the end of a page: no"),
    "host_check_split": (9, 1, "an instruction of ring 3 across the end of a page: no exception"),
}


@pytest.fixture
def boot_wrong(boot_machine, emulator, iso):
    """boot_wrong(name, fields of Machine): with a processor that gets that piece wrong."""

    def run(name, **fields):
        offset, byte, _ = WRONG[name]
        write = f"set var {PLACE.format(name=name, offset=offset)} = {byte}"
        mode = "maintenance packet Qqemu.PhyMemMode:"
        with patched(iso.with_suffix(".elf"), [mode + "1", write, mode + "0"]) as options:
            command_line = "test=ring3.* exit=qemu"
            return boot_machine(qemu=emulator, extra=options, command_line=command_line, **fields)

    return run


@pytest.mark.parametrize("name", WRONG)
def test_wrong_hypervisor_is_named_and_nothing_runs(boot_wrong, name):
    boot = boot_wrong(name)
    assert boot.judgement.status == Status.ERROR, boot.explain()
    why = f"the hypervisor does not do what every processor does: {WRONG[name][2]}"
    assert f"# error: {why}" in boot.text
    assert "wrong 16 of 16 times" in boot.text and "Subtest" not in boot.text


def test_board_is_not_checked(boot_wrong):
    """What is wrong there is the processor, and the tests say so; here nothing else is."""
    boot = boot_wrong("host_check_sled", variation="hypervisor=off")
    assert boot.judgement.status == Status.PASS, boot.explain()
