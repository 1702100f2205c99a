# SPDX-License-Identifier: GPL-2.0-or-later
"""The tests of a log as data: each with its subtests and the lines before its result."""

import re

from line_kinds import (
    CLAIMS,
    RERUN,
    RETEST,
    SOAK_BEAT,
    SOAK_BEAT_OF_ONE,
    SOAK_FAILURE,
    SUBTEST,
    TEST_TIME,
    TRACE,
)
from log_notes import SOAK, read_finding
from log_tree import UNFINISHED

from words import REST

DEEPEST = 16  # levels of parts that are kept; the kernel's logs have two or three
DRAWN = "drawn_tests"  # the test of a soak
NOT_THERE = f"are planned and {REST}"
# Lines of the log's own form, and what belongs to a suite or to the whole run.
NO_NOTE = re.compile(
    r"# (?:Subtest|time|cpu|coverage|not checked|checked in part|trait|errata|broken|totals"
    r"|results|shown|verdict|cut off|lab)(?:@\S+)?:.*"
)


def read_tests(log):
    """Every test, in the order of the log; a name is "suite.test". One that the log broke off in
    has no result; those that were planned and never came stand together as one test of a suite."""
    said = Said(log)
    found = [said.data_of(name, result) for name, result in log.tests(unfinished=True)]
    names = {each["name"] for each in found}
    found += [said.of_soak(suite) for suite in said.of_soaks if f"{suite}.{DRAWN}" not in names]
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
    end to the test that the log broke off in. Processors tell of a soak by turns, long before its
    results: what each tells belongs to its own."""

    def __init__(self, log):
        self.before = {}  # line of the result -> [the comments before it]
        self.of_soaks = {}  # suite, "soak@E2" -> [its comments]
        self.half = len(log.lines) if log.verdict is None and log.lines[-1:] != [""] else None
        lines = {result.line for _, result in log.every(unfinished=True)}
        waiting, in_soak = [], False
        for number, line in enumerate([*log.lines, ""], 1):
            text = line.strip()
            if number in lines and not in_soak:
                self.before[number] = waiting
            if number in lines or in_soak and text.startswith(SUBTEST):
                waiting, in_soak = [], False
            if match := SOAK_FAILURE.fullmatch(line):
                suite = SOAK + (match[1] or "")
                waiting, in_soak = self.of_soaks.setdefault(suite, []), True
            if text.startswith("#"):
                waiting.append(text)

    def of_soak(self, suite):
        """A soak that has told of failures and has no result."""
        data = test_data(f"{suite}.{DRAWN}", "fail", "the log ends before its result")
        return data | read_comments(self.of_soaks[suite])

    def data_of(self, name, result):
        """A result with all its parts, as deep as JSON's writer goes in any case."""
        data = self.without_parts(name, result)
        waiting = [(data, result, 1)]
        while waiting:
            above, whole, depth = waiting.pop()
            for part in whole.children if depth < DEEPEST else ():
                above["subtests"].append(self.without_parts(part.name, part))
                waiting.append((above["subtests"][-1], part, depth + 1))
        return data

    def without_parts(self, name, result):
        suite, _, test = name.partition(".")
        comments = self.of_soaks.get(suite, []) if test == DRAWN else []
        outcome, reason = result.outcome, result.reason
        if result.line == self.half:
            outcome, reason = UNFINISHED, "the log ends within the line of its result"
        elif outcome == UNFINISHED:
            reason = broke_off(result)
        data = test_data(name, outcome, reason)
        return data | read_comments([*comments, *self.before.get(result.line, ())])


def read_comments(comments):
    """What they say of the test: fields of its data. A soak's test claims for each that it drew."""
    claims, findings, notes, records = {}, [], [], 0
    rerun = retest = seconds = None
    for text in comments:
        if finding := read_finding(text):
            findings.append({**vars(finding), "after": len(notes)})
        elif text.startswith(CLAIMS):
            claims |= dict.fromkeys(text[len(CLAIMS) :].split())
        elif text.startswith(RERUN) and not rerun:
            rerun = text[len(RERUN) :]
        elif match := RETEST.fullmatch(text):
            retest = retest_data(match)
        elif match := TEST_TIME.fullmatch(text):
            seconds = float(match[1])
        elif text.startswith(TRACE):
            records += 1
        elif is_note(text):
            notes.append(text[1:].removeprefix(" "))
    if records:
        notes.append(f"{records} lines of branch records: tools/lab/trace LOG shows them")
    found = {"claims": list(claims), "rerun": rerun, "retest": retest, "seconds": seconds}
    return {**found, "findings": findings, "notes": notes}


def retest_data(match):
    """How often it failed when it ran again."""
    failed, runs, cut_short = match.groups()
    return {
        "failed": int(failed or 0),
        "runs": int(runs or 0),
        "cut_short": runs is None or cut_short is not None,
    }


def test_data(name, outcome, reason):
    lists = {key: [] for key in ("claims", "findings", "notes", "subtests")}
    alone = {"name": name, "outcome": outcome, "reason": reason}
    return {**alone, **dict.fromkeys(("rerun", "retest", "seconds")), **lists}


def broke_off(result):
    """It is told by its block alone."""
    there, planned = len(result.block.results), result.block.plan
    parts = f"; {there} of its {planned} parts are there" if planned else ""
    return f"its result is not in the log{parts}"


def is_note(text):
    return not (
        NO_NOTE.fullmatch(text) or SOAK_BEAT.fullmatch(text) or SOAK_BEAT_OF_ONE.fullmatch(text)
    )
