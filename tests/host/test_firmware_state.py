# SPDX-License-Identifier: GPL-2.0-or-later
"""
The kernel, started by a loader that leaves the processor in a state that no loader should: what is
in `guests/dirty_entry.S` is linked in front of its entry. It trusts nothing: the tests say what
they say of a processor that is in order.
"""

import subprocess

import pytest
from conftest import ROOT, execute
from patched import build_image
from judge import Status

SOURCES = (
    *("boot/*.[cS]", "arch/**/*.[cS]", "kernel/**/*.[cS]"),
    *("tests/*/*.[cS]", "tests/suites/*/*.[cS]"),
)
LINK = "ld -nostdlib -static -z noexecstack -z max-page-size=4096 --build-id=none -T linker.ld"
HAS = "la57,+pku,+pks,+smap,+smep,+umip,+fsgsbase"  # what there is to leave on

TESTS = "test=probe.*,ring3.*,witness.*,branch_step.*,transfers.*,processors.traces_are_its_own"
REGISTERS = "selftest.registers_are_as_the_kernel_sets_them"
LEFT = "IA32_PAT IA32_SYSENTER_CS IA32_SYSENTER_ESP IA32_SYSENTER_EIP IA32_CSTAR"
LEFT += " IA32_KERNEL_GS_BASE"


@pytest.fixture(scope="module")
def dirty(iso, tmp_path_factory):
    """The image, but for its entry the same kernel, at the same addresses."""
    folder = tmp_path_factory.mktemp("dirty")
    built = iso.parent
    source, kernel = ROOT / "tests/host/guests/dirty_entry.S", folder / "dirty.elf"
    subprocess.run(["gcc", "-c", "-m64", "-o", folder / "entry.o", source], check=True)
    names = sorted(str(path.relative_to(ROOT)) for each in SOURCES for path in ROOT.glob(each))
    objects = [built / "obj" / f"{name}.o" for name in names]
    objects += [built / "symbols4.o", folder / "entry.o"]
    (folder / "objects").write_text("\n".join(map(str, objects)))
    command = [*LINK.split(), "-e", "dirty_entry", "-o", kernel, f"@{folder / 'objects'}"]
    linked = execute(*command, cwd=ROOT)
    assert linked.returncode == 0, linked.stderr
    assert symbol(kernel, "kernel_main") == symbol(built / "btscheck.elf", "kernel_main")
    return build_image(kernel, folder)


def symbol(elf, name):
    answer = execute("nm", elf, check=True)
    return next(line.split()[0] for line in answer.stdout.splitlines() if line.endswith(f" {name}"))


def outcomes(boot):
    return {path: (leaf.outcome, leaf.reason) for path, leaf in boot.judgement.log.leaves()}


def test_tests_say_the_same_whatever_was_left_on(boot_machine, emulator, iso, dirty):
    fields = {"qemu": emulator, "variation": "+" + HAS, "command_line": f"{TESTS},{REGISTERS}"}
    clean, left = boot_machine(iso=iso, **fields), boot_machine(iso=dirty, **fields)
    assert clean.judgement.status == Status.PASS, clean.explain()
    assert left.judgement.status == Status.PASS, left.explain()
    assert outcomes(left) == outcomes(clean)


def test_what_was_left_is_told(boot_machine, emulator, dirty):
    fields = {"qemu": emulator, "variation": "+" + HAS, "command_line": f"test={REGISTERS}"}
    boot = boot_machine(iso=dirty, processors=3, **fields)
    assert boot.judgement.status == Status.PASS, boot.explain()
    head = boot.judgement.log.header()
    entered = dict(part.split(" = ") for part in head["entered with"].split(", "))
    assert head["memory type"].startswith("0 by the MTRRs at 0x1800000, where the kernel lies")
    assert int(entered["CR4"], 16) & (1 << 12 | 1 << 22), "5-level paging and keys were on"
    key = "# found and put right: "
    told = [line[len(key) :] for line in boot.text.splitlines() if line.startswith(key)]
    assert told[0].startswith("IA32_MISC_ENABLE[22] (CPUID leaves hidden), the register was 0x4")
    assert {line.split(",")[0] for line in told[1:]} == set(LEFT.split())
    key = "# left alone, since the firmware has it raise SMIs: "
    told = [line[len(key) :] for line in boot.text.splitlines() if line.startswith(key)]
    assert told == ["local APIC entry 0x330 = 0x200", "I/O APIC pin 0x14 = 0x10200"]


def test_nothing_is_told_of_a_machine_in_order(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, command_line=f"test={REGISTERS}")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert "put right" not in boot.text and "left alone" not in boot.text
    assert "# memory type" not in boot.text
