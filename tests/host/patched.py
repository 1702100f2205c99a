# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines that something changes before the kernel starts, to pass what no loader here can.

Images whose GRUB does something first, and machines that gdb changes at the kernel's entry.
"""

import shutil
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

from conftest import ROOT, execute

GDB_WAIT = 120  # seconds; firmware and loader come first
ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
GRUB_CFG = 'cp "$here/grub.cfg" "$tree/boot/grub/grub.cfg"\n'


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
    gdb = execute(*command, timeout=GDB_WAIT)
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


def replace(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, f"{path} has not one '{old}'"
    path.write_text(text.replace(old, new))


def build_image(kernel, folder, modules=(), commands=(), files=None):
    """
    The path of one whose GRUB has these modules too and executes the commands first. files: name ->
    bytes, which lie in /boot.
    """
    copy, files = folder / "iso", files or {}
    shutil.copytree(ROOT / "iso", copy)
    replace(copy / "loader", "modules=(", "modules=(" + "".join(f"{name} " for name in modules))
    replace(copy / "grub.cfg", "set default=0\n", "\n".join([*commands, "set default=0\n"]))
    for name, content in files.items():
        (copy / name).write_bytes(content)
        replace(copy / "build", GRUB_CFG, GRUB_CFG + f'cp "$here/{name}" "$tree/boot/{name}"\n')
    subprocess.run([copy / "build", kernel, folder / "image.iso"], env=ENVIRONMENT, check=True)
    return folder / "image.iso"
