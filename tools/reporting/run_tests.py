# SPDX-License-Identifier: GPL-2.0-or-later
"""The tests of a log as data: each with what stands before its result, and its subtests."""

import re

from findings import read_finding
from log_tree import UNFINISHED
from soak import BEAT

CLAIMS = "# claims: "
RERUN = "# rerun: "
RECORD = "# trace: "
REST, NOT_THERE = "not in the log", "are planned and not in the log"
# Lines of the log's own form, and what belongs to a suite or to the whole run.
NO_NOTE = re.compile(
    r"# (?:Subtest|time|cpu|coverage|not checked|checked in part|trait|errata|totals|results"
    r"|shown|verdict|cut off|lab)(?:@\S+)?:.*"
)
BEAT_OF_ONE = re.compile(r"# soak@\S+: [0-9]+ s: .*")


def read_tests(log):
    """Every test, in the order of the log; a name is "suite.test". One that the log broke off in
    has no result; those that were planned and never came stand together as one test of a suite."""
    said = Said(log)
    found = [said.data_of(name, result) for name, result in log.tests(unfinished=True)]
    return found + [test_data(name, UNFINISHED, reason) for name, reason in not_in(log)]


def not_in(log):
    """(name, reason) for each suite that has fewer tests than planned, and for suites."""
    if log.root:
        for suite in log.suites(unfinished=True):
            if suite.block and (number := missing(suite.block)):
                yield f"{suite.name}.{REST}", f"{number} of {suite.block.plan} tests {NOT_THERE}"
        if number := missing(log.root):
            yield f"{REST}.suites", f"{number} of {log.root.plan} suites {NOT_THERE}"


def missing(block):
    return max(0, (block.plan or 0) - len(block.inside(unfinished=True)))


class Said:
    """What stands before each result: it belongs to the next one behind it, and what stands at the
    end to the test that the log broke off in."""

    def __init__(self, log):
        self.before = {}  # line of the result -> [the comments before it]
        lines = {result.line for _, result in log.every(unfinished=True)}
        waiting = []
        for number, line in enumerate([*log.lines, ""], 1):
            if number in lines:
                if waiting:
                    self.before[number] = waiting
                waiting = []
            if (text := line.strip()).startswith("#"):
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
        claims, rerun, findings, notes, records = [], None, [], [], 0
        for text in self.before.get(result.line, ()):
            if finding := read_finding(text):
                findings.append({**vars(finding), "after": len(notes)})
            elif text.startswith(CLAIMS):
                claims = text[len(CLAIMS) :].split()
            elif text.startswith(RERUN):
                rerun = text[len(RERUN) :]
            elif text.startswith(RECORD):
                records += 1
            elif is_note(text):
                notes.append(text[1:].removeprefix(" "))
        if records:
            notes.append(f"{records} lines of branch records: tools/lab/trace LOG shows them")
        reason = result.reason or (broke_off(result) if result.outcome == UNFINISHED else "")
        data = test_data(name, result.outcome, reason)
        return data | {"claims": claims, "rerun": rerun, "findings": findings, "notes": notes}


def test_data(name, outcome, reason):
    lists = {key: [] for key in ("claims", "findings", "notes", "subtests")}
    return {"name": name, "outcome": outcome, "reason": reason, "rerun": None, **lists}


def broke_off(result):
    """It is told by its block alone."""
    there, planned = len(result.block.results), result.block.plan
    parts = f"; {there} of its {planned} parts are there" if planned else ""
    return f"its result is not in the log{parts}"


def is_note(text):
    return not (NO_NOTE.fullmatch(text) or BEAT.fullmatch(text) or BEAT_OF_ONE.fullmatch(text))
