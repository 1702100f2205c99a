# SPDX-License-Identifier: GPL-2.0-or-later
"""What a log says of a soak (duration=, repeat=forever), to its end or as far as it goes."""

import re
from dataclasses import dataclass

SUITE = "soak"  # its results name no test that could be run by itself

BEAT = re.compile(
    r"# soak: ([0-9]{1,10}) s: records=([0-9]{1,20}) interrupts=([0-9]{1,20})"
    r" programs=([0-9]{1,20}) runs=([0-9]{1,20}) failed=([0-9]{1,20})"
)
FAILURE = re.compile(r" *# soak(@[A-Za-z0-9]{1,8})?: after ([0-9]{1,10}) s (\S{1,200}) failed:")
LOST = re.compile(r" *# (processor [0-9]{1,4}, APIC id [0-9]{1,10}, hung\b.{0,200})")


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
        if match := BEAT.fullmatch(line):
            found = Soak(*map(int, match.groups()))
    return found


def soak_failures(log):
    """What failed, in words, in the order in which it came; each distinct failure once."""
    found = []
    for match in filter(None, map(FAILURE.fullmatch, log.lines)):
        suite, _, rest = match[3].partition(".")
        found.append(f"{suite}{match[1] or ''}.{rest} after {match[2]} s")
    return found


def lost_processors(log):
    """Those that hung and were left behind, in a soak or not, in the log's words."""
    return [match[1] for match in map(LOST.fullmatch, log.lines) if match]


def is_of_soak(name):
    """Is it the result of a soak, "soak@E2.drawn_tests"?"""
    return re.fullmatch(rf"{SUITE}(@[^.]*)?\..*", name) is not None
