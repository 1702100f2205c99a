# SPDX-License-Identifier: GPL-2.0-or-later
"""Counters, USB controllers and transactions that others use: the log says so."""

import pytest
from judge import Status

SMIS = "x-ds-smi-rate=200,x-ds-smi-length=50"
CONTROLLERS = ["-device", "piix3-usb-uhci,addr=5", "-device", "ich9-usb-ehci1,addr=6"]


@pytest.mark.parametrize("number, skipped", [(0, True), (1, False), (3, False)])
def test_counter_of_others_is_named(boot_machine, emulator, number, skipped):
    boot = boot_machine(
        qemu=emulator,
        variation=f"x-ds-taken-counter=pmc{number}",
        command_line="test=probe,counters.count_branches",
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert f"# others use counters, which are left alone: pmc{number} " in boot.text
    named = "count_branches # SKIP others use counters: pmc0 (IA32_PERFEVTSEL0 is cleared"
    assert (named in boot.text) == skipped


def test_no_counter_is_taken_for_that_of_others(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, command_line="test=probe.selects*")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert "others use" not in boot.text
    assert "# trait: taken-counter=no [pmc0] [pmc1] [pmc2] [pmc3]" in boot.text


@pytest.mark.parametrize("variation", [SMIS, ""])
def test_usb_is_taken_where_the_firmware_raises_smis(boot_machine, emulator, variation):
    boot = boot_machine(
        qemu=emulator,
        variation=variation,
        extra=CONTROLLERS,
        command_line="test=probe.selects*",
    )
    told = "# usb: taken from the firmware, which raises SMIs: EHCI 00:06.0, UHCI 00:05.0"
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert (told in boot.text) == (variation == SMIS)


OFF = "counters.interrupts_come_again_after_the_apic_was_off"


@pytest.mark.parametrize(
    ("variation", "option", "skips"),
    [
        (f"{SMIS},hypervisor=off", "smi=auto", True),
        (f"{SMIS},hypervisor=off", "smi=allow", False),
        ("hypervisor=off", "smi=auto", False),
        (SMIS, "smi=auto", False),
    ],
)
def test_apic_stays_on_where_the_firmware_raises_smis(
    boot_machine, emulator, variation, option, skips
):
    boot = boot_machine(
        qemu=emulator,
        variation=variation,
        command_line=f"exit=qemu {option} test=counters.apic_base*,{OFF}",
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    reason = dict(boot.judgement.log.leaves())[OFF].reason
    assert reason.startswith("the firmware raises SMIs by itself") == skips, reason


@pytest.mark.parametrize("profile, abort", [("skylake-server", True), ("skylake", False)])
def test_transactions_abort_where_microcode_needs_a_counter(boot_machine, emulator, profile, abort):
    boot = boot_machine(qemu=emulator, profile=profile, command_line="test=counters.count_branches")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert ("# transactions: all abort until the end" in boot.text) == abort


@pytest.mark.parametrize("profile, found", [("core2", True), ("skylake", False)])
def test_gaps_of_the_tsc_tell_of_smis_that_nothing_counts(boot_machine, emulator, profile, found):
    """A test that always fails: it stays one, and the log says what may have come amid it."""
    boot = boot_machine(
        qemu=emulator,
        profile=profile,
        variation=f"{SMIS},hypervisor=off",
        command_line="exit=qemu test=selftest.deliberate_failure",
    )
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert ("no register counts them, and the processor stood still" in boot.text) == found
