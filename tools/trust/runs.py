# SPDX-License-Identifier: GPL-2.0-or-later
"""Boots cases, several at a time, and keeps what each one said: an interrupted matrix goes on."""

import contextlib
import fcntl
import hashlib
import itertools
import json
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path

from stop_early import FailureWatch
from judge import Status, judge
from machine import ROOT, LabError, Machine
from outcome import Outcome, beyond, read_outcome, stopped_at
from program import Terminated
from snapshot import Snapshots, fits
from transport import Limits, boot, never, stretched

# What a result depends on besides kernel and emulator: the machine, and who judged it.
JUDGES = (*sorted((ROOT / "tools/lab").glob("*.py")), ROOT / "tools/trust/outcome.py")
DIGITS = 24  # of a SHA-256
LIMITS = Limits(total=180, silence=60)
# What a busy host or an interrupt cannot cause; the rest is booted again.
KEPT = (Status.PASS, Status.FAIL, Status.SKIP, Status.CRASH)
ONCE = "retest=0"  # whether a fault shows is asked here, not how often
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


@dataclass
class Laboratory:
    """What all cases have in common."""

    qemu: str
    iso: Path
    elf: Path
    profiles: dict
    tests: dict  # name -> declaration
    folder: Path
    jobs: int = 2
    fresh: bool = False
    arguments: str = ""  # more of the kernel's command line
    from_entry: bool = False  # faults are booted from the kernel's entry
    snapshots: Snapshots | None = field(init=False, default=None)
    digest: str = field(init=False, default="")
    limits: Limits = field(default_factory=lambda: replace(LIMITS, stop=threading.Event()))

    def __post_init__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        for path in (self.elf, self.iso, self.qemu, *JUDGES):
            digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
        self.digest = digest.hexdigest()[:DIGITS]
        if self.from_entry:
            self.snapshots = Snapshots(self.elf, self.folder / f"{self.digest}-snapshots")
        self.forget_others()

    def forget_others(self):
        """Results of other kernels, emulators or judges say nothing any more."""
        for path in self.folder.iterdir():
            if path.name.startswith(self.digest + "-"):
                continue
            if path.suffix in (".json", ".ktap"):
                path.unlink()
            elif path.name.endswith("-snapshots"):
                shutil.rmtree(path)

    def path(self, case, command_line):
        """Results are kept by processor and command line, and by all that judges them."""
        text = "\n".join([case.cpu(self.profiles), command_line])
        name = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
        return self.folder / f"{self.digest}-{name}.json"

    def kept(self, case, command_line):
        path = self.path(case, command_line)
        if self.fresh or not path.exists():
            return None
        return Outcome(**json.loads(path.read_text(encoding="utf-8")))

    def run(self, case, command_line="", enough=never):
        """enough: a FailureWatch that ends the boot; the same one for the same case, always."""
        once = "" if "retest=" in self.arguments else ONCE
        words = [command_line, case.command_line(), self.arguments, once]
        command_line = " ".join(filter(None, words))
        outcome = self.kept(case, command_line)
        return outcome or self.boot(case, command_line, enough)

    def boot(self, case, command_line, enough=never):
        path = self.path(case, command_line)
        log = path.with_suffix(".ktap")
        machine = Machine(
            qemu=self.qemu,
            cpu=case.cpu(self.profiles),
            iso=self.iso,
            command_line=command_line,
        )
        limits = stretched(self.limits, command_line)
        with self.started(machine, case) as machine:
            answer = boot(machine, log, limits, show=lambda chunk: None, enough=enough)
        outcome = stopped_at(enough) if answer.stopped else self.judged(case, answer)
        outcome.log, outcome.seconds = str(log), round(answer.seconds, 2)
        if Status[outcome.status] in KEPT and not self.limits.stop.is_set():
            self.keep(outcome, path)
        return outcome

    def started(self, machine, case):
        """A fault does nothing before the kernel runs; what else differs firmware may see."""
        if self.snapshots is None or not case.fault or not fits(machine.command_line):
            return contextlib.nullcontext(machine)
        return self.snapshots.resumed(machine, case.healthy().cpu(self.profiles))

    def judged(self, case, answer):
        judgement = judge(answer.raw, answer.exit_code, answer.timed_out)
        if judgement.status == Status.ERROR or not answer.raw.strip():
            raise LabError(f"{case.name} could not run: {answer.messages or judgement.reasons}")
        return read_outcome(judgement, self.tests)

    def keep(self, outcome, path):
        partial = path.with_suffix(".part")
        partial.write_text(json.dumps(outcome.as_dict(), indent=1), encoding="utf-8")
        partial.replace(path)

    def run_fault(self, case, fault, healthy, one_is_enough=False):
        """First the tests that claim to find it: where they do, the others have no say.

        healthy: what the same processor does without the fault; all of its failures are left out.
        one_is_enough: of the fault's claims.
        """
        focus = self.focus(fault)
        if focus:
            enough = self.enough(fault, healthy, focus, one_is_enough)
            outcome = beyond(self.run(case, focus, enough), healthy)
            if set(fault.claims) & set(outcome.broken):
                return outcome
        return beyond(self.run(case), healthy)

    def enough(self, fault, healthy, focus, one_is_enough=False):
        """Until all claims are named that could be: the outcome gets no better."""
        names = focus.removeprefix("test=").split(",")
        declared = {claim for name in names for claim in self.tests[name].claims}
        claims = (set(fault.claims) & declared) - set(healthy.broken)
        return FailureWatch(claims, healthy.failed, one_is_enough)

    def focus(self, fault):
        """The command line that runs tests of the fault's claims alone, as many as it takes."""
        by_claim = [
            [
                name
                for name, test in self.tests.items()
                if claim in test.claims and not test.only_when_named
            ]
            for claim in fault.claims
        ]
        turns = itertools.zip_longest(*by_claim)  # each claim has its say, however many it has
        return glob_list(dict.fromkeys(name for turn in turns for name in turn if name))

    def run_all(self, work, tell, seconds=None):
        """work: case -> function that runs it. Returns case -> outcome; tell(case) after each.
        After so many seconds none is begun."""
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
        except (KeyboardInterrupt, Terminated):
            self.limits.stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return found
