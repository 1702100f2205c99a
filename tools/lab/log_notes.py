# SPDX-License-Identifier: GPL-2.0-or-later
"""What a log says beside its results: claims checked, findings, a soak.

Which claims of the manual were checked, and why others were not. Which findings the tests had, and
which published errata excuse them. How a soak (repeat=8h) went, to its end or as
far as it goes.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from line_kinds import (
    CLAIM_GROUP,
    COVERAGE,
    FINDING,
    LOST,
    MORE_FINDINGS,
    SOAK_BEAT,
    SOAK_FAILURE,
)

PLACE = re.compile(r"[^@]+@([^@.]+)")  # of a suite's name
THE_ONE_THAT_BOOTED = re.compile(r"[A-Za-z]+0")  # a label of PLACE
# Of an XFAIL: "HSD53 x12 HSD1 x1", the id and how often it showed.
ERRATUM = re.compile(r"\b([A-Za-z][A-Za-z0-9-]*)(?: x([0-9]{1,9}))?(?=[ ,]|$)")
SOAK = "soak"  # its results name no test that could be run by itself


@dataclass(frozen=True)
class Group:
    """Claims with one reason; "PEBS-*" are all whose names begin so."""

    claims: str
    reason: str

    def __str__(self):
        return f"{self.claims} ({self.reason})"


@dataclass
class Coverage:
    claims: int
    checked: int
    in_part: int = 0  # of those that are checked
    not_checked: list[Group] = field(default_factory=list)
    partly: list[Group] = field(default_factory=list)

    def __str__(self):
        return f"{self.checked} of {self.claims} claims checked"


def read_coverage(log, place=None):
    """None where the log does not say, or says what cannot be. place: a label, "E2"."""
    found = None
    for line in log.lines:
        if (match := COVERAGE.fullmatch(line)) and match[1] == place:
            found = Coverage(int(match[3]), int(match[2]), int(match[4] or 0))
        elif found and (match := CLAIM_GROUP.fullmatch(line)) and match[2] == place:
            groups = found.not_checked if match[1] == "not checked" else found.partly
            groups.append(Group(match[3], match[4]))
    return found if found and is_possible(found) else None


def other_places(log):
    """Labels of the processors, beside the one that booted, on which suites of the log ran."""
    suites = log.root.results if log.root else []
    labels = (match[1] for each in suites if (match := PLACE.fullmatch(each.name)))
    return list(
        dict.fromkeys(label for label in labels if not THE_ONE_THAT_BOOTED.fullmatch(label))
    )


def is_possible(coverage):
    """All are checked, or some group says which are not; the same of those in part."""
    return (
        coverage.in_part <= coverage.checked <= coverage.claims
        and (coverage.checked < coverage.claims) == bool(coverage.not_checked)
        and (coverage.in_part > 0) == bool(coverage.partly)
    )


@dataclass(frozen=True)
class Finding:
    kind: str
    text: str = ""  # its numbers, in the kernel's words
    times: int = 1

    def __str__(self):
        return f"{self.kind} {self.text}".rstrip()


def read_finding(text):
    """From a line without its indentation; None where it is no finding."""
    if match := FINDING.fullmatch(text):
        return Finding(match[1], match[2] or "")
    if match := MORE_FINDINGS.fullmatch(text):
        return Finding(match[2], times=int(match[1]))
    return None


def findings_by_result(log):
    """(full name, result, its findings) where there are some."""
    for name, result in sorted(log.every(), key=lambda each: each[1].line):
        found = list(filter(None, map(read_finding, log.comments.get(result.line, ()))))
        if found:
            yield name, result, found


def failures(log):
    """[(full name, findings)] of what is not ok: an XFAIL's are explained."""
    return [(name, found) for name, result, found in findings_by_result(log) if not result.ok]


def count_kinds(failed):
    """Kind -> how often, over failures()."""
    kinds = Counter()
    for _, found in failed:
        for finding in found:
            kinds[finding.kind] += finding.times
    return kinds


def excused(log):
    """Erratum -> how often it showed, over the results without parts of their own."""
    reasons = [each.reason for _, each in log.leaves() if each.outcome == "xfail"]
    times = Counter()
    for name, number in ERRATUM.findall(", ".join(reasons)):
        times[name] += int(number or 1)
    return dict(times)


@dataclass(frozen=True)
class Soak:
    seconds: int
    records: int
    interrupts: int
    programs: int
    runs: int
    failed: int

    def __str__(self):
        hours, rest = divmod(self.seconds, 3600)
        return (
            f"a soak of {hours}:{rest // 60:02}:{rest % 60:02}: {self.records:,} records checked,"
            f" {self.interrupts:,} interrupts, {self.programs:,} programs, {self.runs:,} runs of"
            f" tests, {self.failed:,} failed"
        )


def read_soak(log):
    """The last that the log says of all processors together, or None."""
    found = None
    for line in log.lines:
        if match := SOAK_BEAT.fullmatch(line):
            found = Soak(*map(int, match.groups()))
    return found


def soak_failures(log):
    """What failed, in words, in the order in which it came; each distinct failure once."""
    found = []
    for match in filter(None, map(SOAK_FAILURE.fullmatch, log.lines)):
        suite, _, rest = match[3].partition(".")
        found.append(f"{suite}{match[1] or ''}.{rest} after {match[2]} s")
    return found


def lost_processors(log):
    """Those that hung and were left behind, in a soak or not, in the log's words."""
    return [match[1] for match in map(LOST.fullmatch, log.lines) if match]


def is_of_soak(name):
    """Is it the result of a soak, "soak@E2.drawn_tests"?"""
    return re.fullmatch(rf"{SOAK}(@[^.]*)?\..*", name) is not None
