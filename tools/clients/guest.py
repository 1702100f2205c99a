# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots a client's kernel in the emulator, bounded in time, and brings its log back."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from clients.steps import run
from clients.stopped import BAD_INPUT, HUNG, NO_EMULATOR, Stopped

ROOT = Path(__file__).resolve().parents[2]
EMULATOR = ROOT / "build/emulator/qemu-system-x86_64"
# No BIOS device, no network, no default anything: what the client sees is what is listed here.
MACHINE = "-accel tcg -nodefaults -display none -no-reboot -serial stdio".split()
SHOWN = 600


@dataclass
class Ended:
    """What is left of a boot: all that came over the serial line, and QEMU's exit status."""

    log: str
    status: int


def processor(profile):
    """The -cpu string of a profile; Stopped where there is none of the name."""
    return run(ROOT / "tools/emulator/profiles", "--cpu", profile, status=BAD_INPUT).strip()


def boot(emulator, cpu, arguments, seconds):
    """The end of one boot; Stopped where QEMU does not start, or the guest does not end in time."""
    command = [str(emulator), *MACHINE, "-cpu", cpu, *map(str, arguments)]
    try:
        done = subprocess.run(
            command, timeout=seconds, stdin=subprocess.DEVNULL, capture_output=True
        )
    except OSError as error:
        raise Stopped(NO_EMULATOR, f"{emulator}: {error.strerror}; run make emulator") from error
    except subprocess.TimeoutExpired as error:
        end = (error.stdout or b"").decode(errors="replace")[-SHOWN:]
        text = f"no end in {seconds} s; more time: CLIENTS='--seconds N'. It said last:\n{end}"
        raise Stopped(HUNG, text) from error
    log = done.stdout.decode(errors="replace")
    if not log:
        said = done.stderr.decode(errors="replace")[-SHOWN:]
        raise Stopped(NO_EMULATOR, f"QEMU ended with {done.returncode}: {said}")
    return Ended(log, done.returncode)
