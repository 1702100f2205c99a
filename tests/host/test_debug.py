# SPDX-License-Identifier: GPL-2.0-or-later
"""`make debug`: gdb stops at kernel entry, knows the symbols, and shows what is traced."""

import re
import subprocess

import pytest
from conftest import ROOT, execute, make

import debug
import machine

RECORDED = r"""
#include "arch/trace/bts.h"
#include "arch/trace/lbr.h"

#define POISON 0xa5a5a5a5a5a5a5a5ull

int from_here(void) { return 1; }
int to_there(void) { return 2; }

struct bts_record records[3] = {
    {(uint64_t)(uintptr_t)from_here + 1, (uint64_t)(uintptr_t)to_there, 0x10},
    {0xffff800000000123, 0x7fff, 0x21},
    {POISON, POISON, POISON}};
struct ds_management_area area = {.bts_buffer_base = 0x10000,
                                  .bts_index = 0x10000 + 2 * 24,
                                  .bts_absolute_maximum = 0x10000 + 16 * 24 + 1,
                                  .bts_interrupt_threshold = 0x10000 + 17 * 24,
                                  .pebs_index = 0x4321};
struct lbr_snapshot snapshot = {.top_of_stack = 1, .raw = {[1] = {0x11, 0x22, 0x33}, [4] = {0, 5}}};
struct lbr_entry entry = {.from = 0x44, .to = 0x55, .has_misprediction = true,
                          .mispredicted = true, .has_cycles = true, .cycles = 77};

int main(void) { return (int)(records[0].from + area.bts_index + snapshot.top_of_stack); }
"""


def test_debug_stops_at_kernel_entry(iso):
    answer = make("debug", "QEMU=qemu-system-x86_64", stdin=subprocess.DEVNULL)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "kernel_main () at kernel/main.c" in answer.stdout
    assert "Traceback" not in answer.stderr and "Error" not in answer.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A program of the host with the kernel's structures, filled with numbers that are known."""
    folder = tmp_path_factory.mktemp("printers")
    (folder / "a.c").write_text(RECORDED)
    command = ["gcc", "-g", "-no-pie", "-w", "-I", ROOT, "-o", folder / "a", folder / "a.c"]
    subprocess.run(command, check=True)
    return folder / "a"


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("records[0]", r"0x\w+ <from_here\+1> -> 0x\w+ <to_there>, predicted"),
        ("records[1]", "0xffff800000000123 -> 0x7fff, flags 0x21"),
        ("records[2]", "poison: nothing was stored here"),
        ("area", r"bts_index = 0x10030 = base \+ 2 records,"),
        ("area", r"bts_absolute_maximum = 0x10181 = base \+ 16 records \+ 1 bytes,"),
        ("area", r"bts_interrupt_threshold = 0x10198 = base \+ 17 records,"),
        ("area", r"pebs_index = 17185,"),
        (
            "snapshot",
            r"LBR stack, newest entry 1 = \{\[1\] = 0x11 -> 0x22, info 0x33, \[4\] = 0x0 ->",
        ),
        ("entry", "0x44 -> 0x55, mispredicted, 77 cycles"),
    ],
)
def test_structure_is_shown_in_words(recorded, expression, shown):
    command = ["gdb", "-q", "-batch", "-x", debug.PRINTERS, recorded, "-ex", f"print {expression}"]
    answer = execute(*command, check=True)
    assert answer.stderr == ""
    assert re.fullmatch(rf"\$1 = .*{shown}.*\n", answer.stdout, re.S), answer.stdout


def test_records_of_an_emulated_processor_are_listed(emulator, iso, tmp_path, monkeypatch, capfd):
    """After the first lap of circular.laps, of two records; another processor has recorded none."""
    usual = debug.gdb_command

    def command(elf, socket):
        steps = ["hbreak observe", "continue", "finish", "bts", "bts 7", "disconnect"]
        words = usual(elf, socket)[:-6]
        return words + [word for step in steps for word in ("-ex", step)]

    monkeypatch.setattr(debug, "gdb_command", command)
    booted = machine.Machine(qemu=emulator, iso=iso, command_line="test=circular.laps")
    status = debug.debug(booted, iso.parent / "btscheck.elf", tmp_path / "log")
    shown = capfd.readouterr().out
    assert status == 0, shown
    listed = re.findall(r"^ +(\d+) 0x\w+ <\S+> -> 0x\w+ <\S+>", shown, re.M)
    assert re.search(r"bts_index = 0x\w+ = base \+ 2 records,", shown), shown
    assert listed == ["0", "1"], shown


def test_profiles_are_listed():
    answer = make("profiles")
    assert answer.returncode == 0
    assert "skylake" in answer.stdout and "-cpu Skylake" in answer.stdout
