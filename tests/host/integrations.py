# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of tools/integrations share: the stand-in board behind a real console server."""

import contextlib
import os
import select
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import ROOT

PRESETS = ROOT / "tools/integrations"
# The kernel would end the test by itself, after a while that nobody here waits for.
HANG = ("probe.availability_*,selftest.deliberate_hang", "--args", "timeout=200")
STAND_IN = PRESETS / "stand-in"
STARTING = 90  # seconds


def need(*programs):
    """Skips where one of them is not installed."""
    path = os.environ["PATH"] + ":/usr/sbin"
    for program in programs:
        if shutil.which(program, path=path) is None:
            pytest.skip(f"{program} is not installed")


@pytest.fixture
def image_and_emulator(request):
    """image_and_emulator(programs…) -> (image, emulator), built when the programs are there."""

    def build(*programs):
        need(*programs)
        return request.getfixturevalue("iso"), request.getfixturevalue("emulator")

    return build


@dataclass
class StandIn:
    folder: Path
    port: int

    def command(self, action):
        return f"{STAND_IN} {action} {self.folder}"

    def is_on(self):
        return (self.folder / "pid").exists()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@contextlib.contextmanager
def stand_in(folder, image, qemu, test, *more):
    """A board whose console waits for somebody; it is off. more: options of the stand-in."""
    need("ser2net", "socat")
    board = StandIn(folder, free_port())
    words = ["serve", folder, "--port", board.port]
    words += ["--iso", image, "--qemu", qemu, "--test", test, *more]
    with subprocess.Popen(
        [str(STAND_IN), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            ready, _, _ = select.select([process.stdout], [], [], STARTING)
            line = process.stdout.readline() if ready else "nothing"
            assert "the console is at" in line, line
            yield board
        finally:
            process.terminate()
            process.wait(STARTING)
