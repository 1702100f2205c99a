# SPDX-License-Identifier: GPL-2.0-or-later
"""Opens a bay's console: a serial line that pyserial knows, or a tool that shows one.

What comes out is a port for transport.receive(): read(), in_waiting, close().
"""

import contextlib
import os
import select
import socket
import subprocess
import time
from urllib.parse import urlsplit

import child
from commands import ENDING, GUARD, end_group
from machine import LabError
from transport import open_serial, receive
from trouble import Kind, Trouble

CHUNK = 65536  # bytes
WAIT = 0.1  # seconds for a byte, as open_serial() has it
QUIET = 0.5  # seconds without a byte, then a line has nothing old left
TOOL_QUIET = 3.0  # … of a tool, which has to connect to the line first
DROPPED_MOST = 1 << 22  # bytes of what is dropped that are known again
# It leads a session with its terminal: when that is closed, in whatever way, all that it started
# is hung up.
OWN_TERMINAL = ("setsid", "--ctty", "--")
READY = 30  # seconds until a tool must have its line
MESSAGES = 4000  # bytes of what a tool complained that are kept
RATE = 115200  # bits per second


def open_console(bay):
    """The open port of a bay's console; blocks. Raises Trouble where there is none."""
    console = bay.console
    try:
        if console["kind"] == "serial" and console["line"].startswith("socket://"):
            return SocketPort(console["line"])
        if console["kind"] == "serial":
            return open_serial(with_patience(console["line"]), console.get("rate", RATE))
        words = ["sh", "-c", console["command"]]
        port = ChildPort(words, console.get("ready", "").encode())
    except LabError as error:
        raise Trouble(Kind.DEAD_CONSOLE, str(error)) from error
    try:
        port.wait_until_ready()
    except BaseException:
        port.close()
        raise
    return port


def with_patience(line):
    """pyserial waits three seconds for each answer of RFC 2217; a busy server takes longer. Where
    the server's line has no modem signals, none comes about them, and we need none."""
    options = f"?ign_set_control&timeout={READY}"
    return line + options if line.startswith("rfc2217://") else line


def forget_old(port, quiet=None):
    """
    Drops what the line still holds of a board that is off: of a run before, whose rack was killed,
    or what the console server repeats. Blocks until nothing more comes for `quiet` seconds. Returns
    what was dropped. Raises Trouble where the line closes.
    """
    if quiet is None:
        quiet = TOOL_QUIET if isinstance(port, ChildPort) else QUIET
    dropped = bytearray()
    heard = now = time.monotonic()
    until = now + READY
    while now < until:
        chunk, now = receive(port), time.monotonic()
        if chunk is None:
            why = "the console closed before the board was switched on"
            raise Trouble(Kind.DEAD_CONSOLE, ": ".join(filter(None, [why, last_words(port)])))
        if chunk:
            heard = now
            dropped += chunk
            del dropped[:-DROPPED_MOST]
        elif now >= heard + quiet:
            break
    return bytes(dropped)


def last_words(port):
    """What a tool that shows the console complained of; "" of a line."""
    return getattr(port, "last_words", str)()


class SocketPort:
    """A console server's raw port. pyserial reads such a one byte by byte, which is too slow for
    many boards."""

    in_waiting = CHUNK

    def __init__(self, line):
        address = urlsplit(line)
        try:
            self.socket = socket.create_connection((address.hostname, address.port), READY)
        except (OSError, ValueError) as error:
            raise LabError(f"the console {line} cannot be opened: {error}") from error
        self.socket.settimeout(WAIT)

    def read(self, size=CHUNK):
        """As ChildPort.read()."""
        try:
            chunk = self.socket.recv(size)
        except TimeoutError:
            return b""
        if not chunk:
            raise OSError("the console server has closed the line")
        return chunk

    def close(self):
        self.socket.close()


class ChildPort:
    """A tool's standard output as a port. Its standard input is a terminal on which nobody types:
    ipmitool, ssh and conserver's console want one."""

    def __init__(self, words, ready):
        self.words, self.ready = words, ready
        self.early, self.messages, self.in_waiting = b"", b"", CHUNK
        self.keyboard, keys = os.openpty()
        try:
            self.process = subprocess.Popen(
                [*GUARD, *OWN_TERMINAL, *words],
                stdin=keys,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            os.close(self.keyboard)
            raise LabError(f"{words[0]} cannot be started: {error.strerror}") from error
        finally:
            os.close(keys)

    def wait_until_ready(self):
        """Until the tool says that its line is open; keeps what the board has said meanwhile."""
        until, early = time.monotonic() + READY, b""
        while self.ready and self.ready not in early + self.messages:
            try:
                early += self.read()
            except OSError as error:
                raise self.dead(str(error)) from error
            if time.monotonic() > until:
                raise self.dead(f"{self.words[0]} did not reach it in {READY} s")
        self.early = early

    def dead(self, why):
        said = self.last_words()
        return Trouble(Kind.DEAD_CONSOLE, f"the console: {why}" + (f": {said}" if said else ""))

    def last_words(self):
        lines = self.messages.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip()[:200] if lines else ""

    def read(self, size=CHUNK):
        """Some bytes, b"" when none came in time; OSError when the tool has ended."""
        if self.early:
            early, self.early = self.early, b""
            return early
        found = self.readable()
        if self.process.stderr in found:
            self.hear_complaint()
        if self.process.stdout not in found:
            return b""
        if chunk := os.read(self.process.stdout.fileno(), size):
            return chunk
        self.hear_complaint()
        raise OSError(f"{self.words[0]} has ended")

    def readable(self):
        """Which of its two streams have something; of any number of file descriptors."""
        streams = [each for each in (self.process.stdout, self.process.stderr) if not each.closed]
        poll, numbers = select.poll(), {each.fileno(): each for each in streams}
        for number in numbers:
            poll.register(number, select.POLLIN)
        return [numbers[number] for number, _ in poll.poll(WAIT * 1000)]

    def hear_complaint(self):
        """Standard error, as far as it has come; it may close long before the line does."""
        if self.process.stderr.closed or self.process.stderr not in self.readable():
            return
        if complaint := os.read(self.process.stderr.fileno(), CHUNK):
            self.messages = (self.messages + complaint)[-MESSAGES:]
        else:
            self.process.stderr.close()

    def close(self):
        """Asks the tool to end, so that it gives its session back; then ends all of it."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING)
        child.end(self.process)
        end_group(self.process.pid)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        with contextlib.suppress(OSError):
            os.close(self.keyboard)

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.close()
