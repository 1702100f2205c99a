# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the findings of a log's tests, and which published errata excuse them."""

import re
from collections import Counter
from dataclasses import dataclass

FINDING = re.compile(r"# finding: ([a-z][a-z0-9._-]*)(?: (.*))?")
MORE = re.compile(r"# findings: ([0-9]{1,9}) more of ([a-z][a-z0-9._-]*)")
# Of an XFAIL: "HSD53 x12 HSD1 x1", the id and how often it showed.
ERRATUM = re.compile(r"\b([A-Za-z][A-Za-z0-9-]*)(?: x([0-9]{1,9}))?(?=[ ,]|$)")


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
    if match := MORE.fullmatch(text):
        return Finding(match[2], times=int(match[1]))
    return None


def findings_by_result(log):
    """(full name, result, its findings) where there are some: they stand before the result."""
    results = {result.line: (name, result) for name, result in log.every()}
    waiting = []
    for number, line in enumerate(log.lines, 1):
        if number in results:
            if waiting:
                yield *results[number], waiting
            waiting = []
        elif finding := read_finding(line.strip()):
            waiting.append(finding)


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
