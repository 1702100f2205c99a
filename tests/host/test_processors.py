# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine of which one processor alone is faulty: the one that does not boot."""

import machine
import pytest

SOCKETS = "1,maxcpus=2,sockets=2,cores=1,threads=1"
PROFILE = "skylake"

# What no other test looks at on more than one processor, and what its failure must name.
FAULTS = {
    "off-usr-contra-btint": "T17-6.9",
    "wrap-to-second": "BTS-3",
    "lbr-wraps-early": "LBR-1",
    "btf-kept": "BTF-1",
    "ler-stale": "LER-1",
    "ctr-frz-misses-fixed": "FRZ-8",
    "pebs-ring-ignored": "PEBS-1",
}


def second_processor(fault):
    model = machine.find_profile(PROFILE)["cpu"].split(",")[0]
    place = "socket-id=1,core-id=0,thread-id=0"
    return ["-device", f"{model}-x86_64-cpu,{place}" + (f",x-ds-fault={fault}" if fault else "")]


def boot_with(boot_machine, emulator, fault):
    return boot_machine(
        qemu=emulator,
        profile=PROFILE,
        processors=SOCKETS,
        extra=second_processor(fault),
        command_line="test=processors.do_what_the_first_does",
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_of_the_other_processor_alone(boot_machine, emulator, fault):
    boot = boot_with(boot_machine, emulator, fault)
    assert boot.judgement.status == 1, boot.explain()
    broken = [line for line in boot.text.splitlines() if line.startswith("# broken claims:")]
    assert FAULTS[fault] in broken[0].split(), boot.explain()


def test_healthy_one_beside_it(boot_machine, emulator):
    boot = boot_with(boot_machine, emulator, None)
    assert boot.judgement.status == 0, boot.explain()
