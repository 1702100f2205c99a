# SPDX-License-Identifier: GPL-2.0-or-later
"""Ends a program that we started, whatever interrupted us."""

import contextlib
import os
import signal
import subprocess

KILLED = 10.0  # seconds until one that was killed is gone


def end(child):
    """
    Kills it if it still runs, and waits for it; child: subprocess.Popen.

    Ctrl-C may come where Popen has just taken its own lock: its wait() would then wait for ever for
    that lock, and kill() takes it for running. So nothing here waits without a limit; that the
    child then has no return code does not matter to whom Ctrl-C has ended.
    """
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(KILLED)
