# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges the test of the serial line (line=test): which of the kernel's lines arrived?

kernel/report/line_test.c sends them; this makes the same lines and counts the differences.
"""

import difflib
import re
from dataclasses import dataclass

HEAD = re.compile(r"# line test: ([0-9]{1,5}) lines of ([0-9]{1,3}) bytes(?: ~[0-9a-f]{4})?")
END = "# line test: all sent"
LINE = "# line: "
SUM = re.compile(r" ~[0-9a-f]{4}$")
LINES_MOST = 16384  # the kernel sends no more
CHARACTERS = 48  # of the pattern in a line
LONGEST = 1024  # characters that are compared in detail at once


@dataclass(frozen=True)
class LineTest:
    size: int  # bytes sent, CR and LF included
    bad: int  # bytes lost, changed, or more than were sent; a line end is not counted

    def __str__(self):
        return f"line: {self.size / 1024:g} KB, {self.bad} bad"


def pattern_line(number):
    """One of the lines that the kernel sends."""
    state, text = (number + 1) * 0x9E3779B9 & 0xFFFFFFFF, []
    for _ in range(CHARACTERS):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        text.append(chr(ord("!") + ((state >> 16) * 94 >> 16)))
    return f"{LINE}{number:05} {''.join(text)}"


def read_line_test(lines):
    """None where no test began. lines: without prefixes."""
    for at, line in enumerate(lines):
        if not line.startswith("# line test: "):
            continue
        match = HEAD.fullmatch(line)
        if match and int(match[1]) <= LINES_MOST:
            number = int(match[1])
            return LineTest(number * int(match[2]), bad_bytes(lines[at + 1 :], number))
    return None


def bad_bytes(lines, number):
    """lines: from the first of the test on."""
    came = [SUM.sub("", line) for line in up_to_end(lines, number) if line]
    sent = list(map(pattern_line, range(number)))
    place = {line: at for at, line in enumerate(sent)}
    bad, due, others = 0, 0, []
    for line in came:
        at = place.get(line, -1)
        if at < due:
            others.append(line)
            continue
        bad += bad_in(sent[due:at], others)
        due, others = at + 1, []
    return bad + bad_in(sent[due:], others)


def bad_in(sent, came):
    """Between two whole lines. As many lines as were sent are held to them one by one."""
    if len(sent) == len(came):
        return sum(map(distance, sent, came))
    return distance("".join(sent), "".join(came))


def up_to_end(lines, number):
    """Where the end is lost, what looks like a line of the test."""
    for at, line in enumerate(lines[: 2 * number + 1]):
        if line.startswith(END):
            return lines[:at]
    return [line for line in lines[: 2 * number] if line.startswith(LINE)]


def distance(sent, came):
    """Bytes that differ, are missing or are too many; the smaller of two ways to see it."""
    if sent == came:
        return 0
    if max(len(sent), len(came)) > LONGEST:
        return max(len(sent), len(came))
    matcher = difflib.SequenceMatcher(None, sent, came, autojunk=False)
    same = sum(size for _, _, size in matcher.get_matching_blocks())
    bad = max(len(sent), len(came)) - same
    if len(sent) == len(came):
        bad = min(bad, sum(a != b for a, b in zip(sent, came)))
    return bad
