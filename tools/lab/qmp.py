# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's monitor: a small QMP client on a unix socket, with a time limit on everything."""

import json
import socket
import time

from machine import LabError

ANSWER_TIME = 4.0  # seconds for one command, connecting included; a kernel that asks waits longer
CHUNK = 65536


class MonitorGone(Exception):
    """The emulator closed the connection: it has ended, or is about to."""


class Monitor:
    """One connection: greeting, capabilities, then one command at a time."""

    def __init__(self, path, answer_time=ANSWER_TIME):
        self.answer_time = answer_time
        self.deadline = time.monotonic() + answer_time
        self.pending = b""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.guard(self.socket.connect, str(path))
            self.be_greeted()
            self.execute("qmp_capabilities")
        except BaseException:
            self.close()
            raise

    def be_greeted(self):
        """An event that was meant for the connection before may still come first."""
        while "QMP" not in (message := self.receive()):
            if "event" not in message:
                raise LabError(f"QEMU's monitor does not greet as QMP does: {message}")

    def close(self):
        self.socket.close()

    def execute(self, command, **arguments):
        """The command's return value; events that come between are none of our business."""
        self.deadline = time.monotonic() + self.answer_time
        request = {"execute": command}
        if arguments:
            request["arguments"] = arguments
        self.guard(self.socket.sendall, json.dumps(request).encode() + b"\n")
        while True:
            answer = self.receive()
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise LabError(f"QEMU's monitor refuses {command}: {answer['error'].get('desc')}")

    def ask(self, line):
        """What the monitor for people answers to a command."""
        return self.execute("human-monitor-command", **{"command-line": line})

    def human(self, line):
        """A command of the monitor for people, which answers nothing when all is well."""
        answer = self.ask(line)
        if answer.strip():
            raise LabError(f"QEMU's monitor refuses '{line}': {answer.strip()}")

    def receive(self):
        """The next message, one line of JSON."""
        while b"\n" not in self.pending:
            chunk = self.guard(self.socket.recv, CHUNK)
            if not chunk:
                raise MonitorGone("QEMU closed its monitor")
            self.pending += chunk
        line, self.pending = self.pending.split(b"\n", 1)
        try:
            message = json.loads(line)
        except ValueError as error:
            raise LabError(f"QEMU's monitor says what is no JSON: {line[:80]!r}") from error
        if not isinstance(message, dict):
            raise LabError(f"QEMU's monitor says what is no message: {line[:80]!r}")
        return message

    def guard(self, operation, *arguments):
        """One operation on the socket, within what is left of the time."""
        left = self.deadline - time.monotonic()
        try:
            self.socket.settimeout(max(left, 0.001))
            return operation(*arguments)
        except TimeoutError as error:
            raise LabError(
                f"QEMU's monitor did not answer in {self.answer_time:.0f} seconds; is the machine"
                " too busy?"
            ) from error
        except (ConnectionError, FileNotFoundError) as error:
            raise MonitorGone(f"QEMU's monitor is gone: {error}") from error
