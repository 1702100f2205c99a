# SPDX-License-Identifier: GPL-2.0-or-later
"""The small guests of guests/: how one is built and booted, and what it says."""

import subprocess
from dataclasses import dataclass

import machine
from conftest import ROOT

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


def boot_guest(program, log, emulator, profile, more, options, time=TIME):
    """Boots it until it ends, or the time (seconds) is up. more: added to the processor's
    properties; options: QEMU's."""
    cpu = machine.find_profile(profile)["cpu"] + more
    command = [emulator, "-machine", "q35", "-accel", "tcg", "-m", "64", "-cpu", cpu]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    command += ["-serial", f"file:{log}", "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    command += ["-kernel", str(program), *options]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=time)
        status, messages = answer.returncode, answer.stderr
    except subprocess.TimeoutExpired:
        status, messages = STILL_RUNS, ""
    text = log.read_text() if log.exists() else ""
    return Guest(numbers_of(text), status, messages)
