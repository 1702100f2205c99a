# SPDX-License-Identifier: GPL-2.0-or-later
"""The stand-in board of the integrations, behind a real ser2net, without labgrid and LAVA."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from conftest import RUN, execute
from judge import Status
from integrations import HANG, STAND_IN, image_and_emulator, stand_in  # noqa: F401

LIMIT = 240  # seconds


def run(*words):
    return execute(*words, timeout=LIMIT)


@pytest.fixture
def board(image_and_emulator, tmp_path):  # noqa: F811
    """board(test, options…): a stand-in with such a selection of tests."""
    machine = image_and_emulator("ser2net", "socat")
    return lambda *options: stand_in(tmp_path / "b", *machine, *options)


@pytest.mark.parametrize("protocol", ["raw", "rfc2217"])
def test_board_is_heard_by_the_lab(board, protocol, tmp_path):
    # A pseudo terminal has no control lines to set.
    start, end = {"raw": ("socket", ""), "rfc2217": ("rfc2217", "?ign_set_control")}[protocol]
    with board("probe.availability_*", "--protocol", protocol) as stand:
        words = [RUN, "--serial", f"{start}://127.0.0.1:{stand.port}{end}"]
        words += ["--log", tmp_path / "log"]
        with subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True) as lab:
            wait_for_connection(stand.port)
            assert run(STAND_IN, "on", stand.folder).returncode == 0
            _, said = lab.communicate(timeout=LIMIT)
        assert lab.returncode == Status.PASS, said
        pid = int((stand.folder / "pid").read_text())
        assert run(STAND_IN, "off", stand.folder).returncode == 0 and not stand.is_on()
    assert not os.path.exists(f"/proc/{pid}/exe")


def wait_for_connection(port):
    """The lab's, in the kernel's table: the console has one user."""
    row = f"0100007F:{port:04X} 0100007F:"
    until = time.monotonic() + LIMIT
    while row not in Path("/proc/net/tcp").read_text(encoding="ascii"):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_folder_has_one_board(board):
    with board(*HANG) as stand:
        answer = run(STAND_IN, "serve", stand.folder, "--port", stand.port + 1)
    assert answer.returncode == Status.ERROR
    assert "is served in" in answer.stderr and "Traceback" not in answer.stderr


def test_the_board_of_a_killed_stand_in_is_off_in_the_next(board):
    with board(*HANG) as stand:
        with socket.create_connection(("127.0.0.1", stand.port), LIMIT) as console:
            assert run(STAND_IN, "on", stand.folder).returncode == 0
            assert console.recv(1)  # now it runs
        pid = (stand.folder / "pid").read_text()
        os.kill(server_of(stand.folder), signal.SIGKILL)
    with board(*HANG) as stand:
        assert not os.path.exists(f"/proc/{pid}/exe") and not stand.is_on()


def server_of(folder):
    """The pid of `stand-in serve` there."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{name}/cmdline", "rb").read().split(b"\0")
        except OSError:
            continue
        if b"serve" in words and str(folder).encode() in words:
            return int(name)
    raise AssertionError("no stand-in is served")


def test_a_port_in_use_is_told(board, tmp_path):
    with socket.create_server(("", 0)) as server:
        port = server.getsockname()[1]
        answer = run(STAND_IN, "serve", tmp_path / "c", "--port", port)
    assert answer.returncode == Status.ERROR and f"port {port} cannot be had" in answer.stderr


def test_no_board_no_power(tmp_path):
    answer = run(STAND_IN, "on", tmp_path)
    assert answer.returncode == Status.ERROR and "there is no stand-in" in answer.stderr
