# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one command of a build, bounded in time."""

import subprocess

from clients.stopped import Stopped

SECONDS = 300
SHOWN = 2000


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
