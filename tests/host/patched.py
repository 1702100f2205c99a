# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines that gdb changes at the kernel's entry, to pass what no loader here can."""

import subprocess
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

GDB_WAIT = 120  # seconds; firmware and loader come first


def gdb_command(elf, socket, steps):
    """A hardware breakpoint: memory that a software one would patch is not loaded yet."""
    steps = ["hbreak kernel_main", "continue", *steps, "delete", "detach"]
    command = ["gdb", "-q", "-batch", elf, "-ex", f"target remote {socket}"]
    return command + [word for step in steps for word in ("-ex", step)]


def change(elf, socket, steps, over, problems):
    """Waits for the machine's socket, which it has before it starts to run."""
    while not socket.exists() and not over.is_set():
        over.wait(0.05)
    command = gdb_command(elf, socket, steps)
    gdb = subprocess.run(command, capture_output=True, text=True, timeout=GDB_WAIT, check=False)
    problems += [gdb.stderr] if gdb.returncode or "error" in gdb.stderr else []


@contextmanager
def patched(elf, steps):
    """Gives what QEMU must be started with; each step is a command of gdb, at kernel_main."""
    over, problems = threading.Event(), []
    with tempfile.TemporaryDirectory(prefix="btscheck-patched-") as folder:
        socket = Path(folder) / "gdb"
        gdb = threading.Thread(target=change, args=(elf, socket, steps, over, problems))
        gdb.start()
        try:
            yield ["-S", "-gdb", f"unix:{socket},server=on,wait=off"]
        finally:
            over.set()
            gdb.join()
    assert not problems, problems
