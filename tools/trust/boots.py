# SPDX-License-Identifier: GPL-2.0-or-later
"""The one runner: boots processors, several at a time and each from the nearest point, and keeps
what came of it. tools/matrix, tools/dictionary and tools/mutants are built on it.
"""

import contextlib
import fcntl
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path

from machine import LabError, Machine
from snapshot import Snapshots, fits
from transport import Limits, boot, never

GLOB_LIMIT = 32  # names that the kernel's test= takes
TEXT_LIMIT = 600  # characters of them; a snapshot takes 700 with the other options


def glob_list(names):
    """The option that runs these tests alone, as many of them as it takes; "" for none."""
    names = list(names)[:GLOB_LIMIT]
    while len(",".join(names)) > TEXT_LIMIT:
        names.pop()
    return "test=" + ",".join(names) if names else ""


@contextlib.contextmanager
def alone(folder, other):
    """Two at once in a folder would delete each other's results. other: what to do instead."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LabError(f"another program works in {folder}; {other}") from error
        yield


class Kept:
    """Results by key: a file of JSON, a pair a line, to which a run only appends, so that one that
    was cut off goes on. The last result of a key counts. Several threads may add."""

    def __init__(self, path):
        self.path, self.lock = Path(path), threading.Lock()
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        self.values = dict(filter(None, map(pair_of, text.splitlines())))

    def add(self, key, value):
        """The newline in front ends a line that was cut off."""
        with self.lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps([key, value])}\n")
            self.values[key] = value


def pair_of(line):
    """None for a line that was cut off, and for one of another version."""
    try:
        key, value = json.loads(line)
        return key, value
    except ValueError:
        return None


@dataclass(kw_only=True)
class Boots:
    qemu: str
    iso: Path
    profiles: dict
    folder: Path
    jobs: int = 2
    snapshots: Snapshots | None = None
    limits: Limits = field(default_factory=lambda: Limits(total=600, silence=150))

    def __post_init__(self):
        """Each has a stop of its own."""
        self.limits = replace(self.limits, stop=threading.Event())

    def start(self, cpu, command_line, log, same_to_kernel, enough=never, limits=None):
        """same_to_kernel: a processor that does the same until the kernel runs, or None: begin with
        the firmware. Returns transport's answer."""
        machine = Machine(qemu=self.qemu, cpu=cpu, iso=self.iso, command_line=command_line)
        with self.nearest(machine, same_to_kernel) as machine:
            return boot(machine, log, limits or self.limits, lambda chunk: None, enough)

    def nearest(self, machine, same_to_kernel):
        if self.snapshots is None or not same_to_kernel or not fits(machine.command_line):
            return contextlib.nullcontext(machine)
        return self.snapshots.resumed(machine, same_to_kernel)

    def run_all(self, work, tell, seconds=None):
        """work: case -> function that runs it. Returns case -> result; tell(case, result) after
        each. After so many seconds none is begun."""
        found = {}
        pool = ThreadPoolExecutor(self.jobs)
        end = seconds and time.monotonic() + seconds
        try:
            running = {pool.submit(function): case for case, function in work.items()}
            for future in as_completed(running):
                if future.cancelled():
                    continue
                case = running[future]
                found[case] = future.result()
                tell(case, found[case])
                if end and time.monotonic() >= end:
                    for other in running:
                        other.cancel()
        except BaseException:
            self.limits.stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return found
