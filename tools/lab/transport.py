# SPDX-License-Identifier: GPL-2.0-or-later
"""Gets a log: starts a machine, or listens to a serial line, and passes bytes on as they come.

QEMU writes COM1 to a file and we follow that: a pipe would lose what it holds when the emulator
exits, a terminal would change line ends.
"""

import contextlib
import fcntl
import re
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field, replace

from machine import LabError
from qmp import MonitorGone
from services import Requests, with_services

POLL = 0.02  # seconds
CHUNK = 65536  # bytes
ENDING = 5.0  # seconds that an emulator may take to end once its monitor is gone
AFTER_VERDICT = 2.0  # seconds; a board has no exit, but may repeat its last lines
PATIENCE = 5  # times timeout= that the kernel waits for a test which has too little time
VERDICT = b"# verdict: "


@dataclass
class Limits:
    total: float = 900  # seconds from the start
    silence: float = 90  # seconds without a byte; the kernel waits 50 for a starved test
    first: float = 0  # seconds before the first byte, where that is longer
    stop: threading.Event = field(default_factory=threading.Event)  # set: the time is up now


def stretched(limits, command_line):
    """For what the kernel is asked: a test may be silent for times timeout=, repeat= times."""
    asked = dict(re.findall(r"(?:^|\s)(repeat|timeout)=(\d+)(?!\S)", command_line))
    repeat, timeout = max(1, int(asked.get("repeat", 1))), int(asked.get("timeout", 0))
    total, silence = (
        (each + PATIENCE * timeout) * repeat for each in (limits.total, limits.silence)
    )
    return replace(limits, total=total, silence=silence)


@dataclass
class Outcome:
    raw: bytes
    exit_code: int | None = None  # None: there is no such thing, or it had to be killed
    timed_out: bool = False
    messages: str = ""  # what the emulator wrote on its standard error
    seconds: float = 0


class Clock:
    """Both limits at once; restarted by every byte."""

    def __init__(self, limits):
        self.limits = limits
        self.start = self.last = time.monotonic()
        self.silence = max(limits.silence, limits.first)

    def heard(self):
        self.last = time.monotonic()
        self.silence = self.limits.silence

    def expired(self):
        now = time.monotonic()
        if self.limits.stop.is_set():
            return True
        return now - self.start > self.limits.total or now - self.last > self.silence

    def seconds(self):
        return time.monotonic() - self.start


@contextlib.contextmanager
def own_log(path):
    """An empty log, and nobody else's as long as we write it; yields the open file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab", buffering=0) as log:
        try:
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LabError(
                f"{path} is being written by another run; --log names another"
            ) from error
        log.truncate(0)
        yield log


def boot(machine, log_path, limits, show):
    """Boots the machine, follows its log and does what it asks; never leaves it running."""
    with own_log(log_path), Requests() as requests:
        machine = replace(
            machine,
            command_line=with_services(machine.command_line),
            monitor=requests.socket,
        )
        return run(machine, log_path, Clock(limits), show, requests)


def run(machine, log_path, clock, show, requests):
    escaped = str(log_path).replace(",", ",,")
    command = machine.arguments(f"file,path={escaped}")
    messages_path = log_path.with_name(log_path.name + ".stderr")
    with open(messages_path, "w+b") as messages, open(log_path, "rb") as log:
        process = start(command, messages)
        try:
            timed_out = follow(process, log, clock, show, requests)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            messages_path.unlink(missing_ok=True)
        show(log.read())
        messages.seek(0)
        text = messages.read().decode("utf-8", "replace")
    exit_code = None if timed_out else process.returncode
    return Outcome(log_path.read_bytes(), exit_code, timed_out, text, clock.seconds())


def start(command, messages):
    """Ctrl-C at a terminal is for us alone, and QEMU ends when we do, in whatever way."""
    if shutil.which(command[0]) is None:
        raise LabError(f"{command[0]} cannot be started: there is no such program")
    return subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", "--", *command],
        stdin=subprocess.DEVNULL,
        stdout=messages,
        stderr=messages,
        start_new_session=True,
    )


def follow(process, log, clock, show, requests):
    """Until the machine ends (False) or the time is up (True)."""
    while process.poll() is None:
        if chunk := log.read(CHUNK):
            clock.heard()
            show(chunk)
            answer(process, chunk, requests)
        if clock.expired():
            return True
        if not chunk:
            time.sleep(POLL)
    return False


def answer(process, chunk, requests):
    """A monitor that closes belongs to an emulator that ends: its log says why."""
    try:
        requests.heard(chunk)
    except MonitorGone as gone:
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            raise LabError(f"{gone}, but QEMU runs on: it can do nothing that is asked") from gone


def listen(url, log_path, limits, show):
    """Keeps a board's log, from a serial line (/dev/ttyS0, socket://host:port, rfc2217://…)."""
    port = open_serial(url)
    clock, raw = Clock(limits), bytearray()
    with port, own_log(log_path) as log:
        while not clock.expired() and not ended(raw, clock):
            chunk = receive(port)
            if chunk is None:
                break
            if chunk:
                clock.heard()
                show(chunk)
                log.write(chunk)
                raw += chunk
    timed_out = VERDICT not in raw and clock.expired()
    return Outcome(bytes(raw), None, timed_out, "", clock.seconds())


def open_serial(url):
    try:
        import serial  # only real boards need it
    except ImportError as error:
        raise LabError("Python's serial is missing; install Debian's python3-serial") from error
    try:
        return serial.serial_for_url(url, baudrate=115200, timeout=0.1)
    except (serial.SerialException, OSError, ValueError) as error:
        raise LabError(f"the serial line {url} cannot be opened: {error}") from error


def receive(port):
    """Some bytes, b"" when none came in time, None when the other side closed the line."""
    import serial

    try:
        return port.read(max(1, port.in_waiting))
    except serial.SerialException:
        return None


def ended(raw, clock):
    """A whole verdict line stands there and nothing has followed it for a while."""
    at = raw.rfind(VERDICT)
    whole = at >= 0 and b"\n" in raw[at:]
    return whole and time.monotonic() - clock.last > AFTER_VERDICT
