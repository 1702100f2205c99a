# SPDX-License-Identifier: GPL-2.0-or-later
"""What a hypervisor enumerates and does not lend is a skip that names it, and one that gets
instructions wrong ends the run. The same of bare metal is for the tests.

Each facility refuses or drops every bit, alone and with others, on a processor with LBRs of the
model and on one with architectural ones. The matrix knows nothing of it: no processor is wrong.
"""

import itertools

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
FACILITIES = ("bts", "ds-area", "pebs", "freeze", "lbr", "btf", "ler", "counters", "pmi")
PROFILES = ("skylake", "sapphirerapids")
WAYS = ("fault", "drop")


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


def shared_out():
    """Each facility in each way, the profiles by turns."""
    profiles = itertools.cycle(PROFILES)
    for way in WAYS:
        for facility in FACILITIES:
            yield facility, way, next(profiles)


def boot_without(boot_machine, emulator, profile, facility, way, under):
    variation = f"{under},x-ds-not-lent={facility},x-ds-not-lent-way={way}"
    return boot_machine(qemu=emulator, profile=profile, variation=variation)


@pytest.mark.parametrize(("facility", "way", "profile"), shared_out())
def test_what_is_not_lent_is_skipped(boot_machine, emulator, facility, way, profile):
    under = "x-ds-hypervisor=VMwareVMware"
    boot = boot_without(boot_machine, emulator, profile, facility, way, under)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert "not lent by this hypervisor (VMwareVMware)" in boot.text


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lent(boot_machine, emulator, way):
    under = "x-ds-hypervisor=VMwareVMware"
    boot = boot_without(boot_machine, emulator, "skylake", "+".join(FACILITIES), way, under)
    assert boot.judgement.status == Status.SKIP, boot.explain()


def test_a_hypervisor_without_a_signature_is_one(boot_machine, emulator):
    boot = boot_without(boot_machine, emulator, "skylake", "bts", "drop", "tcg-cpuid=off")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert "not lent by this hypervisor (no name)" in boot.text


@pytest.mark.parametrize("facility", ["bts", "lbr", "counters"])
def test_bare_metal_that_drops_a_facility_fails(boot_machine, emulator, facility):
    boot = boot_without(boot_machine, emulator, "skylake", facility, "drop", "hypervisor=off")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "not lent" not in boot.text
