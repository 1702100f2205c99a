# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the lab's own tools (a shell's command, labgrid-client), each with a time limit."""

import asyncio
import contextlib
import os
import signal

OUTPUT_MOST = 65536  # bytes of what a tool wrote that are looked at
WORDS_MOST = 300  # characters of what a tool said that are repeated
ENDING = 5.0  # seconds until one that was killed is gone
GUARD = ("setpriv", "--pdeathsig", "KILL", "--")  # it ends when we do, in whatever way


class CommandFailed(Exception):
    """It could not be started, said no, or took too long; the text says which."""


async def run_command(words, limit, *, shell=False, environment=None):
    """
    Runs a command (a list; a text where it is for the shell) and returns what it wrote.

    limit: seconds. Raises CommandFailed; of what fails nothing runs on.
    """
    name = words if shell else words[0]
    command = ("sh", "-c", words) if shell else tuple(map(str, words))
    with Ear() as ear:
        try:
            process = await asyncio.create_subprocess_exec(
                *GUARD,
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=ear.mouth,
                stderr=ear.mouth,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
            )
        except OSError as error:
            raise CommandFailed(f"'{name}' cannot be started: {error.strerror}") from error
        await ended(process, name, limit)
        ear.hear()
    text = ear.heard.decode("utf-8", "replace").strip()
    if process.returncode:
        words = "; ".join(text.splitlines())[-WORDS_MOST:]
        said = f": {words}" if words else ""
        raise CommandFailed(f"'{name}' ended with status {process.returncode}{said}")
    return text


async def ended(process, name, limit):
    """A daemon that it leaves when it ends in time is its own affair."""
    try:
        async with asyncio.timeout(limit):
            await process.wait()
    except BaseException as error:
        await end(process)
        if isinstance(error, TimeoutError):
            raise CommandFailed(f"'{name}' did not end in {limit:g} s") from error
        raise


class Ear:
    """The end of a command's output. All of it is read, so that the command never waits. A daemon
    that keeps the output open is not waited for."""

    def __init__(self):
        self.loop, self.heard = asyncio.get_running_loop(), bytearray()
        self.pipe, self.mouth = os.pipe()
        os.set_blocking(self.pipe, False)

    def __enter__(self):
        self.loop.add_reader(self.pipe, self.hear)
        return self

    def __exit__(self, *reason):
        self.loop.remove_reader(self.pipe)
        os.close(self.pipe)
        os.close(self.mouth)

    def hear(self):
        """What is there."""
        with contextlib.suppress(BlockingIOError):
            self.heard += os.read(self.pipe, 2 * OUTPUT_MOST)
            del self.heard[:-OUTPUT_MOST]


def end_group(number):
    """All that a process started which leads a session of its own; it may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)


async def end(process):
    """With all that it started."""
    end_group(process.pid)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), ENDING)
