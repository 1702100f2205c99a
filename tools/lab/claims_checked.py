# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads from a log how many claims of the manual were checked, and why others were not."""

import re
from dataclasses import dataclass, field

# The processor's label, "E2", stands behind the key where it is not the one that booted.
FIGURE = re.compile(
    r"# coverage(?:@([A-Za-z]{1,8}[0-9]{1,4}))?: ([0-9]{1,4}) of ([0-9]{1,4}) claims checked"
    r"(?:, ([0-9]{1,4}) of them in part)?"
)
GROUP = re.compile(
    r"# (not checked|checked in part)(?:@([A-Za-z]{1,8}[0-9]{1,4}))?: ([^()]+) \((.*)\)"
)
PLACE = re.compile(r"[^@]+@([^@.]+)")  # of a suite's name
THE_ONE_THAT_BOOTED = re.compile(r"[A-Za-z]+0")  # a label of PLACE


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
        if (match := FIGURE.fullmatch(line)) and match[1] == place:
            found = Coverage(int(match[3]), int(match[2]), int(match[4] or 0))
        elif found and (match := GROUP.fullmatch(line)) and match[2] == place:
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
