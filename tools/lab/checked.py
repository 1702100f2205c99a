# SPDX-License-Identifier: GPL-2.0-or-later
"""What a log says of the claims of the manual: how many were checked, and why others were not."""

import re
from dataclasses import dataclass, field

FIGURE = re.compile(
    r"# coverage: ([0-9]{1,4}) of ([0-9]{1,4}) claims checked(?:, ([0-9]{1,4}) of them in part)?"
)
GROUP = re.compile(r"# (not checked|checked in part): ([^()]+) \((.*)\)")


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


def read_coverage(log):
    """None where the log does not say, or says what cannot be."""
    found = None
    for line in log.lines:
        if match := FIGURE.fullmatch(line):
            found = Coverage(int(match[2]), int(match[1]), int(match[3] or 0))
        elif found and (match := GROUP.fullmatch(line)):
            groups = found.not_checked if match[1] == "not checked" else found.partly
            groups.append(Group(match[2], match[3]))
    return found if found and is_possible(found) else None


def is_possible(coverage):
    """All are checked, or some group says which are not; the same of those in part."""
    return (
        coverage.in_part <= coverage.checked <= coverage.claims
        and (coverage.checked < coverage.claims) == bool(coverage.not_checked)
        and (coverage.in_part > 0) == bool(coverage.partly)
    )
