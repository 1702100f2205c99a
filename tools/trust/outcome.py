# SPDX-License-Identifier: GPL-2.0-or-later
"""What one boot says about one processor."""

from dataclasses import asdict, dataclass, field, replace

from stop_early import BrokenClaims
from line_kinds import CRASHED_IN
from log_notes import excused
from judge import Status
from read_back import misread, read_traits

CAUGHT, ELSEWHERE, MISSED = "caught", "caught elsewhere", "missed"
BROKE_OFF = "broke off"  # the run had a bad end, and no test said why
FAULT_VERDICTS = (CAUGHT, ELSEWHERE, BROKE_OFF, MISSED)  # from the best to the worst
HEALTHY, FALSE_ALARM = "healthy", "false alarm"
NOT_READ_BACK = "not read back"  # the log's traits are not those that it was given


@dataclass
class Outcome:
    """As it is kept in a file: plain data."""

    status: str
    broken: list[str]  # claims that the failures name
    failed: list[str]  # tests
    reasons: list[str]
    header: dict[str, str] = field(default_factory=dict)
    traits: list[str] = field(default_factory=list)  # how it decides what the manual leaves open
    excused: dict[str, int] = field(default_factory=dict)  # erratum -> how often it showed
    seconds: float = 0
    log: str = ""

    def passed(self):
        return self.status in (Status.PASS.name, Status.SKIP.name)

    def as_dict(self):
        return asdict(self)


def read_outcome(judgement, tests):
    """From a judgement; tests: name -> declaration, for a run that broke off inside a test."""
    log = judgement.log
    lines = [line.strip() for line in log.lines] if log else []
    broken, failed = broken_claims(lines), []
    for text in lines:
        if (match := CRASHED_IN.fullmatch(text.split(",")[0])) and match[1] in tests:
            failed.append(match[1])
            broken += tests[match[1]].claims
    failed += [name for name, result in (log.tests() if log else []) if not result.ok]
    return Outcome(
        status=judgement.status.name,
        broken=sorted(set(broken)),
        failed=list(dict.fromkeys(failed)),
        reasons=judgement.reasons[:6],
        header=log.header() if log else {},
        traits=log.traits() if log else [],
        excused=excused(log) if log else {},
    )


def broken_claims(lines):
    """Those that failures name, and those before the place where it broke off."""
    claims = BrokenClaims()
    for text in lines:
        claims.hear(text)
    return claims.found + claims.waiting


def stopped_at(failures):
    """The outcome of a boot that was ended at a failure, from what watched it."""
    return Outcome(
        status=Status.FAIL.name,
        broken=sorted(failures.named),
        failed=failures.failed,
        reasons=["ended when this had failed; the rest was not run"],
    )


def judge_healthy(case, outcome):
    if not outcome.passed():
        return FALSE_ALARM
    return NOT_READ_BACK if misread(case, read_traits(outcome.traits)) else HEALTHY


def beyond(outcome, healthy):
    """The outcome without what the same processor does when it is healthy: that proves nothing."""
    if outcome.status != healthy.status or outcome.passed():
        return outcome
    failed = [name for name in outcome.failed if name not in healthy.failed]
    broken = [name for name in outcome.broken if name not in healthy.broken]
    status = outcome.status if failed else Status.PASS.name
    return replace(outcome, status=status, failed=failed, broken=broken)


def judge_fault(fault, outcome):
    """Errata that break no claim of the table are caught by any test that fails."""
    if outcome.passed():
        return MISSED
    if set(fault.claims) & set(outcome.broken):
        return CAUGHT
    if not outcome.failed:
        return BROKE_OFF
    return ELSEWHERE if fault.claims else CAUGHT


def worst(verdicts):
    return max(verdicts, key=FAULT_VERDICTS.index)
