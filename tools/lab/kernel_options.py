# SPDX-License-Identifier: GPL-2.0-or-later
"""Would the kernel understand these options? Its own parser says so, compiled for this host."""

import contextlib
import subprocess
import tempfile
from pathlib import Path

from errors import LabError
from machine import ROOT, check_command_line
from nearest import meant_by
from places import BUILD

PROGRAM = BUILD / "check-options"
SOURCES = (
    "tools/lab/check_options.c",
    *(
        "kernel/options.c",
        "kernel/console/console_option.c",
        "arch/lib/words.c",
        "kernel/console/lab.c",
    ),
    "arch/lib/printf.c",
)
HEADERS = ("kernel/**/*.h", "arch/lib/*.h", "arch/cpu/**/*.h")
COMPILER = ["gcc", "-std=gnu11", "-O1", "-I."]
COMPILE_TIME, TIME = 120, 10  # seconds


def check_options(text):
    """LabError, in the kernel's own words, where it would refuse them."""
    check_command_line(text)
    with parser() as program:
        answer = run([program, text], TIME)
    if answer.returncode == 1:
        told = answer.stdout.strip()
        raise LabError(f"the kernel would refuse that: {told}{meant_by(told)}")
    if answer.returncode != 0:
        raise LabError(
            f"the kernel's parser ended with status {answer.returncode}: {answer.stderr[:200]}"
        )


def is_current():
    """Is the program there, and younger than all that it is made of?"""
    files = [path for pattern in (*SOURCES, *HEADERS) for path in ROOT.glob(pattern)]
    newest = max((path.stat().st_mtime for path in files), default=0)
    return PROGRAM.exists() and PROGRAM.stat().st_mtime > newest


@contextlib.contextmanager
def parser():
    """The program; compiled where it must be, for later ones too where the tree can be written."""
    if is_current():
        yield str(PROGRAM)
        return
    with workplace() as folder:
        program = Path(folder) / "program"
        compile_parser(program)
        if program.parent.parent == PROGRAM.parent:
            program = program.replace(PROGRAM)
        yield str(program)


def workplace():
    """A folder that goes again."""
    try:
        PROGRAM.parent.mkdir(exist_ok=True)
        return tempfile.TemporaryDirectory(dir=PROGRAM.parent)
    except OSError:
        return tempfile.TemporaryDirectory()


def compile_parser(program):
    answer = run([*COMPILER, "-o", str(program), *SOURCES], COMPILE_TIME)
    if answer.returncode != 0:
        raise LabError(
            "the options cannot be checked, the kernel's parser does not compile here: "
            + answer.stderr.strip()[:300]
        )


def run(command, seconds):
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=seconds, cwd=ROOT
        )
    except OSError as error:
        reason = f"{command[0]} cannot be started: {error.strerror}"
        raise LabError(f"the options cannot be checked: {reason}") from error
    except subprocess.TimeoutExpired as error:
        raise LabError(f"{command[0]} took longer than {seconds} seconds") from error
