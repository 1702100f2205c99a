# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a log's branch records, its `# trace:` lines, into traces, each with its test.

Damage, such as a missing or malformed line, is reported, and the rest is read.
"""

import re
from dataclasses import dataclass, field

from line_kinds import (
    SOAK_FAILURE,
    SUBTEST,
    TRACE,
    TRACE_HEAD,
    TRACE_LEFT_OUT,
    TRACE_STEP,
    VERSION,
)

OUT_OF_PLACE = re.compile(r"(?:not )?ok [0-9]+ (\S+)")  # a result, perhaps damaged

SAME, ALTERED, MISSING, EXTRA, ABSENT, ALONE = "=!-+~?"
DIFFERENCES = {ALTERED: "altered", MISSING: "missing", EXTRA: "extra"}
NOT_GOT = (MISSING, ABSENT)


@dataclass(frozen=True)
class Step:
    """One branch, as it was recorded and as the test knows it."""

    number: int  # in the order of time; the first of the run is 0
    mark: str
    source: int  # address of FROM; of what was not got: as expected
    target: int
    flags: int | None = None
    rings: tuple[int, int] | None = None
    kind: str | None = None
    expected: tuple[int, int] | None = None  # FROM and TO, where they are others

    @property
    def is_got(self):
        return self.mark not in NOT_GOT

    @property
    def is_executed(self):
        """As far as the test knows: what is one too many is not."""
        return self.mark != EXTRA

    @property
    def difference(self):
        """missing, extra, altered; None: as it should be, or not known."""
        return DIFFERENCES.get(self.mark)

    @property
    def way(self):
        """FROM and TO that the program went, as far as the test knows."""
        return self.expected or (self.source, self.target)


@dataclass
class Trace:
    line: int  # of its head
    source: str  # bts, lbr
    steps_in_all: int
    got: int
    expected: int | None  # None: nothing was compared
    first: int
    shown: int
    test: str = ""
    steps: list[Step] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def differences(self):
        return [step for step in self.steps if step.difference]

    def name(self):
        """For people: the test, and what the records are."""
        return f"{self.test} ({self.source}{', damaged' if self.problems else ''})"


def read_head(line, text):
    """A Trace from a line without its indentation, or None."""
    match = TRACE_HEAD.fullmatch(text)
    if not match:
        return None
    steps, got, expected, first, _, _, shown = (
        None if number is None else int(number) for number in match.groups()[1:]
    )
    if first + shown > steps:
        return None
    return Trace(line, match[1], steps, got, expected, first, shown)


def read_step(text):
    """A Step from a line without its indentation, or None."""
    match = TRACE_STEP.fullmatch(text)
    if not match:
        return None
    number, mark, source, target, flags, before, after, kind, from_, to = match.groups()
    if (from_ is not None) != (mark == ALTERED) or (flags is None) != (mark in NOT_GOT):
        return None
    return Step(
        int(number),
        mark,
        int(source, 16),
        int(target, 16),
        None if flags is None else int(flags, 16),
        None if before is None else (int(before), int(after)),
        None if kind == "-" else kind,
        None if from_ is None else (int(from_, 16), int(to, 16)),
    )


class Reader:
    """One pass over the lines of a log."""

    def __init__(self, log):
        self.results = {result.line: name for name, result in log.every()}
        self.log = log
        self.traces = []
        self.problems = []  # of no trace
        self.left_out = 0
        self.waiting = []  # traces whose test is still to come
        self.open = None  # the trace whose steps come
        self.soaked = None  # the test that a soak tells of
        self.subtest = ""

    def read(self):
        begin = self.log.root.line if self.log.root else 1
        for number, line in enumerate(self.log.lines[begin - 1 :], begin):
            if line == VERSION and number > begin:
                self.end_at(number)
                break
            self.read_line(number, line.strip())
        self.give_name(f"{self.subtest or 'no test'} (it has no result)")
        return self

    def read_line(self, number, text):
        if number in self.results:
            self.give_name(self.results[number])
            self.soaked = None
        elif text.startswith(TRACE.rstrip()):
            self.take(number, text)
        elif match := SOAK_FAILURE.fullmatch(text):
            suite, _, rest = match[3].partition(".")
            self.soaked = f"{suite}{match[1] or ''}.{rest}"
        elif text.startswith(SUBTEST):
            self.subtest = text[len(SUBTEST) :]
        elif match := OUT_OF_PLACE.match(text):
            self.give_name(f"{match[1]} (a result out of place)")

    def end_at(self, number):
        """The tree, and with it the names, is that of the first log in a file."""
        self.close()
        rest = self.log.lines[number - 1 :]
        if left := sum(read_head(0, line.strip()) is not None for line in rest):
            self.problems.append(
                f"line {number}: another log begins there, whose {left} traces are not read: "
                "cut the file"
            )

    def give_name(self, name):
        self.close()
        for trace in self.waiting:
            trace.test = name
        self.waiting = []

    def take(self, number, text):
        if trace := read_head(number, text):
            self.begin(trace)
        elif step := read_step(text):
            self.add(number, step)
        elif match := TRACE_LEFT_OUT.fullmatch(text):
            self.close()
            self.left_out += int(match[1])
        else:
            self.tell(number, "no line of a trace, though it begins as one")

    def begin(self, trace):
        self.close()
        self.open = trace
        self.traces.append(trace)
        trace.test = self.soaked or ""
        if not self.soaked:
            self.waiting.append(trace)

    def add(self, number, step):
        if self.open is None:
            self.tell(number, "a step of a trace whose head is not there")
            return
        wanted = self.open.steps[-1].number + 1 if self.open.steps else self.open.first
        end = self.open.first + self.open.shown
        if wanted == end:
            self.tell(number, f"step {step.number} is one too many")
        elif step.number != wanted:
            self.tell(number, f"step {step.number} where {wanted} should come")
        if wanted <= step.number < end:
            self.open.steps.append(step)

    def tell(self, number, text):
        problems = self.problems if self.open is None else self.open.problems
        problems.append(f"line {number}: {text}")

    def close(self):
        if self.open is not None and len(self.open.steps) != self.open.shown:
            self.tell(
                self.open.line,
                f"{self.open.shown} steps should follow, there are {len(self.open.steps)}",
            )
        self.open = None


def read_traces(log):
    """A Reader that has read: traces, problems, left_out (how many had no room in the log)."""
    return Reader(log).read()
