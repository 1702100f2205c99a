# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person sees: the log while it comes, then the judgement."""

import re
import sys
from collections import Counter

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
FINDINGS_SHOWN = 3  # the first of each of so many tests
GROUPS_SHOWN = 6  # of claims that were not checked
WIDTH = 160  # characters of a finding
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


def print_judgement(judgement, outcome=None, log_path=None, again="", out=sys.stderr):
    """Status, counts, reasons and what to do next, a few lines; again: the command for that.

    A person who sees make's "Error 4" behind it must not take it for a fault.
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
    for reason in judgement.reasons[:REASONS_SHOWN]:
        print(f"  {reason}", file=out)
    if len(judgement.reasons) > REASONS_SHOWN:
        print(f"  … and {len(judgement.reasons) - REASONS_SHOWN} more", file=out)
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


def print_findings(log, out):
    """What was found, kind by kind, and some of it; which errata excuse what failed otherwise."""
    failed = failures(log) if log else []
    if failed:
        print("  findings: " + listed(count_kinds(failed)), file=out)
    for name, found in failed[:FINDINGS_SHOWN]:
        print(f"    {name}: {found[0]}"[:WIDTH], file=out)
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
        if "TCG doesn't support requested feature" not in line and line not in reasons:
            print(line, file=out)


def summary(judgement, outcome):
    counts = ", ".join(f"{number} {name}" for name, number in judgement.counts().items())
    tests = sum(1 for _ in judgement.log.tests())
    seconds = f"; {outcome.seconds:.1f} s with firmware and loader" if outcome else ""
    return f"{tests} tests, results: {counts}{seconds}"
