# SPDX-License-Identifier: GPL-2.0-or-later
"""Would the kernel understand these options? Its own parser says so (check_options.c)."""

import os
import subprocess

from errors import LabError
from machine import ROOT, check_command_line

PROGRAM = ROOT / "build/check-options"
BUILD_TIME, TIME = 120, 10  # seconds


def check_options(text):
    """LabError, in the kernel's own words, where it would refuse them."""
    check_command_line(text)
    build_parser()
    answer = run([PROGRAM, text], TIME)
    if answer.returncode == 1:
        raise LabError(f"the kernel would refuse that: {answer.stdout.strip()}")
    if answer.returncode != 0:
        raise LabError(f"{PROGRAM} ended with status {answer.returncode}: {answer.stderr[:200]}")


def build_parser():
    """Does nothing where the sources are no newer. The variables of a make around us, such as
    BUILD=, are not for this one."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    clean = {name: value for name, value in clean.items() if name not in ("MFLAGS", "BUILD")}
    answer = run(["make", "-s", "-C", str(ROOT), "check-options"], BUILD_TIME, env=clean)
    if answer.returncode != 0:
        raise LabError(
            "the options cannot be checked, the kernel's parser does not compile here: "
            + (answer.stderr or answer.stdout).strip()[:300]
        )


def run(command, seconds, **more):
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=seconds, **more
        )
    except FileNotFoundError as error:
        raise LabError(f"the options cannot be checked: there is no {command[0]}") from error
    except subprocess.TimeoutExpired as error:
        raise LabError(f"{command[0]} took longer than {seconds} seconds") from error
