# SPDX-License-Identifier: GPL-2.0-or-later
"""Racks for tests: boards (lab_board) behind the real servers that labs have."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from conftest import ROOT

RACK = ROOT / "tools/lab/rack"
BOARD = Path(__file__).with_name("lab_board")
PACE = 115200  # bytes per second: ten times a real line's
SLOW = float(os.environ.get("BTSCHECK_SLOW", "1"))  # a busy host takes so many times longer
BRIEF = (
    f"limits = {{ silence = {2 * SLOW}, first = {6 * SLOW}, power = {10 * SLOW}, pause = 0.1 }}\n"
)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def wait_for(found, seconds=20 * SLOW, what="it"):
    """What found() gives once it is something."""
    deadline = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < deadline, f"{what} did not come in {seconds} s"
        time.sleep(0.05)
    return answer


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Servers:
    """Starts programs of Debian's packages, each only if it is there; ends them all."""

    def __init__(self, folder):
        self.folder, self.running = folder, []

    def start(self, *words, name=None):
        program = shutil.which(words[0]) or shutil.which(words[0], path="/usr/sbin:/sbin")
        if program is None:
            pytest.skip(f"there is no {words[0]}; `tools/setup lab` installs what Debian has")
        out = open(self.folder / f"{name or words[0]}.out", "ab")
        guard = ["setpriv", "--pdeathsig", "KILL", "--"]
        self.running.append(
            subprocess.Popen(
                [*guard, program, *map(str, words[1:])],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd=self.folder,
                start_new_session=True,
            )
        )
        out.close()
        return self.running[-1]

    def said(self, name):
        return (self.folder / f"{name}.out").read_text(errors="replace")

    def end(self):
        for process in self.running:
            process.kill()
            process.wait(10)


class Board:
    """One board in its folder; its serial line has the other end in `tty`."""

    def __init__(self, servers, name, says):
        self.name, self.folder = name, servers.folder / name
        self.folder.mkdir()
        near, far = self.folder / "near", self.folder / "far"
        ends = [f"pty,raw,echo=0,link={end}" for end in (near, far)]
        servers.start("socat", *ends, name=f"socat-{name}")
        wait_for(lambda: near.exists() and far.exists(), what="socat's pty")
        self.tty = far
        self.held = [os.open(end, os.O_RDWR | os.O_NOCTTY) for end in (near, far)]  # stay open
        (self.folder / "line").write_text(str(near))
        self.speak(PACE)
        (self.folder / "delay").write_text(str(0.3 * SLOW))
        for number, text in enumerate(says, 1):
            (self.folder / f"says-{number}").write_bytes(text)

    def speak(self, pace):
        """Bytes per second."""
        (self.folder / "pace").write_text(str(int(pace)))

    def command(self, word):
        return f"{BOARD} {self.folder} {word}"

    def power(self):
        """The power table of a bay."""
        return f'{{ kind = "command", on = "{self.command("on")}", off = "{self.command("off")}" }}'

    def switched(self):
        """[(time, word)] in the order in which it was."""
        path = self.folder / "power"
        lines = path.read_text().splitlines() if path.exists() else []
        return [(float(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines]

    def words(self):
        return [word for _, word in self.switched()]

    def is_on(self):
        return (self.folder / "pid").exists()

    def end(self):
        subprocess.run([BOARD, self.folder, "off"], check=False, timeout=10)
        for end in self.held:
            os.close(end)


class Lab:
    """A folder with boards, servers and a rack file; `log` is a real log that passes."""

    def __init__(self, folder, log):
        self.folder, self.log = folder, log
        self.servers, self.boards = Servers(folder), []

    def board(self, name, *says):
        self.boards.append(Board(self.servers, name, says or (self.log,)))
        return self.boards[-1]

    def ser2net(self, *boards, rfc2217=False):
        """{name: the console's address}; one ser2net for all."""
        consoles, text = {}, ""
        for board in boards:
            port = free_port()
            telnet = "telnet(rfc2217)," if rfc2217 else ""
            scheme = "rfc2217" if rfc2217 else "socket"
            consoles[board.name] = f"{scheme}://127.0.0.1:{port}"
            text += (
                f"connection: &{board.name}\n  accepter: {telnet}tcp,127.0.0.1,{port}\n"
                f"  connector: serialdev,{board.tty},115200n81,local\n"
                "  options: {kickolduser: true}\n"
            )
        (self.folder / "ser2net.yaml").write_text(text)
        self.servers.start("ser2net", "-n", "-c", self.folder / "ser2net.yaml")
        for address in consoles.values():
            wait_for(lambda a=address: answers(int(a.rsplit(":", 1)[1])), what="ser2net")
        return consoles

    def write(self, text, name="rack.toml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def start(self, *words):
        return subprocess.Popen(
            [RACK, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def rack(self, *words, timeout=120 * SLOW):
        """The finished tools/lab/rack; never with a traceback."""
        with self.start(*words) as process:
            try:
                out, err = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=60 * SLOW)
                pytest.fail(f"rack did not end in {timeout} s: {out}\n{err}")
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def run(self, path, *words, timeout=120 * SLOW):
        """(the status, {bay: row} of a `rack run --json`)"""
        answer = self.rack("run", path, "--json", *words, timeout=timeout)
        rows = json.loads(answer.stdout) if answer.stdout else []
        return answer.returncode, {row["bay"]: row for row in rows}, answer.stderr

    def end(self):
        for board in self.boards:
            board.end()
        self.servers.end()


def most_on_at_once(boards):
    """From the switches' own notes."""
    steps = sorted((at, 1 if word == "on" else -1) for b in boards for at, word in b.switched())
    on = most = 0
    for _, step in steps:
        on += step
        most = max(most, on)
    assert on == 0, "a board was left on"
    return most
