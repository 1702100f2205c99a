# SPDX-License-Identifier: GPL-2.0-or-later
"""What a kernel writes besides memory: MSRs, registers of the local APIC, ports, as QEMU sees it.

The machine is stopped at the kernel's entry, so that firmware and loader are not in it. From there
on the registers are logged ahead of each WRMSR and OUT of the kernel's image, each instruction
being translated by itself: that sees everything and takes minutes for a whole run. Quick, only the
two functions that write MSRs are looked at. What the local APIC is written is an event of QEMU's.
"""

import contextlib
import os
import re
import subprocess
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from machine import LabError
from qmp import Monitor
from snapshot import TIME, Debugger, entry_of

INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(?:(wrmsr)|outs?[bwl]?\s+%\S+?,(\S+))\s*$", re.M)
PLACE = re.compile(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")
REGISTER = re.compile(r"\b(R[ACDS][XI]|RDI)=([0-9a-f]{16})")
REGISTERS = 5  # so many of those are there
APIC = re.compile(r"apic_register_write .*?0x([0-9a-f]+)")
LOW = 0xFFFFFFFF
BOOT = range(0x1800000, 0x1900000)  # boot/, at addresses that tests use for others things later
FUNCTIONS = ("wrmsr", "wrmsr_safe")  # number in EDI, value in RSI


@dataclass
class Trace:
    msrs: Counter = field(default_factory=Counter)  # number -> writes
    apic: Counter = field(default_factory=Counter)  # offset as in xAPIC mode -> writes
    ports: Counter = field(default_factory=Counter)  # port -> writes
    exit_code: int | None = None

    def add(self, what, registers):
        """One instruction. what: "wrmsr", or the port of an OUT, "(%dx)" or "$0x80"; "call" of one
        of the functions."""
        if what in ("wrmsr", "call"):
            self.msrs[registers["RCX" if what == "wrmsr" else "RDI"] & LOW] += 1
        else:
            dx = registers["RDX"] & 0xFFFF
            self.ports[dx if "dx" in what else int(what.lstrip("$"), 16)] += 1


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def instructions_of(elf):
    """Address -> what, as Trace.add() has it, of every WRMSR and OUT of the kernel."""
    listing = output_of("objdump", "--disassemble", "--no-show-raw-insn", str(elf))
    found = (
        (int(address, 16), wrmsr or port) for address, wrmsr, port in INSTRUCTION.findall(listing)
    )
    return {address: what for address, what in found if address not in BOOT}


def functions_of(elf):
    symbols = (line.split() for line in output_of("nm", str(elf)).splitlines())
    return {int(address, 16): "call" for address, _, name in symbols if name in FUNCTIONS}


def read_log(lines, places, trace):
    registers = {}
    for line in lines:
        if match := PLACE.match(line):
            place, registers = int(match[1], 16), {}
        elif match := APIC.match(line):
            trace.apic[int(match[1], 16) << 4] += 1
        elif len(registers) < REGISTERS:
            registers |= {name: int(value, 16) for name, value in REGISTER.findall(line)}
            if len(registers) == REGISTERS:
                trace.add(places[place], registers)


def traced(machine, elf, folder, quick=False, seconds=280):
    """Boots the machine, and returns what its kernel wrote."""
    folder = Path(folder)
    log, monitor, debugger = folder / "log", folder / "monitor", folder / "debugger"
    os.mkfifo(log)
    command = replace(machine, monitor=monitor).arguments(f"file,path={folder}/com1")
    places = functions_of(elf) if quick else instructions_of(elf)
    ranges = ",".join(f"0x{address:x}+0x1" for address in places)
    command += ["-S", "-gdb", f"unix:{debugger},server=on,wait=off", "-dfilter", ranges]
    trace = Trace()
    reader = threading.Thread(target=lambda: read_from(log, places, trace), daemon=True)
    reader.start()
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *command, "-D", str(log)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        start_tracing(debugger, monitor, elf, quick)
        trace.exit_code = process.wait(seconds)
    finally:
        process.kill()
        process.wait()
    reader.join(seconds)
    return trace


def read_from(log, places, trace):
    with open(log, encoding="ascii", errors="replace") as lines:
        read_log(lines, places, trace)


def start_tracing(debugger_path, monitor_path, elf, quick):
    """At the kernel's entry, and lets it go on."""
    with contextlib.closing(Debugger(debugger_path)) as debugger:
        debugger.run_to(entry_of(elf))
        with contextlib.closing(Monitor(monitor_path, TIME)) as monitor:
            for line in (
                *([] if quick else ["one-insn-per-tb on"]),
                "log exec,cpu,nochain",
                "trace-event apic_register_write on",
            ):
                monitor.human(line)
        if debugger.ask(f"z1,{entry_of(elf):x},1") != "OK" or debugger.ask("D") != "OK":
            raise LabError("the emulator's debugger does not let the machine go on")


@contextlib.contextmanager
def short_folder():
    """The path of a unix socket must be short."""
    with tempfile.TemporaryDirectory(prefix="traced") as folder:
        yield folder
