# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person sees: the log while it comes, then the judgement."""

import re
import sys
from collections import Counter

from diagnosis import diagnose, find_dictionary, test_of
from errors import LabError
from log_notes import count_kinds, excused, failures, other_places, read_coverage, read_soak
from judge import Status
from log_lines import Follower, split_lines

RED, GREEN, YELLOW, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"
COLOURS = (
    (re.compile(r"\s*(not ok\b|Bail out!)|# (verdict: (FAIL|CRASH|ERROR)|error:)"), RED),
    (re.compile(r"\s*ok\b.*# (SKIP|XFAIL)|# verdict: (SKIP|DRY_RUN|LISTED)"), YELLOW),
    (re.compile(r"\s*ok\b|# verdict: PASS"), GREEN),
)
NOTHING_TESTED = (Status.SKIP, Status.DRY_RUN, Status.LISTED)
ENDED_WELL = (Status.PASS, *NOTHING_TESTED)  # nothing went wrong, at least
REASONS_SHOWN = 12
KINDS_SHOWN = 8
TESTS_SHOWN = 6  # that failed
GROUPS_SHOWN = 6  # of claims that were not checked
NOT_OK = "not ok: "
UNKNOWN = "the log does not say what was not checked"


def severity(status):
    """What max() compares by: whatever went wrong is worse than what went well."""
    return status not in ENDED_WELL, status


def colour_of(text):
    return next((colour for pattern, colour in COLOURS if pattern.match(text)), None)


class Stream:
    """Takes serial bytes, prints whole lines; colours them on a terminal."""

    def __init__(self, out):
        self.out = out
        self.colour = out.isatty()
        self.pending = bytearray()
        self.follower = Follower()

    def __call__(self, chunk):
        self.pending += chunk
        if b"\n" in chunk:
            *lines, self.pending = self.pending.split(b"\n")
            for line in lines:
                self.print_line(line)
        self.out.flush()

    def print_line(self, raw):
        """As it came, with its prefix; the colour is that of what stands behind."""
        line = split_lines(raw)[0]
        colour = self.colour and colour_of(self.follower.text_of(raw))
        self.out.write(f"{colour}{line}{PLAIN}\n" if colour else line + "\n")

    def finish(self):
        """The last line may have no end."""
        if self.pending:
            self.print_line(self.pending)
            self.pending.clear()
        self.out.flush()


def print_judgement(
    judgement, outcome=None, log_path=None, again="", out=sys.stderr, dictionary=None
):
    """Status, what is broken and what to do next, a few lines; again: the command for that.

    dictionary: of faults, for what it looks like; None: that of the release, if there is one. A
    person who sees make's "Error 4" behind it must not take it for a fault.
    """
    meaning, next_step = judgement.meaning()
    if outcome and judgement.status not in ENDED_WELL:
        print_messages(outcome.messages, judgement.reasons, out)
    coverage = read_coverage(judgement.log) if judgement.log else None
    print(
        f"{judgement.status.name} (status {int(judgement.status)}): {meaning}"
        + beside_the_verdict(judgement, coverage),
        file=out,
    )
    if judgement.status == Status.PASS and coverage:
        print_not_checked(coverage, out)
    if judgement.log and judgement.ran():
        print_places(judgement, out)
    if judgement.status == Status.FAIL:
        print_diagnosis(judgement, dictionary, out)
    print_reasons(judgement.reasons, out)
    print_findings(judgement.log, out)
    for remark in judgement.remarks:
        print(f"  {remark}", file=out)
    if judgement.log and judgement.ran() and (soak := read_soak(judgement.log)):
        print(f"  {soak}", file=out)
    if judgement.log and judgement.log.root:
        print("  " + summary(judgement, outcome), file=out)
    if log_path:
        print(f"  log: {log_path}", file=out)
    if again and judgement.status not in (*ENDED_WELL, Status.ERROR):
        print(f"  again: {again}", file=out)
    if next_step:
        print(f"  next: {next_step}", file=out)
    if judgement.status in NOTHING_TESTED and outcome:
        print(nothing_went_wrong(judgement), file=out)


def beside_the_verdict(judgement, coverage):
    """A verdict is about what was checked."""
    if not judgement.ran():
        return ""
    if coverage:
        return f"; {coverage}"
    return f"; {UNKNOWN}" if judgement.status == Status.PASS else ""


def print_not_checked(coverage, out, where=""):
    for group in coverage.not_checked[:GROUPS_SHOWN]:
        print(f"  not checked{where}: {group}", file=out)
    more = len(coverage.not_checked) - GROUPS_SHOWN
    if more > 0:
        print(f"  not checked{where}: more, for {more} other reasons: see the log", file=out)


def print_places(judgement, out):
    """Of the other kinds of processor: each has claims of its own to keep."""
    for place in other_places(judgement.log):
        coverage = read_coverage(judgement.log, place)
        print(f"  on {place}: {coverage or UNKNOWN}", file=out)
        if coverage and judgement.status == Status.PASS:
            print_not_checked(coverage, out, f" on {place}")


def print_diagnosis(judgement, dictionary, out):
    """What is broken; a dictionary that cannot be read leaves the rest as it is."""
    try:
        dictionary = dictionary or find_dictionary()
    except LabError as error:
        judgement.remarks.append(f"{error}; nothing was looked up in it")
    if diagnosis := diagnose(judgement.log, dictionary):
        for line in diagnosis.lines():
            print(f"  {line}", file=out)


def print_reasons(reasons, out):
    """Parts of one test in one line."""
    failed = [reason.removeprefix(NOT_OK) for reason in reasons if reason.startswith(NOT_OK)]
    if len(failed) > TESTS_SHOWN:
        parts = Counter(test_of(name) for name in failed)
        told = [f"{name} ({n} parts)" if n > 1 else name for name, n in parts.items()]
        more = len(told) - TESTS_SHOWN
        tail = f" and {more} more tests" if more > 0 else ""
        reasons = [reason for reason in reasons if not reason.startswith(NOT_OK)]
        reasons = [f"{NOT_OK}{', '.join(told[:TESTS_SHOWN])}{tail}", *reasons]
    for reason in reasons[:REASONS_SHOWN]:
        print(f"  {reason}", file=out)
    if len(reasons) > REASONS_SHOWN:
        print(f"  … and {len(reasons) - REASONS_SHOWN} more", file=out)


def print_findings(log, out):
    """What was found, kind by kind; which errata excuse what failed otherwise."""
    failed = failures(log) if log else []
    if failed:
        print("  findings: " + listed(count_kinds(failed)), file=out)
    if log and (errata := excused(log)):
        print("  excused by errata: " + listed(Counter(errata)), file=out)


def listed(counted):
    """The most frequent ones, and how many more there are."""
    shown = [f"{name} x{times}" for name, times in counted.most_common(KINDS_SHOWN)]
    more = len(counted) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def nothing_went_wrong(judgement):
    """In one line: why that is no failure, and why it is no pass."""
    if judgement.status == Status.SKIP:
        why = f"what was to be tested is not there{most_skips(judgement)}"
    else:
        why = "nothing was tested"
    number = int(judgement.status)
    return (
        f"Nothing went wrong, but {why}: no pass, so the status is {number}, which make calls"
        f" Error {number}."
    )


def most_skips(judgement):
    reasons = Counter(each.reason for _, each in judgement.log.leaves() if each.outcome == "skip")
    return f" (most skips say: {reasons.most_common(1)[0][0]})" if reasons else ""


def print_messages(messages, reasons, out):
    """The emulator's own words, but for those that say what a named processor lacks under TCG."""
    for line in messages.splitlines():
        known = any(reason.startswith(line) for reason in reasons)
        if "TCG doesn't support requested feature" not in line and not known:
            print(line, file=out)


def summary(judgement, outcome):
    counts = ", ".join(f"{number} {name}" for name, number in judgement.counts().items())
    tests = sum(1 for _ in judgement.log.tests())
    seconds = f"; {outcome.seconds:.1f} s with firmware and loader" if outcome else ""
    return f"{tests} tests, results: {counts}{seconds}"
