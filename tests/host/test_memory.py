# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole machines with odd memory: little of it, reserved parts, tables and screens far up."""

import re
import struct

import pytest
from judge import Status
from patched import build_image, patched
from test_madt import IOAPIC, TIMER_TO_PIN_2, madt, processor, x2apic

OTHER = "test=processors.traces_are_its_own,probe.*"
GIB = 1 << 30
TABLES = 4 * GIB + 0x1234560  # not even on a page boundary


@pytest.fixture
def boot_cut(boot_machine, emulator, iso, tmp_path):
    """boot_cut([GRUB command, …], fields of Machine)"""

    def run(commands, **fields):
        image = build_image(iso.with_suffix(".elf"), tmp_path, ["mmap"], commands)
        return boot_machine(qemu=emulator, iso=image, **{"command_line": OTHER, **fields})

    return run


def start_of_others(boot):
    assert boot.judgement.status == Status.PASS, boot.explain()
    told = boot.judgement.log.header()["starting for a trial"]
    return int(re.fullmatch(r"APIC id.*, at (0x\w+)", told)[1], 16)


@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_other_processors_start_where_nothing_else_is(boot_machine, emulator, firmware):
    boot = boot_machine(qemu=emulator, firmware=firmware, command_line=OTHER)
    assert 0x10000 <= start_of_others(boot) <= 0x9B000


def test_reserved_memory_is_not_used(boot_cut):
    commands = ["cutmem 0x0 0x13000", "cutmem 0x16000 0x20000", "cutmem 0x24fff 0x7a001"]
    assert start_of_others(boot_cut(commands)) == 0x7B000


def test_no_low_memory_is_named(boot_cut):
    boot = boot_cut(["cutmem 0x10000 0xa0000"])
    assert boot.judgement.status == Status.PASS, boot.explain()
    why = "no memory below 1 MiB is free to start it from"
    assert boot.judgement.log.header()["other processors"] == why
    assert f"SKIP needs a second processor: {why}" in boot.text


def test_kernel_in_reserved_memory_runs_nothing(boot_cut):
    boot = boot_cut(["cutmem 0x1900000 0x1901000"])
    assert boot.judgement.status == Status.ERROR, boot.explain()
    why = "the kernel lies at 0x1800000 to 0x[0-9a-f]+, where the loader's memory map has no free"
    assert re.search(f"# error: {why} memory\n", boot.text), boot.explain()


def test_map_of_hundreds_of_ranges(boot_cut):
    start, end = 64 << 20, 255 << 20
    commands = [f"cutmem {at:#x} {at + 0x1000:#x}" for at in range(start, end, 0x80000)]
    boot = boot_cut(commands)
    assert start_of_others(boot) == 0x10000
    assert int(boot.judgement.log.header()["memory"].split()[0]) in (253, 254)
    assert "# memory map:" not in boot.text


@pytest.mark.parametrize("own_options", [False, True], ids=["from_host", "at_the_menu"])
@pytest.mark.parametrize(("firmware", "memory"), [("bios", 24), ("uefi", 64)])
def test_machine_without_the_memory_is_told_so(
    boot_machine, emulator, firmware, memory, own_options
):
    """GRUB says it on COM1, where UEFI firmware sends its console, too: no time-out is needed."""
    boot = boot_machine(
        qemu=emulator,
        firmware=firmware,
        memory=memory,
        own_options=own_options,
        command_line="" if own_options else "test=probe.*",
    )
    assert boot.judgement.status == Status.ERROR, boot.explain()
    reason = "btscheck cannot be loaded: it needs 48 MiB of memory, from 24 MiB on"
    assert boot.judgement.reasons == [reason] and not boot.outcome.timed_out
    assert b"ERROR#" not in boot.outcome.raw


def test_48_mib_are_enough(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, memory=48, command_line=OTHER)
    assert boot.judgement.status == Status.PASS, boot.explain()


# --- what lies above 4 GiB ---


def acpi_table(signature, body):
    table = bytearray(signature + struct.pack("<I", 36 + len(body)) + b"\1\0BTSCHKTESTTEST")
    table = bytearray(bytes(table).ljust(36, b"\0") + body)
    table[9] = -sum(table) % 256
    return bytes(table)


def rsdp(xsdt):
    first = bytearray(b"RSD PTR \0BTSCHK\2" + bytes(4))
    first[8] = -sum(first) % 256
    whole = bytearray(first + struct.pack("<IQ", 36, xsdt) + bytes(4))
    whole[32] = -sum(whole) % 256
    return bytes(whole)


@pytest.fixture
def boot_patched(boot_machine, emulator, iso):
    """boot_patched([step of gdb, …], fields of Machine)"""

    def run(steps, **fields):
        with patched(iso.with_suffix(".elf"), steps) as options:
            return boot_machine(qemu=emulator, extra=options, **fields)

    return run


def far_tables(folder, listed):
    """An XSDT above 4 GiB, and behind it a MADT: what gdb does to have them there."""
    table = madt(*listed, IOAPIC, TIMER_TO_PIN_2)
    lists = acpi_table(b"XSDT", struct.pack("<QQQ", 0, (1 << 52) - 64, TABLES + 0x2000))
    (folder / "tables").write_bytes(lists.ljust(0x2000, b"\0") + table)
    (folder / "rsdp").write_bytes(rsdp(TABLES))
    return [
        "maintenance packet Qqemu.PhyMemMode:1",
        f"restore {folder / 'tables'} binary {TABLES:#x}",
        "maintenance packet Qqemu.PhyMemMode:0",
        f"restore {folder / 'rsdp'} binary (long)&boot_info.rsdp",
        "set var boot_info.rsdp_length = 36",
    ]


def test_acpi_tables_above_4_gib_are_read(boot_patched, tmp_path):
    """Beside addresses that no table can have; 2 and 3 are told apart from what firmware listed."""
    steps = far_tables(tmp_path, [processor(0), x2apic(2), processor(1)])
    boot = boot_patched(steps, memory=5 * 1024, processors=4, command_line=OTHER)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert boot.judgement.log.header()["processors"] == "3"


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (TABLES + 0x2000, "the RSDP points at no RSDT or XSDT"),  # another table is there
        (6 * GIB, "the RSDP points at no RSDT or XSDT"),  # nothing is
        ((1 << 63) + 16, "the RSDP points at no RSDT or XSDT"),  # no address
    ],
)
def test_acpi_tables_that_are_not_there_are_named(boot_patched, tmp_path, where, why):
    steps = far_tables(tmp_path, [processor(0), processor(1)])
    (tmp_path / "rsdp").write_bytes(rsdp(where))
    boot = boot_patched(steps, memory=5 * 1024, command_line=OTHER)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert boot.judgement.log.header()["other processors"] == f"ACPI: {why}"


def framebuffer_at(where):
    values = {"type": 1, "pitch": 4096, "width": 1024, "height": 768, "bits_per_pixel": 32}
    values |= {"physical": where, "red_shift": 16, "green_shift": 8, "blue_shift": 0}
    return [f"set var boot_info.framebuffer.{name} = {n}" for name, n in values.items()]


@pytest.mark.parametrize(("where", "is_there"), [(0x700000000, True), (1 << 60, False)])
def test_framebuffer_above_4_gib(boot_patched, where, is_there):
    """Nothing is there but an address: it is mapped, and written to. The other is none."""
    words = "test=probe.* console=serial,screen"
    boot = boot_patched(framebuffer_at(where), firmware="uefi", command_line=words)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert ("console without screen" in boot.judgement.log.header()) != is_there


def test_map_that_has_no_room_is_told(boot_patched):
    """With part of a map nothing is known of the kernel's own place."""
    steps = ["set var boot_info.memory_truncated = 1", "set var boot_info.memory_count = 1"]
    boot = boot_patched(steps, command_line=OTHER)
    assert start_of_others(boot) == 0x10000
    assert boot.judgement.log.header()["memory map"].startswith("more than 1024 ranges")
