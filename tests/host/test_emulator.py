# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator as a machine: small guests (guests/) see what the kernel does not look at."""

import subprocess
from dataclasses import dataclass

import machine
import pytest
from conftest import ROOT
from judge import Status
from transport import Limits, boot

GUESTS = ROOT / "tests/host/guests"
BUILD = "gcc -m32 -nostdlib -static -no-pie -Wl,--build-id=none,-z,noexecstack,-Ttext=0x101000"
BUILD += ",--section-start=.multiboot=0x100000"
ENDED = 1  # QEMU's status after a guest's exit with 0
STILL_RUNS = None  # the status of one that does not end
TIME = 60  # seconds, on a busy host


@dataclass
class Guest:
    lines: list[tuple[str, int]]  # name and number, as printed
    status: int | None
    messages: str

    @property
    def numbers(self):
        assert self.status == ENDED, self
        return dict(self.lines)


def build_guest(name, folder):
    program, source = folder / name, GUESTS / f"{name}.S"
    subprocess.run([*BUILD.split(), "-o", str(program), str(source)], check=True)
    return program


def numbers_of(text):
    lines = [line.split(":") for line in text.splitlines() if not line.startswith("#")]
    return [(name, int(number, 16)) for name, number in lines]


@pytest.fixture
def run_guest(emulator, tmp_path):
    """run_guest(name, profile): builds guests/NAME.S, boots it, reads what it says."""

    def run(name, profile="skylake", time=TIME):
        program, log = build_guest(name, tmp_path), tmp_path / "log"
        cpu = machine.find_profile(profile)["cpu"]
        command = [emulator, "-machine", "q35", "-accel", "tcg", "-m", "64", "-cpu", cpu]
        command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
        command += ["-serial", f"file:{log}", "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
        command += ["-kernel", str(program)]
        try:
            answer = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=time
            )
        except subprocess.TimeoutExpired:
            return Guest(numbers_of(log.read_text()), STILL_RUNS, "")
        return Guest(numbers_of(log.read_text()), answer.returncode, answer.stderr)

    return run


@pytest.mark.parametrize("profile", ["core2", "skylake", "icelake"])
def test_write_that_starts_a_counter_is_counted_whatever_else_counts(run_guest, profile):
    """Five instructions, and the WRMSR before them, which acts before it retires; not the last."""
    guest = run_guest("counting", profile)
    assert len(guest.lines) == 12 and set(guest.numbers.values()) == {6}, guest.lines


def test_sampling_into_two_pages_stops_core_2_for_ever(run_guest):
    stopped = run_guest("hang", "core2-45nm", time=15)
    assert (stopped.status, stopped.lines) == (STILL_RUNS, [("one_page", 1)])
    assert run_guest("hang", "core2").numbers == {"one_page": 1, "two_pages": 2}


AFTER_POWER_UP = {
    "svr": 0xFF,
    "lvt_pmc": 0x10000,
    "lvt_timer": 0x10000,
    "lvt_lint0": 0x10000,
    "tpr": 0,
    "ldr": 0,
    "dfr": 0xFFFFFFFF,
    "irr": 0,
    "icr": 0,
    "divide": 0,
    "timer_from": 0,
}


def test_apic_that_is_switched_on_again_starts_anew_and_delivers(run_guest):
    guest = run_guest("apic")
    numbers = guest.numbers
    assert [number for name, number in guest.lines if name == "cpuid"] == [0x200, 0, 0x200]
    assert numbers["base"] == 0xFEE00900
    assert {name: numbers[name] for name in AFTER_POWER_UP} == AFTER_POWER_UP
    interrupts = ("pmis_before", "pmis_off", "pmis_unprogrammed", "pmis_again", "pmis_kept")
    assert [numbers[name] for name in interrupts] == [1, 1, 1, 2, 3]
    assert (numbers["ipis"], numbers["ipis_kept"], numbers["svr_kept"]) == (1, 2, 0x1FF)


@pytest.mark.parametrize("variation", ["", "x-ds-pmi-skid=5,x-ds-pmi-late=3"])
@pytest.mark.parametrize("shift", ["auto", "0", "7"])
def test_time_by_counted_instructions(boot_machine, emulator, shift, variation):
    """-icount: time is read and interrupts are raised in each way that the model has."""
    outcome = boot_machine(
        qemu=emulator,
        variation=variation,
        command_line="test=lbr.*,pebs.*,threshold.*,freeze.*,counters.* timeout=60",
        extra=["-icount", f"shift={shift}"],
    )
    assert outcome.judgement.status == Status.PASS, outcome.explain()


@pytest.mark.parametrize("ours", [True, False], ids=["ours", "stock"])
def test_machine_check_finds_a_processor_that_is_nearly_always_in_smm(emulator, tmp_path, ours):
    program = build_guest("machine_check", tmp_path)
    asking = machine.Machine(
        qemu=emulator if ours else machine.STOCK,
        iso=program,  # a medium there must be
        processors=1,
        extra=["-kernel", str(program)],
    )
    outcome = boot(asking, tmp_path / "log", Limits(total=120, silence=60), show=lambda chunk: None)
    assert outcome.exit_code == ENDED, outcome
    ((name, smis_to_go),) = numbers_of(outcome.raw.decode())
    assert name == "smis_to_go" and smis_to_go > 0
