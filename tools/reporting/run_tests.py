# SPDX-License-Identifier: GPL-2.0-or-later
"""The tests of a log as data: each with what stands before its result, and its subtests."""

import re

from findings import read_finding
from soak import BEAT

CLAIMS = "# claims: "
RERUN = "# rerun: "
# Lines of the log's own form, and what belongs to a suite or to the whole run.
NO_NOTE = re.compile(
    r"# (?:Subtest|time|cpu|coverage|not checked|checked in part|trait|errata|totals|results"
    r"|shown|verdict|cut off|lab)(?:@\S+)?:.*"
)
BEAT_OF_ONE = re.compile(r"# soak@\S+: [0-9]+ s: .*")


def read_tests(log):
    """Every test that has a result, in the order of the log; a name is "suite.test"."""
    said = Said(log)
    return [said.data_of(name, result) for name, result in log.tests()]


class Said:
    """What stands before each result: it belongs to the next one behind it."""

    def __init__(self, log):
        self.before = {}  # line of the result -> [the comments before it]
        lines = {result.line for _, result in log.every()}
        waiting = []
        for number, line in enumerate(log.lines, 1):
            if number in lines:
                if waiting:
                    self.before[number] = waiting
                waiting = []
            elif (text := line.strip()).startswith("#"):
                waiting.append(text)

    def data_of(self, name, result):
        """A result with all its parts; a tree of any depth."""
        data = self.without_parts(name, result)
        waiting = [(data, result)]
        while waiting:
            above, whole = waiting.pop()
            for part in whole.children:
                above["subtests"].append(self.without_parts(part.name, part))
                waiting.append((above["subtests"][-1], part))
        return data

    def without_parts(self, name, result):
        claims, rerun, findings, notes = [], None, [], []
        for text in self.before.get(result.line, ()):
            if finding := read_finding(text):
                findings.append({**vars(finding), "after": len(notes)})
            elif text.startswith(CLAIMS):
                claims = text[len(CLAIMS) :].split()
            elif text.startswith(RERUN):
                rerun = text[len(RERUN) :]
            elif is_note(text):
                notes.append(text[1:].removeprefix(" "))
        return {
            **{"name": name, "outcome": result.outcome, "reason": result.reason},
            **{"claims": claims, "rerun": rerun, "findings": findings, "notes": notes},
            "subtests": [],
        }


def is_note(text):
    return not (NO_NOTE.fullmatch(text) or BEAT.fullmatch(text) or BEAT_OF_ONE.fullmatch(text))
