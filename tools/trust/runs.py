# SPDX-License-Identifier: GPL-2.0-or-later
"""What the processors of a matrix say; kept, so that an interrupted matrix goes on."""

import hashlib
import itertools
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from boots import Boots, Kept, glob_list
from stop_early import FailureWatch
from judge import Status, judge
from machine import ROOT, LabError
from outcome import Outcome, beyond, read_outcome, stopped_at
from snapshot import Snapshots
from transport import never, stretched

# What a result depends on besides kernel and emulator: the machine, and who judged it.
JUDGES = (*sorted((ROOT / "tools/lab").glob("*.py")), ROOT / "tools/trust/outcome.py")
DIGITS = 24  # of a SHA-256
# What a busy host or an interrupt cannot cause; the rest is booted again.
KEPT = (Status.PASS, Status.FAIL, Status.SKIP, Status.CRASH)
ONCE = "retest=0"  # whether a fault shows is asked here, not how often


@dataclass(kw_only=True)
class Laboratory(Boots):
    """What all cases have in common."""

    elf: Path
    tests: dict  # name -> declaration
    fresh: bool = False
    arguments: str = ""  # more of the kernel's command line
    from_entry: bool = False  # faults are booted from the kernel's entry
    digest: str = field(init=False, default="")
    results: Kept = field(init=False)

    def __post_init__(self):
        super().__post_init__()
        self.folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        for path in (self.elf, self.iso, self.qemu, *JUDGES):
            digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
        self.digest = digest.hexdigest()[:DIGITS]
        if self.from_entry:
            self.snapshots = Snapshots(self.elf, self.folder / f"{self.digest}-snapshots")
        self.forget_others()
        self.results = Kept(self.folder / f"{self.digest}.jsonl")

    def forget_others(self):
        """Results of other kernels, emulators or judges say nothing any more."""
        for path in self.folder.iterdir():
            if path.name.startswith(self.digest):
                continue
            if path.suffix in (".jsonl", ".ktap"):
                path.unlink()
            elif path.name.endswith("-snapshots"):
                shutil.rmtree(path)

    def key(self, case, command_line):
        """Results are kept by processor and command line, and by all that judges them."""
        text = "\n".join([case.cpu(self.profiles), command_line])
        return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]

    def log(self, case, command_line):
        return self.folder / f"{self.digest}-{self.key(case, command_line)}.ktap"

    def kept(self, case, command_line):
        value = self.results.values.get(self.key(case, command_line))
        return None if self.fresh or value is None else Outcome(**value)

    def run(self, case, command_line="", enough=never):
        """enough: a FailureWatch that ends the boot; the same one for the same case, always."""
        once = "" if "retest=" in self.arguments else ONCE
        words = [command_line, case.command_line(), self.arguments, once]
        command_line = " ".join(filter(None, words))
        outcome = self.kept(case, command_line)
        return outcome or self.boot(case, command_line, enough)

    def boot(self, case, command_line, enough=never):
        """A fault does nothing before the kernel runs; what else differs firmware may see."""
        log = self.log(case, command_line)
        healthy = case.healthy().cpu(self.profiles) if case.fault else None
        cpu, limits = case.cpu(self.profiles), stretched(self.limits, command_line)
        answer = self.start(cpu, command_line, log, healthy, enough, limits)
        outcome = stopped_at(enough) if answer.stopped else self.judged(case, answer)
        outcome.log, outcome.seconds = str(log), round(answer.seconds, 2)
        if Status[outcome.status] in KEPT and not self.limits.stop.is_set():
            self.results.add(self.key(case, command_line), outcome.as_dict())
        return outcome

    def judged(self, case, answer):
        judgement = judge(answer.raw, answer.exit_code, answer.timed_out)
        if judgement.status == Status.ERROR or not (answer.raw.strip() or answer.timed_out):
            why = answer.messages or f"{judgement.reasons}, exit status {answer.exit_code}"
            raise LabError(f"{case.name} could not run: {why}")
        return read_outcome(judgement, self.tests)

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
