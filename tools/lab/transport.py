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
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

import child
import ktap
from errors import no_room, told
from log_lines import Follower
from machine import LabError
from qmp import MonitorGone
from services import Requests, with_services

POLL = 0.02  # seconds
CHUNK = 65536  # bytes
ENDING = 5.0  # seconds that an emulator may take to end once its monitor is gone
AFTER_VERDICT = 2.0  # seconds; what has no exit may repeat its last lines
REPEAT_MOST, TIMEOUT_MOST = 1_000_000, 3600  # the kernel refuses more
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
DURATION_MOST = 365 * SECONDS["d"]
COMMAND_LINE = "# command line: "
BEAT = 60  # seconds between two signs of life of a soak
PATIENCE = 5  # times timeout= that the kernel waits for a test which has too little time


@dataclass
class Limits:
    total: float = 900  # seconds from the start
    silence: float = 90  # seconds without a byte; the kernel waits 50 for a starved test
    first: float = 0  # seconds before the first byte, where that is longer
    stop: threading.Event = field(default_factory=threading.Event)  # set: the time is up now


def stretched(limits, command_line):
    """For what the kernel is asked: a test may be silent for times timeout=, repeat= times."""
    asked = dict(re.findall(r"(?:^|\s)(repeat|timeout)=([0-9]+)(?!\S)", command_line))
    repeat = max(1, at_most(REPEAT_MOST, asked.get("repeat", "1")))
    timeout = at_most(TIMEOUT_MOST, asked.get("timeout", "0"))
    total, silence = (
        (each + PATIENCE * timeout) * repeat for each in (limits.total, limits.silence)
    )
    if soak := soak_seconds(command_line):
        total, silence = total + soak, silence + BEAT
    return replace(limits, total=total, silence=silence)


def soak_seconds(command_line):
    """How long a soak takes that the kernel is asked for; 0: it is not asked for one."""
    if match := re.search(r"(?:^|\s)repeat=([0-9]+)([smhd])(?![^\s,])", command_line):
        return min(at_most(DURATION_MOST, match[1]) * SECONDS[match[2]], DURATION_MOST)
    return 0


def at_most(limit, digits):
    """Digits may be too many for a number."""
    return limit if len(digits.lstrip("0")) > len(str(limit)) else min(int(digits), limit)


@dataclass
class Outcome:
    raw: bytes
    exit_code: int | None = None  # None: there is no such thing, or it had to be killed
    timed_out: bool = False
    stayed_on: bool = False  # an emulator that had to be ended although the verdict had come
    stopped: bool = False  # ended by us, because who asked had heard enough
    messages: str = ""  # what the emulator wrote on its standard error
    seconds: float = 0

    def is_silent(self):
        """An open line may bring a few bytes that nobody sent."""
        return not self.raw.strip(b"\0\xff\r\n ")


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

    def grow(self, command_line, total, silence):
        """For what the kernel is asked; either limit may stand as it is."""
        more = stretched(self.limits, command_line)
        self.limits = replace(
            self.limits,
            total=more.total if total else self.limits.total,
            silence=more.silence if silence else self.limits.silence,
        )
        self.silence = max(self.silence, self.limits.silence)

    def silent_for(self, seconds):
        return time.monotonic() - self.last > seconds

    def seconds(self):
        return time.monotonic() - self.start


class VerdictWatch:
    """Has a whole verdict line come, behind whatever prefix? Takes bytes as they come, cut
    anywhere. choice: as in Follower."""

    def __init__(self, choice=None):
        self.follower, self.seen = Follower(choice), False

    def heard(self, chunk):
        for line in self.follower.heard(chunk) if not self.seen else []:
            self.seen = self.seen or ktap.is_verdict(line)


class CommandLineWatch:
    """What the kernel was asked for, as the head of its log says."""

    def __init__(self, choice=None):
        self.follower, self.is_known = Follower(choice), False

    def heard(self, chunk):
        """The command line when it comes, the first time; else ""."""
        for line in self.follower.heard(chunk) if not self.is_known else []:
            if line.startswith(COMMAND_LINE):
                self.is_known = True
                return line.removeprefix(COMMAND_LINE)
        return ""


class End(Enum):
    """Why a log is followed no longer."""

    GONE = "the machine has ended"
    TIME_UP = "the time is up"
    STAYED_ON = "the verdict has come, and nothing behind it for a while"
    ENOUGH = "who asked has heard enough"


@contextlib.contextmanager
def own_log(path):
    """An empty log, and nobody else's as long as we write it; yields the open file."""
    if path.exists() and not path.is_file():
        raise LabError(f"{path} is no plain file; --log names another")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        log = open(path, "ab", buffering=0)  # pylint: disable=consider-using-with
    except OSError as error:
        raise LabError(f"{told(error)}; --log names another") from error
    with log:
        try:
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LabError(
                f"{path} is being written by another run; --log names another"
            ) from error
        log.truncate(0)
        yield log


def never(_):
    return False


def boot(machine, log_path, limits, show, enough=never):
    """Boots the machine, follows its log and does what it asks; never leaves it running.

    enough: told the bytes as they come, cut anywhere; once it says True the machine is ended
    (stop_early.py has one that waits for a failure).
    """
    machine.arguments("null")  # what cannot be started is refused before a kept log is lost
    with own_log(log_path), Requests() as requests:
        machine = replace(
            machine,
            command_line=with_services(machine.command_line),
            monitor=requests.socket,
        )
        return run(machine, log_path, Clock(limits), Ears(show, requests, enough))


@dataclass
class Ears:
    """Who is told the bytes of a log."""

    show: Callable[[bytes], None]  # b"", too, again and again while none come
    requests: Requests
    enough: Callable[[bytes], bool] = never


def run(machine, log_path, clock, ears):
    escaped = str(log_path).replace(",", ",,")
    command = machine.arguments(f"file,path={escaped}")
    messages_path = log_path.with_name(log_path.name + ".stderr")
    with open(messages_path, "w+b") as messages, open(log_path, "rb") as log:
        process = start(command, messages)
        try:
            end = follow(process, log, clock, ears)
        finally:
            child.end(process)
            messages_path.unlink(missing_ok=True)
        ears.show(log.read())
        messages.seek(0)
        text = messages.read().decode("utf-8", "replace")
    raw = log_path.read_bytes()
    if end != End.ENOUGH:
        refuse_full_disk(raw, log_path)
    return Outcome(
        raw=raw,
        exit_code=process.returncode if end == End.GONE else None,
        timed_out=end == End.TIME_UP,
        stayed_on=end == End.STAYED_ON,
        stopped=end == End.ENOUGH,
        messages=text,
        seconds=clock.seconds(),
    )


def refuse_full_disk(raw, log_path):
    """An emulator loses in silence what it cannot write: no verdict, and nothing is wrong."""
    watch = VerdictWatch()
    watch.heard(raw)
    if not watch.seen and (why := no_room(log_path.parent)):
        raise LabError(f"{log_path}: {why}: the log is not whole")


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


def follow(process, log, clock, ears):
    """Until one of four things happens; which one."""
    watch = VerdictWatch()
    while process.poll() is None:
        if chunk := log.read(CHUNK):
            clock.heard()
            watch.heard(chunk)
            ears.show(chunk)
            if ears.enough(chunk):
                return End.ENOUGH
            answer(process, chunk, ears.requests)
        if watch.seen and clock.silent_for(AFTER_VERDICT):
            return End.STAYED_ON
        if clock.expired():
            return End.TIME_UP
        if not chunk:
            ears.show(b"")
            time.sleep(POLL)
    return End.GONE


def answer(process, chunk, requests):
    """A monitor that closes belongs to an emulator that ends: its log says why."""
    try:
        requests.heard(chunk)
    except MonitorGone as gone:
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            raise LabError(f"{gone}, but QEMU runs on: it can do nothing that is asked") from gone


def listen(url, rate, log_path, limits, show):
    """Keeps a board's log, from a serial line (/dev/ttyS0, socket://host:port, rfc2217://…)."""
    with open_serial(url, rate) as port:
        return keep(lambda: receive(port), log_path, Clock(limits), show)


def keep(read, log_path, clock, show, enough=never):
    """Keeps in a file what hear() follows, and shows it."""

    def tell(chunk):
        show(chunk)
        write_all(log, chunk)

    with own_log(log_path) as log:
        return hear(read, clock, tell, enough)


def write_all(log, chunk):
    """Unbuffered files take as much as there is room for, and say how much that was."""
    try:
        while chunk:
            chunk = chunk[log.write(chunk) :]
    except OSError as error:
        raise LabError(f"{log.name}: {error.strerror}") from error


def hear(read, clock, tell, enough=never, choice=None):
    """Follows a log to its verdict, its end or its limits.

    read: called again and again; some bytes, b"" when none came for a moment, None at the end.
    tell: gets them, and b"". enough: as in boot(). choice: as in Follower.
    """
    raw, watch, stopped = bytearray(), VerdictWatch(choice), False
    while not clock.expired() and not (watch.seen and clock.silent_for(AFTER_VERDICT)):
        chunk = read()
        if chunk is None:
            break
        if chunk:
            clock.heard()
            watch.heard(chunk)
        tell(chunk)
        raw += chunk
        if stopped := bool(chunk) and enough(chunk):
            break
    timed_out = not (watch.seen or stopped) and clock.expired()
    return Outcome(bytes(raw), None, timed_out, stopped=stopped, seconds=clock.seconds())


def open_serial(url, rate):
    try:
        import serial  # only real boards need it
    except ImportError as error:
        raise LabError("Python's serial is missing; install Debian's python3-serial") from error
    try:
        return serial.serial_for_url(url, baudrate=rate, timeout=0.1)
    except (serial.SerialException, OSError, ValueError) as error:
        raise LabError(f"the serial line {url} cannot be opened: {error}") from error


def receive(port):
    """Some bytes, b"" when none came in time, None when the line is closed or pulled out."""
    try:
        return port.read(max(1, port.in_waiting))
    except OSError:
        return None
