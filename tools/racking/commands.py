# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the lab's own tools (ipmitool, snmpset, a shell's command), each with a time limit."""

import asyncio
import contextlib
import os
import signal

OUTPUT_MOST = 65536  # bytes of what a tool wrote that are looked at
LAST_WORDS = 1.0  # seconds until what it wrote has come, once it has ended
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
    """What it leaves behind when it ends well, a daemon, is its own affair."""
    heard = bytearray()
    hearing = asyncio.ensure_future(hear(process.stdout, heard))
    try:
        async with asyncio.timeout(limit):
            await process.wait()
            await asyncio.wait([hearing], timeout=LAST_WORDS)
    except BaseException as error:
        await end(process)
        if isinstance(error, TimeoutError):
            raise CommandFailed(f"'{name}' did not end in {limit:g} s") from error
        raise
    finally:
        hearing.cancel()
    text = heard.decode("utf-8", "replace").strip()
    if process.returncode:
        words = "; ".join(text.splitlines())[-WORDS_MOST:]
        said = f": {words}" if words else ""
        raise CommandFailed(f"'{name}' ended with status {process.returncode}{said}")
    return text


async def hear(stream, heard):
    """All that comes is read; its end is kept."""
    while chunk := await stream.read(OUTPUT_MOST):
        heard += chunk
        del heard[:-OUTPUT_MOST]


def end_group(number):
    """All that a process started which leads a session of its own; it may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)


async def end(process):
    """With all that it started."""
    end_group(process.pid)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), ENDING)
