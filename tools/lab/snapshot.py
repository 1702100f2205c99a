# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots without the firmware and GRUB: a machine that was stopped at the kernel's entry goes on.

Nearly all of a short boot is firmware and loader (0.33 of 0.45 seconds). A machine is started once,
stopped at the first instruction of the kernel, and written to a file by QEMU's migration. Each boot
resumes a copy of that file with its own command line, which stands in the place of a filler. What
the Debug Store holds is not in the file: it is as RESET leaves it, for firmware uses none of it.
"""

import contextlib
import hashlib
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import child
from elftools.elf.elffile import ELFFile
from machine import COMMAND_LINE_LIMIT, LabError, check_command_line
from qmp import Monitor
from services import with_services

# As long as a command line may be; `lab=` so that nobody appends to it.
FILLER = "lab=none " + "".join(f"_{i:03}" for i in range((COMMAND_LINE_LIMIT - 200) // 4))
KNOWN_BY = 12  # characters, at either end, that are nowhere else
GAP = 8  # bytes of QEMU's between one page of memory and the next
TIME = 120.0  # seconds that firmware and loader may take, or the file; the host may be busy
PAUSE = 0.01
# How QEMU calls the state that it keeps in the file, and the one that it is to start in.
STOPPED, RUNNING = b"debug\0\0\0\0\0\0\0", b"running\0\0\0\0\0"


class Debugger:
    """Stops a machine at an address, through the debugger's door that QEMU has (-gdb)."""

    def __init__(self, path):
        self.socket = connected(path)

    def close(self):
        self.socket.close()

    def ask(self, command):
        text = command.encode()
        self.socket.sendall(b"$%s#%02x" % (text, sum(text) % 256))
        answer = b""
        while b"#" not in answer:
            chunk = self.socket.recv(4096)
            if not chunk:
                raise LabError("the emulator ended before the kernel was entered")
            answer += chunk
        self.socket.sendall(b"+")
        return answer.lstrip(b"+").lstrip(b"$").split(b"#")[0].decode()

    def run_to(self, address):
        if self.ask(f"Z1,{address:x},1") != "OK":
            raise LabError("the emulator's debugger takes no breakpoint")
        if not self.goes_on().startswith("T05"):
            raise LabError("the machine did not stop at the kernel's entry")

    def goes_on(self):
        """Why it stopped; an emulator that ends may close the line over its last word."""
        try:
            return self.ask("c")
        except (BrokenPipeError, ConnectionResetError):
            return ""


def connected(path):
    end = time.monotonic() + TIME
    while True:
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.settimeout(TIME)
        try:
            link.connect(str(path))
            return link
        except OSError as error:
            link.close()
            if time.monotonic() > end:
                raise LabError(f"the emulator does not listen: {error}") from error
            time.sleep(PAUSE)


def filled(data, text):
    """The state with the text where the filler stands, which may be cut in two between pages."""
    filler, text = FILLER.encode(), text.ljust(len(FILLER)).encode()
    data = bytearray(data)
    for place, cut in list(places(bytes(data), filler)):
        data[place : place + cut] = text[:cut]
        rest = place + cut + (GAP if cut < len(filler) else 0)
        data[rest : rest + len(filler) - cut] = text[cut:]
    return data


def places(data, filler):
    """(where it begins, how much of it comes before the gap; all of it where there is none)"""
    found = {match.start() for match in re.finditer(re.escape(filler[:KNOWN_BY]), data)}
    for match in re.finditer(re.escape(filler[-KNOWN_BY:]), data):
        found |= {match.end() - len(filler), match.end() - len(filler) - GAP}
    for place in sorted(found):
        cut = len(os.path.commonprefix([data[place : place + len(filler)], filler]))
        rest = place + cut + GAP
        if cut == len(filler) or data[rest : rest + len(filler) - cut] == filler[cut:]:
            yield place, cut


def entry_of(path):
    """The address at which the loader enters the kernel."""
    with open(path, "rb") as file:
        return ELFFile(file)["e_entry"]


def fits(command_line):
    """Is there room for it in the place of the filler?"""
    return len(with_services(command_line)) <= len(FILLER)


@dataclass
class Snapshots:
    """Machines at the kernel's entry, one for each processor; several threads may ask."""

    elf: Path
    folder: Path
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def resumed(self, machine, cpu):
        """The machine, to be booted from its snapshot. cpu: what it may be snapped as, where the
        difference does not show before the kernel runs."""
        text = with_services(machine.command_line)
        check_command_line(text)
        if not fits(machine.command_line):
            raise LabError(f"a snapshot takes {len(FILLER)} characters of command line")
        with self.lock:
            data = self.taken(replace(machine, cpu=cpu))
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".resume") as file:
            file.write(filled(data, text))
            file.flush()
            extra = [*machine.extra, "-incoming", f"file:{file.name}"]
            yield replace(machine, command_line=FILLER, extra=extra)

    def taken(self, machine):
        """The bytes of the snapshot; made when there is none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(machine)
        if not path.exists():
            with tempfile.TemporaryDirectory() as folder:
                take(replace(machine, command_line=FILLER), self.elf, path, Path(folder))
        return path.read_bytes()

    def path(self, machine):
        """It belongs to one kernel, emulator and machine."""
        digest = hashlib.sha256(repr(replace(machine, command_line=FILLER)).encode())
        for part in (machine.qemu, machine.iso):
            state = os.stat(part)
            digest.update(f"{part} {state.st_mtime_ns} {state.st_size}".encode())
        return self.folder / f"{digest.hexdigest()[:24]}.snapshot"


def take(machine, elf, path, folder):
    """Boots the machine up to the kernel's entry and writes it to path."""
    monitor_path, debugger_path = folder / "monitor", folder / "debugger"
    command = replace(machine, monitor=monitor_path).arguments("null")
    command += ["-S", "-gdb", f"unix:{debugger_path},server=on,wait=off"]
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        with contextlib.closing(Debugger(debugger_path)) as debugger:
            debugger.run_to(entry_of(elf))
            write_state(monitor_path, path, folder)
    except OSError as error:
        raise LabError(f"no snapshot of the machine: {error}") from error
    finally:
        child.end(process)


def write_state(monitor_path, path, folder):
    """By migration into a file; then as a machine that runs, not one that a debugger stopped."""
    raw = folder / "state"
    with contextlib.closing(Monitor(monitor_path, TIME)) as monitor:
        monitor.execute("migrate", uri=f"file:{raw}")
        end = time.monotonic() + TIME
        while (state := monitor.execute("query-migrate").get("status")) != "completed":
            if state == "failed" or time.monotonic() > end:
                raise LabError(f"the emulator cannot write its state: {state}")
            time.sleep(PAUSE)
    data = raw.read_bytes()
    if data.count(STOPPED) != 1 or not list(places(data, FILLER.encode())):
        raise LabError("the emulator's state is not as expected: no snapshot of this version")
    partial = path.with_suffix(".part")
    partial.write_bytes(data.replace(STOPPED, RUNNING))
    partial.replace(path)
