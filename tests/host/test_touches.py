# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/touches.md says to the register what a run writes: held to the sources and to runs."""

import re

import pytest
from conftest import ROOT
from machine import Machine
from traced import short_folder, traced

PAGE = (ROOT / "docs/touches.md").read_text()
ROW = re.compile(r"^\| ((?:MSRs|ports)[^|]*) \| ([^|]*) \|", re.M)
NUMBER = re.compile(r"\b([0-9A-F]+)H(?:-([0-9A-F]+)H)?")
CONSTANT = re.compile(r"^#define (?:(?:IA32|MSR|LBR_STACK)_\w+|TOS\w*)\s+0x([0-9a-f]+)", re.M)
LER = re.compile(r"\.ler_(?:from|to) = 0x([0-9a-f]+)")
SOURCES = ("arch/cpu/ground/msr.h", "arch/trace/lbr_format.h", "arch/trace/lbr_format.c")
READ_ONLY = "MSRs that are read only"


def ranges_of(text):
    return [range(int(a, 16), int(b or a, 16) + 1) for a, b in NUMBER.findall(text)]


def numbers_of(begin, *without):
    """Every number of the rows whose first column begins so."""
    rows = {name: text for name, text in ROW.findall(PAGE) if name.startswith(begin)}
    assert rows and set(without) <= set(rows), rows
    ranges = [each for name in rows if name not in without for each in ranges_of(rows[name])]
    return {number for each in ranges for number in each}


def in_words(numbers):
    return " ".join(f"{number:X}H" for number in sorted(numbers))


def test_rows_are_read():
    assert ranges_of("`A` 1D9H, C1H-C3H (2H)") == [
        range(0x1D9, 0x1DA),
        range(0xC1, 0xC4),
        range(2, 3),
    ]
    assert {0x1D9, 0x600, 0x69F, 0xC0000082} <= numbers_of("MSRs")
    assert {0x3F8, 0x70, 0xF4} <= numbers_of("ports")


@pytest.mark.parametrize("source", SOURCES)
def test_every_register_that_the_kernel_knows_is_there(source):
    text = (ROOT / source).read_text()
    known = {int(number, 16) for number in CONSTANT.findall(text) + LER.findall(text)}
    assert known, source
    left_out = known - numbers_of("MSRs")
    assert not left_out, f"{source}: docs/touches.md lacks {in_words(left_out)}"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("profile", ["skylake", "core2", "icelake", "lunarlake", "pantherlake"])
def test_a_whole_run_writes_to_no_other_register(iso, emulator, profile):
    machine = Machine(qemu=emulator, iso=iso, profile=profile, command_line="lab=none")
    with short_folder() as folder:
        trace = traced(machine, iso.with_suffix(".elf"), folder, quick=True)
    assert trace.exit_code is not None and trace.exit_code & 1, "it did not come to its end"
    written = set(trace.msrs)
    assert {0x1D9, 0x600} <= written and (0x3F1 in written) == (profile != "pantherlake")
    others = written - numbers_of("MSRs", READ_ONLY)
    assert not others, f"docs/touches.md lacks {in_words(others)}"
    machine_checks = set(range(0x17A, 0x17C)) | set(range(0x400, 0x480))
    assert not written & machine_checks, "without lab= nobody injects a machine check"


def test_counters_of_another_vendor_are_left_alone(iso, emulator):
    """CPUID.0AH tells version 4 there; its event codes are Intel's alone."""
    machine = Machine(
        qemu=emulator, iso=iso, profile="no-ds", variation="vendor=CentaurHauls", command_line=""
    )
    with short_folder() as folder:
        trace = traced(machine, iso.with_suffix(".elf"), folder, quick=True)
    assert trace.exit_code is not None and trace.exit_code & 1, "it did not come to its end"
    counters = {*range(0xC1, 0xC9), *range(0x186, 0x18E), *range(0x309, 0x30D), 0x38D, 0x38F, 0x390}
    assert counters <= numbers_of("MSRs") and not counters & set(trace.msrs), in_words(trace.msrs)


@pytest.mark.timeout(600)
def test_ports_and_registers_of_some_tests(iso, emulator):
    """Each WRMSR and OUT of the image, assembly's too."""
    names = "probe,smm.freeze_on_pmi_bits_stay,processors.registers_are_its_own,isr,witness.ends*"
    machine = Machine(qemu=emulator, iso=iso, command_line=f"lab=none test={names}")
    with short_folder() as folder:
        trace = traced(machine, iso.with_suffix(".elf"), folder)
    assert set(trace.msrs) <= numbers_of("MSRs", READ_ONLY), in_words(trace.msrs)
    assert set(trace.ports) <= numbers_of("ports"), in_words(trace.ports)
    assert {0x3F8, 0xB2, 0x70, 0xF4} <= set(trace.ports)
