# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the checksum after each line (log=sum): which lines are damaged, lost or repeated?

The kernel's kernel/console/log_form.h: CRC-16 over the line's number in the log and its text. A
line that the watchdog cut off is mended: the kernel repeats it after a sentence that says so.
"""

import binascii
import re
from dataclasses import dataclass, field

from line_kinds import VERSION

SUMMED = re.compile(r"(.*) ~([0-9a-f]{4})")
FIRST_LINES = 8  # of a log; one of them must have a good checksum, where any has one
AHEAD, BACK = 4096, 64  # lines that may be lost, or come again, at once
UNCONFIRMED = 16  # … where no line behind them agrees
NUMBERS = 1 << 16  # a line's number in its checksum begins again there
TABLE = [binascii.crc_hqx(bytes([byte]), 0) for byte in range(256)]
PLACE = {entry & 0xFF: index for index, entry in enumerate(TABLE)}  # of an entry, by its low byte
START = 0xFFFF
# What the verdict follows from. A line that was one may begin with anything once it is damaged.
COUNTS = re.compile(
    r".?.?(?:not ok|ok)\b|.*(?:KTAP|version 1\b|\b[0-9]+\.\.[0-9]|\b(?:not )?ok [0-9]|Bail out)"
    r"|.*(?:Subtest:|totals:|results:|shown:|verdict:)"
)
# Notes that tell of a failure: they are read, however damaged.
OF_FAILURES = re.compile(r"\bsoak|\bhung\b")
# These the console itself writes, without a checksum.
OF_THE_CONSOLE = re.compile(r"# console: (?:[0-9]+ baud from here on|what came between )")
CUT_OFF = "# cut off: this line once more:"  # what stands before it is the next one's beginning
NAMED = 8  # lines in a sentence
PART_OF_SUM = re.compile(r" ?~?[0-9a-f]{0,4}")  # a checksum that was cut off


def line_sum(number, text):
    """number: of the line, from 0; text: without its checksum."""
    start = binascii.crc_hqx(bytes([number & 0xFF, number >> 8 & 0xFF]), START)
    return binascii.crc_hqx(text.encode("utf-8", "replace"), start)


def number_of(text, given):
    """The number with which the text has that checksum: there is exactly one. Goes back over the
    text, byte by byte, to the checksum of the number alone."""
    for byte in reversed(text.encode("utf-8", "replace")):
        index = PLACE[given & 0xFF]
        given = (given ^ TABLE[index]) >> 8 | (index ^ byte) << 8
    second = PLACE[given & 0xFF]
    first = PLACE[(given ^ TABLE[second]) >> 8]
    between = (START << 8 & 0xFFFF) ^ TABLE[first]
    return (START >> 8 ^ first) | (second ^ between >> 8) << 8


@dataclass
class Damage:
    line: int  # of the file, from 1
    text: str
    counts: bool  # the verdict follows from it


@dataclass
class Sums:
    """What the checksums of a log say."""

    good: int = 0
    damaged: list[Damage] = field(default_factory=list)
    lost: list[tuple[int, int]] = field(default_factory=list)  # (before that line, how many)
    again: list[int] = field(default_factory=list)  # lines that had come before

    def touches_what_counts(self):
        return any(each.counts for each in self.damaged)

    def forget_damaged(self, lines):
        """Nothing is read from damaged notes; what is empty already was no damage. What stands
        behind the last verdict stays: it may be another start of the machine."""
        verdicts = [at for at, line in enumerate(lines) if line.startswith("# verdict: ")]
        end = max(verdicts, default=len(lines))
        self.damaged = [each for each in self.damaged if lines[each.line - 1]]
        for each in self.damaged:
            if each.line <= end and not each.counts and not OF_FAILURES.search(each.text):
                lines[each.line - 1] = ""

    def __bool__(self):
        return bool(self.damaged or self.lost or self.again)

    def sentences(self, is_whole):
        """Which lines, in words. is_whole: what the verdict follows from is not among them."""
        counts = [each.line for each in self.damaged if each.counts]
        notes = [each.line for each in self.damaged if not each.counts]
        said = []
        if counts:
            said.append(f"damaged on the way: {lines_named(counts)}")
        if notes:
            rest = "; notes alone" if is_whole else ""
            said.append(f"damaged on the way, or not the kernel's: {lines_named(notes)}{rest}")
        said += [f"lost before line {line}: {number}" for line, number in self.lost[:NAMED]]
        if self.again:
            said.append(f"came twice: {lines_named(self.again)}")
        return said


def lines_named(numbers):
    named = ", ".join(map(str, numbers[:NAMED]))
    more = f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
    return f"line{'s' if len(numbers) > 1 else ''} {named}{more}"


class Checker:
    """One pass over the lines of a log; takes the checksums off."""

    def __init__(self, lines, start):
        self.lines, self.start = lines, start
        self.sums, self.expected = Sums(), 0
        self.assumed = self.unsummed = 0  # damaged lines since the last good one

    def run(self):
        """(lines without their checksums, Sums)"""
        clean = list(self.lines)
        for at in range(self.start, len(clean)):
            if clean[at]:
                clean[at] = self.take(at, clean[at])
        return clean, self.sums

    def take(self, at, line):
        match = SUMMED.fullmatch(line)
        if match is None:
            if not OF_THE_CONSOLE.match(line):
                self.damaged(at, line)
                self.unsummed += 1
            return line
        text, given = match[1], int(match[2], 16)
        ahead = self.ahead(at, text, given)
        if ahead is None:
            self.damaged(at, text)
            self.assumed += 1
            self.expected += 1
        else:
            self.good(at, text, ahead)
        return text

    def good(self, at, text, ahead):
        """A line that is so many ahead of the one that is due; damaged ones may have been those."""
        self.sums.good += 1
        is_cut = text == CUT_OFF and ahead == 1  # what was cut off may have left nothing
        if ahead > self.unsummed and not is_cut:
            self.sums.lost.append((at + 1, ahead - self.unsummed))
        elif ahead < -self.assumed:
            self.sums.again.append(at + 1)
        self.expected += ahead + 1
        self.assumed = self.unsummed = 0

    def damaged(self, at, text):
        self.sums.damaged.append(Damage(at + 1, text, bool(COUNTS.match(text.strip()))))

    def ahead(self, at, text, given):
        """How far the line is ahead of the one that is due, by its checksum; None: it is no line of
        the log. A new log begins with 0."""
        if line_sum(self.expected, text) == given:
            return 0
        number = number_of(text, given)
        if number == 0 and text == VERSION:
            return -self.expected
        ahead = (number - self.expected + BACK) % NUMBERS - BACK
        if ahead >= AHEAD:
            return None
        following = self.number_of_next(at)
        if following is None:
            confirmed = abs(ahead) <= UNCONFIRMED
        else:
            confirmed = following == (number + 1) % NUMBERS
        return ahead if confirmed else None

    def number_of_next(self, at):
        """That of the next line with a checksum, or None."""
        for line in self.lines[at + 1 : at + 4]:
            if match := SUMMED.fullmatch(line):
                return number_of(match[1], int(match[2], 16))
        return None


def has_sums(lines, start):
    """Does this log have them? Its first lines show it, damaged ones among them."""
    for line in lines[start : start + FIRST_LINES]:
        match = SUMMED.fullmatch(line)
        if match and number_of(match[1], int(match[2], 16)) < 2 * FIRST_LINES:
            return True
    return False


def forget_cut_lines(lines):
    """A line that was cut off comes once more, whole; its beginning is no line of the log."""
    repeated = ""
    for number in range(len(lines) - 1, -1, -1):
        if lines[number] == CUT_OFF:
            forget_beginning(lines, number, repeated)
        elif lines[number]:
            repeated = lines[number]
    return lines


def forget_beginning(lines, number, whole):
    """The line before number goes, where it is the beginning of the whole line behind it."""
    while number > 0 and not lines[number - 1]:
        number -= 1
    if number > 0 and is_beginning(lines[number - 1], whole):
        lines[number - 1] = ""


def is_beginning(line, whole):
    """All of it may have come, and a part of its checksum."""
    return whole.startswith(line) or (
        line.startswith(whole) and PART_OF_SUM.fullmatch(line[len(whole) :]) is not None
    )
