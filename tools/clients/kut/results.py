# SPDX-License-Identifier: GPL-2.0-or-later
"""What did one program of kvm-unit-tests say, and is it what was expected?"""

import re
from dataclasses import dataclass, field

LINE = re.compile(r"(PASS|FAIL|SKIP|KFAIL|XPASS|XFAIL): (.*)")
# The program `pmu` says so by how much a count misses its bounds; the verdict follows.
BOUNDS = re.compile(r"-?\d+ <= -?\d+ <= -?\d+$")
SUMMARY = re.compile(r"SUMMARY: (\d+) tests((?:, \d+ [a-z ]+)*)$")
# In the order of the summary, what it calls them.
COUNTED = {
    "unexpected failures": ("FAIL", "XPASS"),
    "known failures": ("KFAIL",),
    "expected failures": ("XFAIL",),
    "skipped": ("SKIP",),
}
# isa-debug-exit ends QEMU with twice what the guest wrote, plus one. It writes 0 where nothing
# failed, 1 where something did, 38 where all was skipped: 77, which automake takes for a skip.
STATUS = {"passed": 1, "failed": 3, "skipped": 77}


@dataclass
class Results:
    """The verdict lines of one log by kind, in their order, and the numbers of its last summary."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    summary: dict[str, int] | None = None

    def count(self, *kinds):
        """How many lines of these kinds."""
        return sum(len(self.lines.get(kind, [])) for kind in kinds)

    def failures(self):
        """The names of what failed, or should have and did not."""
        return self.lines.get("FAIL", []) + self.lines.get("XPASS", [])


def read(log):
    """The results of one log."""
    results = Results()
    for line in log.splitlines():
        text = line.strip()
        if (match := LINE.match(text)) and not BOUNDS.match(match[2]):
            results.lines.setdefault(match[1], []).append(match[2])
        elif match := SUMMARY.match(text):
            parts = [part.split(" ", 1) for part in match[2].split(", ")[1:]]
            results.summary = {name: int(number) for number, name in parts}
            results.summary["tests"] = int(match[1])
    return results


def counted(results):
    """What the summary of these lines should be."""
    lines = {name: results.count(*kinds) for name, kinds in COUNTED.items()}
    total = results.count("PASS") + sum(lines.values())
    return {name: number for name, number in lines.items() if number} | {"tests": total}


def end_of(results):
    """Which exit status the lines ask for."""
    if results.count("SKIP") == counted(results)["tests"]:
        return "skipped"
    return "failed" if results.failures() else "passed"


def witnesses(results, status):
    """One sentence for each way in which lines, summary and exit status disagree."""
    if results.summary is None:
        return [f"the log ends before its summary (QEMU's exit status {status})"]
    found, lines, end = [], counted(results), end_of(results)
    if lines != results.summary:
        found.append(f"the summary counts {results.summary}, the log has {lines}")
    if status != STATUS[end]:
        found.append(f"QEMU's exit status is {status}, {STATUS[end]} says {end}")
    return found


def compare(results, expected):
    """One sentence for each way in which `results` differ from a row of expected.toml."""
    found = []
    for kind in ("PASS", "SKIP"):
        wanted = expected.get(kind.lower(), 0)
        if results.count(kind) != wanted:
            found.append(f"{results.count(kind)} {kind} lines, expected {wanted}")
    known = [name for row in expected.get("known", []) for name in row["names"]]
    failed = results.failures()
    for name in sorted(set(failed) - set(known)):
        found.append(f"unexpected FAIL: {name}")
    for name in sorted(set(known) - set(failed)):
        found.append(f"known to fail, but does not any more: {name}")
    for name in sorted(set(known) & set(failed)):
        if failed.count(name) != known.count(name):
            found.append(f"fails {failed.count(name)} times, expected {known.count(name)}: {name}")
    return found
