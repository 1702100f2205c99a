# SPDX-License-Identifier: GPL-2.0-or-later
"""One step of a client, bounded in time: a command of a build, or the boot of its kernel.

Stopped says why there is no next step.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools/lab"))

from machine import LabError, find_profile  # noqa: E402

EMULATOR = ROOT / "build/emulator/qemu-system-x86_64"
# No BIOS device, no network, no default anything: what the client sees is what is listed here.
MACHINE = "-accel tcg -nodefaults -display none -no-reboot -serial stdio".split()
SECONDS = 300  # for a command
SHOWN, LAST_WORDS = 2000, 600  # characters of the end of a command's output, of a guest's
PASSED, DIFFERENT, BAD_INPUT, NO_EMULATOR, HUNG, SKIPPED, NO_PACKAGE = range(7)


class Stopped(Exception):
    """The clients cannot be judged; the text says why and what to do next, `status` how to exit."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def run(*command, status, cwd=None, seconds=SECONDS):
    """Its output; Stopped with `status` and the end of the output where it fails or hangs."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, cwd=cwd, timeout=seconds, capture_output=True, text=True, errors="replace"
        )
    except subprocess.TimeoutExpired as error:
        raise Stopped(status, f"{' '.join(words)}: no end in {seconds} s") from error
    except OSError as error:
        raise Stopped(status, f"{words[0]}: {error.strerror}") from error
    if done.returncode:
        said = (done.stdout + done.stderr)[-SHOWN:]
        raise Stopped(status, f"{' '.join(words)}: status {done.returncode}:\n{said}")
    return done.stdout


@dataclass
class Ended:
    """What is left of a boot: all that came over the serial line, and QEMU's exit status."""

    log: str
    status: int


def processor(profile):
    """The -cpu string of a profile; Stopped where there is none of the name."""
    try:
        return find_profile(profile)["cpu"]
    except LabError as error:
        raise Stopped(BAD_INPUT, str(error)) from error


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
        end = (error.stdout or b"").decode(errors="replace")[-LAST_WORDS:]
        text = f"no end in {seconds} s; more time: CLIENTS='--seconds N'. It said last:\n{end}"
        raise Stopped(HUNG, text) from error
    log = done.stdout.decode(errors="replace")
    if not log:
        said = done.stderr.decode(errors="replace")[-LAST_WORDS:]
        raise Stopped(NO_EMULATOR, f"QEMU ended with {done.returncode}: {said}")
    return Ended(log, done.returncode)
