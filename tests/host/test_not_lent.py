# SPDX-License-Identifier: GPL-2.0-or-later
"""What a hypervisor enumerates and does not lend is a skip that names it; of bare metal a failure.

Each facility refuses or drops every bit, alone and with others, on a processor with LBRs of the
model and on one with architectural ones. The matrix knows nothing of it: no processor is wrong.
"""

import itertools

import pytest
from judge import Status

FACILITIES = ("bts", "ds-area", "pebs", "freeze", "lbr", "btf", "ler", "counters", "pmi")
PROFILES = ("skylake", "sapphirerapids")
WAYS = ("fault", "drop")


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
