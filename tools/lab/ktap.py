# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the kernel's KTAP log into a tree, and says where the log breaks the rules.

Stricter than the specification: a plan at the head of every block (in a compact log, behind
subtests), numbers without a gap, a parent that is `not ok` when a child is. It is no TAP parser,
because these take `okay` for a result and do not nest.
"""

import re
import zlib
from dataclasses import dataclass, field
from functools import cached_property

from line_sums import forget_cut_lines
from log_lines import Received, receive
from log_tree import UNFINISHED, Block, Problem, Result
from line_kinds import (
    HEAD,
    LAST,
    LOOKS_LIKE,
    OURS,
    PLAN,
    RESULT,
    RESULT_KEYS,
    RESULTS,
    SHOWN,
    SUBTEST,
    TOTALS,
    TRACE,
    VERDICT,
    VERSION,
)

INDENT = 2  # spaces a level
SUBTESTS = 2  # their level

DIRECTIVES = {"ok": {None, "SKIP", "XFAIL"}, "not ok": {None, "TIMEOUT", "ERROR"}}

VERDICTS = ("PASS", "FAIL", "ERROR", "CRASH", "SKIP", "TIMEOUT", "DRY_RUN", "LISTED")
COMPACT = re.compile(r"compact\b.*")  # of the head's `log`
SAME_REASON = "as above"  # in a compact log: that of the result before


@dataclass
class Log:
    lines: list[str]  # of the kernel, without what was added on the way
    root: Block | None = None
    problems: list[Problem] = field(default_factory=list)  # the tree is broken
    subtests: list[str] = field(default_factory=list)  # `# Subtest:` names, as they came
    bail_out: str | None = None
    restarted_at: int | None = None  # a second log begins here: the machine was reset
    verdict: str | None = None
    goes_on: bool = False  # lines follow the verdict
    ended_at: int | None = None  # the line of the first verdict
    totals: dict[str, int] | None = None  # of tests, as the log says
    results: dict[str, int] | None = None  # of results without parts, as the log says
    shown: dict[str, int] | None = None  # … of those, the ones that are in a compact log
    shown_of: int | None = None  # … so many
    check: int | None = None  # over the lines of structure, as the log says
    computed_check: int = 0  # … and as it is
    counted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RESULT_KEYS, 0))  # here
    received: Received | None = None  # how the lines came

    def suites(self, unfinished=False):
        """unfinished: also those that the log broke off in."""
        return self.root.inside(unfinished) if self.root else []

    def tests(self, unfinished=False):
        """The results two levels down (suite, test), each as (suite.test, result)."""
        for suite in self.suites(unfinished):
            for test in suite.block.inside(unfinished) if suite.block else []:
                yield f"{suite.name}.{test.name}", test

    def every(self, unfinished=False):
        """Every result, each as (full name, result); one with parts stands before them."""
        waiting = [("", result) for result in reversed(self.suites(unfinished))]
        while waiting:
            above, result = waiting.pop()
            yield above + result.name, result
            inside = result.block.inside(unfinished) if result.block else []
            waiting += [(f"{above}{result.name}.", each) for each in reversed(inside)]

    def leaves(self):
        """Every result without a nested block, each as (full name, result)."""
        return ((name, result) for name, result in self.every() if not result.block)

    @cached_property
    def comments(self):
        """Line of a result -> the comments before it, without indentation and branch records."""
        lines = {result.line for _, result in self.every(unfinished=True)}
        found, waiting = {}, []
        for number, line in enumerate(self.lines, 1):
            if number in lines:
                found[number], waiting = waiting, []
            elif (text := line.strip()).startswith("# ") and not text.startswith(TRACE):
                waiting.append(text)
        return found

    def traits(self):
        """The `# trait:` lines at the end: the choices once more, and what is unknown."""
        return [line[len("# trait: ") :] for line in self.lines if line.startswith("# trait: ")]

    def command_line(self):
        """The words that the kernel was started with, as the head of the log names them."""
        return self.header().get("command line", "").split()

    def is_compact(self):
        """Does its head say so? Subtests that passed are not in it then."""
        return bool(COMPACT.fullmatch(self.header().get("log", "")))

    def header(self):
        """The `# key: value` lines that introduce the machine (up to the first plan). What no line
        end follows may be half a line."""
        found = {}
        for line in self.lines[:-1]:
            if PLAN.fullmatch(line):
                break
            if match := HEAD.fullmatch(line):
                found.setdefault(match[1], match[2])
        return found


def is_verdict(line):
    """Is it a verdict line, whichever?"""
    return VERDICT.fullmatch(line) is not None


class Reader:
    """One pass over the lines; `stack` holds the blocks that are open, outermost first."""

    def __init__(self, lines):
        self.log = Log(lines)
        self.stack = []
        self.closed = None  # a nested block that awaits its parent's result line
        self.ended = False  # the totals have come

    def problem(self, number, text):
        self.log.problems.append(Problem(number, text))

    def read(self):
        if VERSION not in self.log.lines:
            self.find_ending(0)
            return self.log
        start = self.log.lines.index(VERSION)
        if any(OURS.fullmatch(line.strip()) for line in self.log.lines[:start]):
            self.log.restarted_at = start + 1
        for number, line in self.numbered(start):
            if self.log.restarted_at is not None:
                break
            if self.log.bail_out is None and line:
                self.take(number, line)
            elif line == VERSION:
                self.log.restarted_at = number
        if not self.ended and self.log.bail_out is None and self.log.restarted_at is None:
            self.close_all(len(self.log.lines))
        self.keep_unfinished(1, len(self.log.lines) + 1)
        self.find_ending(start)
        return self.log

    def numbered(self, start):
        return enumerate(self.log.lines[start:], start + 1)

    def take(self, number, line):
        text = line.strip()
        if text.startswith(SUBTEST) or LOOKS_LIKE.match(text):
            self.add_to_check(line)
        depth, rest = divmod(len(line) - len(line.lstrip(" ")), INDENT)
        if text.startswith("#"):
            self.take_diagnostic(number, text)
        elif text.startswith("Bail out!"):
            self.log.bail_out = text[len("Bail out!") :].strip() or "no reason given"
        elif LOOKS_LIKE.match(text):
            if self.ended:
                self.take_after_end(number, text, depth)
            elif rest:
                self.problem(number, f"indented by an odd number of spaces: '{text}'")
            elif text == VERSION:
                self.take_version(number, depth)
            elif match := PLAN.fullmatch(text):
                self.take_plan(number, depth, match)
            elif match := RESULT.fullmatch(text):
                self.take_result(number, depth, match)
            else:
                self.problem(number, f"neither a plan nor a result: '{text}'")

    def add_to_check(self, line):
        """CRC-32 over every line of structure, its newline included."""
        self.log.computed_check = zlib.crc32((line + "\n").encode(), self.log.computed_check)

    def take_after_end(self, number, text, depth):
        if text == VERSION and depth == 0:
            self.log.restarted_at = number
        else:
            self.problem(number, f"after the end of the log: '{text}'")

    def take_diagnostic(self, number, text):
        if text.startswith(SUBTEST):
            self.log.subtests.append(text[len(SUBTEST) :])
            if self.stack and not self.stack[-1].name:
                self.stack[-1].name = self.log.subtests[-1]
        elif text.startswith(("# totals:", "# shown:")) and not self.ended:
            self.close_all(number)
            self.ended = True

    def take_version(self, number, depth):
        if depth == 0 and self.log.root:
            self.log.restarted_at = number
            return
        if depth != len(self.stack) or self.closed:
            self.problem(number, f"a block at level {depth} cannot begin here")
            self.close_down_to(depth, number)
        block = Block(number, depth)
        self.stack.append(block)
        if depth == 0:
            self.log.root = block

    def take_plan(self, number, depth, match):
        if depth != len(self.stack) - 1 or self.stack[-1].plan is not None:
            self.problem(number, "a plan must follow its block's version line")
            return
        block = self.stack[-1]
        if block.results and not self.plans_last(depth):
            self.problem(number, "the plan comes after results")
        block.plan = int(match[1])
        if "SKIP" in match[0]:
            block.skip = match[2] or "no reason given"
        if (block.plan == 0) != (block.skip is not None):
            self.problem(number, "a plan of nothing, and nothing else, says # SKIP and why")

    def plans_last(self, depth):
        """A compact log counts subtests when it has them."""
        return depth == SUBTESTS and self.log.is_compact()

    def take_result(self, number, depth, match):
        word, index, name, directive, reason = match.groups()
        if depth == len(self.stack) - 2:
            self.close_top(number)
        if depth != len(self.stack) - 1:
            self.problem(number, f"a result at level {depth} cannot stand here: '{match[0]}'")
            return
        block, nested = self.stack[-1], self.closed
        self.closed = None
        reason = self.whole_reason(block, directive, reason or "")
        result = Result(name, word == "ok", directive, reason, number, nested)
        self.check_result(result, int(index), block, word)
        block.results.append(result)
        self.log.counted[result.outcome] += nested is None

    @staticmethod
    def whole_reason(block, directive, reason):
        is_same = directive == "SKIP" and reason == SAME_REASON and block.results
        return block.results[-1].reason if is_same else reason

    def check_result(self, result, index, block, word):
        if block.plan is None and not self.plans_last(block.depth):
            self.problem(result.line, "a result before the plan")
        if index != len(block.results) + 1:
            self.problem(result.line, f"number {index} where {len(block.results) + 1} should come")
        if result.name in block.names:
            self.problem(result.line, f"the name '{result.name}' came before in this block")
        block.names.add(result.name)
        if result.directive not in DIRECTIVES[word]:
            self.problem(result.line, f"'{word}' cannot carry # {result.directive}")
        if result.ok and any(not child.ok for child in result.children):
            self.problem(result.line, f"'{result.name}' is ok although a part of it is not")

    def close_top(self, number):
        block = self.stack.pop()
        if problem := block.closing_problem(number):
            self.log.problems.append(problem)
        self.closed = block

    def close_down_to(self, depth, number):
        self.keep_unfinished(max(depth, 1), number)
        while len(self.stack) > depth:
            self.close_top(number)
        self.closed = None

    def keep_unfinished(self, depth, number):
        """The blocks that are open from there on: no result of theirs comes any more."""
        for above, block in zip(self.stack[depth - 1 :], self.stack[depth:]):
            lost = Result(block.name or "?", False, UNFINISHED, "", number, block)
            above.unfinished.append(lost)

    def close_all(self, number):
        if len(self.stack) > 1:
            name = f" ('{self.log.subtests[-1]}')" if self.log.subtests else ""
            self.problem(
                number, f"the log ends inside the block of line {self.stack[-1].line}{name}"
            )
        self.close_down_to(0, number)

    def find_ending(self, start):
        """Totals, results and verdict: the last lines, possibly several times, always the same."""
        lines = self.log.lines[start:]
        verdicts = [m[1] for m in map(VERDICT.fullmatch, lines) if m]
        filled = [line for line in lines if line.strip()]
        if verdicts and is_cut(verdicts[-1]) and VERDICT.fullmatch(lines[-1]):
            verdicts.pop()
        if not verdicts:
            return
        self.log.ended_at = next(n for n, line in self.numbered(start) if VERDICT.fullmatch(line))
        self.log.verdict = verdicts[-1]
        if self.log.root:
            self.check_order()
        for number, line in self.numbered(start):
            if line.startswith("# verdict:") and not VERDICT.fullmatch(line):
                self.problem(number, f"no verdict, though it begins as one: '{line}'")
        if len(set(verdicts)) > 1:
            self.problem(0, f"more than one verdict: {', '.join(sorted(set(verdicts)))}")
        if not VERDICT.fullmatch(filled[-1]):
            self.log.goes_on = True
            self.problem(0, f"the verdict is not the last line, '{filled[-1].strip()}' is")
        self.find_sums(lines)

    def check_order(self):
        """Each of the last lines, where it came first, stands behind those before it."""
        first = {}
        for number, line in self.numbered(self.log.root.line - 1):
            if match := LAST.match(line):
                first.setdefault(match[1], number)
        order = [first[name] for name in ("shown", "totals", "results", "verdict") if name in first]
        if order != sorted(order):
            self.problem(min(order), "the last lines are not in their order")

    def find_sums(self, lines):
        totals, results = self.only_one("# totals:", lines), self.only_one("# results:", lines)
        if match := TOTALS.fullmatch(totals):
            self.log.totals = read_sums(match[1])
        if match := SHOWN.fullmatch(self.only_one("# shown:", lines)):
            self.log.shown, self.log.shown_of = read_sums(match[1]), match[2] and int(match[2])
        if match := RESULTS.fullmatch(results):
            self.log.results, self.log.check = read_sums(match[1]), int(match[2], 16)

    def only_one(self, begin, lines):
        """The line that begins so; "" where there is none."""
        found = list(dict.fromkeys(line for line in lines if line.startswith(begin)))
        if len(found) > 1:
            self.problem(0, f"'{begin}' came twice and differs: '{found[0]}', '{found[1]}'")
        return found[0] if found else ""


def read_sums(text):
    return {key: int(number) for key, number in re.findall(r"([a-z]+)=([0-9]+)", text)}


def is_cut(word):
    """The beginning of a verdict, no more."""
    return word not in VERDICTS and any(whole.startswith(word) for whole in VERDICTS)


def read(raw, choice=None):
    """Serial bytes to a Log. choice: a text that its prefix holds, where a file has several."""
    log = read_received(receive(raw, choice))
    if log.root is not None and any(doubts(log)):
        joined = receive(raw, choice, is_wrapped=True)
        return min(log, read_received(joined), key=doubts) if joined.width else log
    return log


def doubts(log):
    """What may be wrong because a terminal wrapped lines; the worst comes first."""
    sums, strange = log.received.sums, len(log.received.strange)
    return log.check != log.computed_check, strange, len(sums.damaged) if sums else 0


def read_received(received):
    lines = forget_cut_lines(list(received.lines))
    if received.sums:
        received.sums.forget_damaged(lines)
    log = Reader(lines).read()
    log.received = received
    return log
