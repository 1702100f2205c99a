# SPDX-License-Identifier: GPL-2.0-or-later
"""What a terminal shows of a log while it comes: a line for each suite, failures in full, and on a
line that is overwritten what runs now. The file has the whole log.
"""

import os
import re
import shutil
import time
from collections import Counter
from dataclasses import dataclass, field

import ktap
import line_kinds as kinds
from log_lines import Follower
from judgement_text import PLAIN, RED, colour_of

AT_ONCE = re.compile(rf"# error: .*|{kinds.SOAK_BEAT.pattern}")
FAILED_IN_SOAK = re.compile(rf"{kinds.SOAK_FAILURE.pattern}|{kinds.LOST.pattern}")
COLUMNS = {"pass": "passed", "fail": "failed", "skip": "skipped"}
SELDOM = {"xfail": "excused", "timeout": "starved"}
OUTCOMES = {"SKIP": "skip", "XFAIL": "xfail", "TIMEOUT": "timeout"}
CLEAR = "\r\x1b[K"
PAUSE = 0.1  # seconds between two times that the line is overwritten
SILENT = 2  # seconds without a byte: then they are told


@dataclass
class Block:
    """A part of the log whose result has not come."""

    name: str = "?"
    plan: str = "?"
    head: list[str] = field(default_factory=list)  # its name's line, shown once
    waiting: list[str] = field(default_factory=list)  # since the last result, shown if one fails
    counts: Counter = field(default_factory=Counter)  # of results, by outcome
    last: str = ""  # result

    def progress(self):
        after = f", after {self.last}" if self.last else ""
        return f"{self.counts.total()} of {self.plan} done{after}"

    def take_waiting(self):
        lines = self.head + self.waiting
        self.head, self.waiting = [], []
        return lines


def suite_line(name, counts, seconds):
    cells = "".join(
        f"{counts[key] or '':>4} {word if counts[key] else '':{len(word)}}  "
        for key, word in COLUMNS.items()
    )
    seldom = "".join(f", {counts[key]} {word}" for key, word in SELDOM.items() if counts[key])
    return f"{name:22} {cells}{seconds:>8}{' s' if seconds else ''}{seldom}".rstrip()


class Terminal:
    """Lines that stay, and one that is overwritten where the terminal can."""

    def __init__(self, out):
        self.out, self.passing = out, ""
        self.is_live = out.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def print(self, line, colour=None):
        self.overwrite("")
        coloured = self.is_live and colour
        self.out.write(f"{colour}{line}{PLAIN}\n" if coloured else line + "\n")

    def overwrite(self, text):
        """With text that fits, until something else is printed."""
        text = text[: shutil.get_terminal_size().columns - 1]
        if self.is_live and text != self.passing:
            self.out.write(CLEAR + text)
            self.passing = text


class Suites:
    """Takes serial bytes, cut anywhere; b"" while none come."""

    def __init__(self, out):
        self.terminal, self.follower = Terminal(out), Follower()
        self.is_told = self.has_verdict = self.in_failure = False
        self.heard = self.drawn = time.monotonic()
        self.start()

    def start(self):
        """What the firmware says waits, too, in the outermost block."""
        self.stack, self.seconds, self.has_begun = [Block()], {}, False

    def __call__(self, chunk):
        now, self.is_told = time.monotonic(), True
        self.heard = now if chunk else self.heard
        for line in self.follower.heard(chunk):
            self.take(line)
        if now - self.drawn > PAUSE:
            self.terminal.overwrite(self.running(self.silence(now)))
            self.drawn = now
        self.terminal.out.flush()

    def finish(self):
        """The last line may have no end; without a verdict it is told what ran last."""
        self.take(self.follower.text_of(self.follower.rest))
        self.terminal.overwrite("")
        if self.is_told and not self.has_verdict:
            self.show_waiting()
            self.terminal.print(f"no verdict; {self.running()}", RED)
        self.terminal.out.flush()

    def running(self, silence=""):
        """The log names a test with subtests when it begins, another one when it has ended."""
        names = ".".join(block.name for block in self.stack[1:])
        if not names and not self.has_begun:
            return f"no test has begun{silence}"
        return f"{names or 'suites'}{silence}: {self.stack[-1].progress()}"

    def silence(self, now):
        silent = int(now - self.heard)
        return f", silent for {silent} s" if silent >= SILENT else ""

    def take(self, line):
        text = line.strip()
        depth = (len(line) - len(line.lstrip(" "))) // ktap.INDENT
        if match := kinds.RESULT.fullmatch(text):
            self.take_result(line, depth, match)
        elif text == ktap.VERSION:
            self.open_block(line, depth)
        elif text.startswith(kinds.SUBTEST):
            self.stack[-1].name, self.stack[-1].head = text.removeprefix(kinds.SUBTEST), [line]
        elif match := kinds.PLAN.fullmatch(text):
            self.stack[-1].plan = match[1]
            self.stack[0].waiting += [line] if len(self.stack) == 1 else []
        elif text:
            self.take_comment(line, text)

    def open_block(self, line, depth):
        """What waits beside a suite is of no suite."""
        self.in_failure = False
        if depth == 0 and self.has_begun:
            self.terminal.print("the machine started again", RED)
            self.start()
        if depth == 0:
            self.stack[0].waiting.append(line)
            return
        del self.stack[depth:]
        self.stack[0].waiting.clear()
        self.stack.append(Block())
        self.has_begun = True

    def take_comment(self, line, text):
        """A log that runs nothing is shown whole, with its verdict."""
        if match := kinds.SUITE_TIME.fullmatch(text):
            self.seconds[match[1]] = match[2]
        elif AT_ONCE.fullmatch(text) and self.has_begun:
            self.terminal.print(line, colour_of(line))
        elif not kinds.SOAK_BEAT_OF_ONE.fullmatch(text):
            self.stack[-1].waiting.append(line)
        is_verdict = ktap.is_verdict(text)
        self.has_verdict |= is_verdict
        self.in_failure |= FAILED_IN_SOAK.fullmatch(line) is not None
        if self.in_failure or text.startswith("Bail out!") or is_verdict and not self.has_begun:
            self.show_waiting()

    def take_result(self, line, depth, match):
        inside, block = self.stack[depth + 1 :], self.stack[: depth + 1][-1]
        self.in_failure = False
        if match[1] == "not ok":
            self.stack[-1].waiting += [line] if depth else []
            self.show_waiting()
        del self.stack[depth + 1 :]
        block.waiting.clear()
        block.last = match[3]
        block.counts[OUTCOMES.get(match[4], "pass" if match[1] == "ok" else "fail")] += 1
        if depth == 0:
            counts = inside[0].counts if inside else Counter()
            text = suite_line(match[3], counts, self.seconds.get(match[3], ""))
            self.terminal.print(text, colour_of(line))

    def show_waiting(self):
        """Of every open block, the outermost first."""
        for line in [line for block in self.stack for line in block.take_waiting()]:
            self.terminal.print(line, colour_of(line))
