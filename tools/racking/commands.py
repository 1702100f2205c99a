# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the lab's own tools (ipmitool, snmpset, a shell's command), each with a time limit."""

import asyncio
import contextlib
import os
import signal

WORDS_MOST = 300  # characters of what a tool said that are repeated
ENDING = 5.0  # seconds until one that was killed is gone
GUARD = ("setpriv", "--pdeathsig", "KILL", "--")  # it ends when we do, in whatever way


class CommandFailed(Exception):
    """It could not be started, said no, or took too long; the text says which."""


async def run_command(words, limit, *, shell=False, environment=None):
    """
    Runs a command (a list; a text where it is for the shell) and returns what it wrote.

    limit: seconds. Raises CommandFailed; whatever happens, nothing of it runs on.
    """
    name = words if shell else words[0]
    command = ("sh", "-c", words) if shell else tuple(map(str, words))
    try:
        process = await asyncio.create_subprocess_exec(
            *GUARD,
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
    except OSError as error:
        raise CommandFailed(f"'{name}' cannot be started: {error.strerror}") from error
    return await answer_of(process, name, limit)


async def answer_of(process, name, limit):
    try:
        output, _ = await asyncio.wait_for(process.communicate(), limit)
    except TimeoutError as error:
        raise CommandFailed(f"'{name}' did not end in {limit:g} s") from error
    finally:
        await end(process)
    text = output.decode("utf-8", "replace").strip()
    if process.returncode:
        words = "; ".join(text.splitlines())[-WORDS_MOST:]
        said = f": {words}" if words else ""
        raise CommandFailed(f"'{name}' ended with status {process.returncode}{said}")
    return text


async def end(process):
    """With all that it started: it leads a session of its own."""
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), ENDING)
