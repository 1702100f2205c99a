# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine stopped before its first instruction, and gdb on it, stopped at kernel_main."""

import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import child
from judge import Status
from machine import ROOT, LabError

STOP_AT = "kernel_main"
PRINTERS = ROOT / "tools/lab/gdb_printers.py"
SOCKET_WAIT = 20  # seconds


def gdb_command(elf, socket):
    """A hardware breakpoint: memory that a software one would patch is not loaded yet."""
    batch = [] if sys.stdin.isatty() else ["-batch"]
    steps = [f"target remote {socket}", f"hbreak {STOP_AT}", "continue"]
    if batch:
        steps += ["backtrace", "info registers rip rsp", "disconnect"]
    return ["gdb", "-q", *batch, "-x", str(PRINTERS), str(Path(elf).resolve())] + [
        word for step in steps for word in ("-ex", step)
    ]


def debug(machine, elf, log_path):
    """Returns the lab's exit status; the machine ends with gdb."""
    log_path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="btscheck-debug-") as folder:
        socket = Path(folder) / "gdb"
        command = machine.arguments("file,path=" + str(log_path).replace(",", ",,"))
        command += ["-S", "-gdb", f"unix:{socket},server=on,wait=off"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            await_socket(process, socket)
            gdb = gdb_command(elf, socket)
            print(f"The log goes to {log_path}. Starting: {shlex.join(gdb)}", flush=True)
            ended = subprocess.run(gdb, cwd=ROOT, check=False).returncode
            return Status.PASS if ended == 0 else Status.ERROR
        finally:
            child.end(process)


def await_socket(process, socket):
    deadline = time.monotonic() + SOCKET_WAIT
    while not socket.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise LabError("QEMU did not start; its message is above")
        time.sleep(0.05)
