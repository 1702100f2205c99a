# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns the bytes of a serial line into lines of the kernel's log, whatever they passed through.

Serial lines and console servers add prefixes (prefixes.py), escapes, carriage returns, zeros and
other lines, and wrap long lines. Each line keeps its number in the file. With log=sum its checksum
is verified.
"""

import codecs
import re
from dataclasses import dataclass, field

from line_sums import Checker, Sums, has_sums
from line_kinds import VERSION
from prefixes import OWN, Learner, Prefix, find_prefixes

ESCAPES = re.compile(
    r"\x1b\[[0-9;?=]*[A-Za-z]|\x1b\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|\x1b[()*+][A-Za-z0-9]"
    r"|\x1b[^\[\n]"
)
# Of GitLab's runner, in front of what it shows.
SECTION = re.compile(r"section_(?:start|end):[0-9]{1,20}:[^\s:]{1,200}\r\x1b\[0K")
BOM = "\ufeff"  # a CI system joins files with it
LINE_LIMIT = 65536  # bytes; no line is that long
# What the verdict follows from, behind another prefix than the log's.
TELLING = re.compile(
    rf"(?<![A-Za-z0-9])(?:(?:not )?ok [1-9][0-9]* [^\s#]|1\.\.[0-9]+(?: ~[0-9a-f]{{4}})?$|{VERSION}"
    r"|# (?:Subtest|totals|results|shown|verdict): |Bail out!)"
)
NARROWEST, WIDEST = 40, 400  # columns of a terminal that wraps lines
WRAPPED = 3  # lines at least of exactly that width


@dataclass
class Received:
    """The lines of one log; what is not of it is empty."""

    lines: list[str]
    prefix: Prefix | None = None  # None: no log begins here
    others: list[Prefix] = field(default_factory=list)  # logs beside it
    is_chosen: bool = False  # among them, by a person
    foreign: int = 0  # lines without the prefix, within the log
    strange: list[tuple[int, str]] = field(default_factory=list)  # anywhere; like the kernel's
    sums: Sums | None = None
    width: int = 0  # columns at which lines were wrapped


def decode(raw):
    """Text of a log. What a Windows shell has redirected is UTF-16; zeros are of the line."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if raw.startswith(mark) and len(raw) > 2 and 0 in raw[2:4]:
            return raw[2:].decode(name, "replace")
    return raw.decode("utf-8", "replace")


def split(raw):
    """Lines without escapes and without CRs around the LF; blanks at their ends are kept."""
    text = decode(raw)
    if "section_" in text:
        text = SECTION.sub("", text)
    if "\x1b" in text:
        text = ESCAPES.sub("", text)
    text = text.replace("\0", "")
    return [line.lstrip(BOM).strip("\r") for line in text.split("\n")]


def split_lines(raw):
    """… and without blanks at their ends, which the kernel never sends."""
    return [line.rstrip("\r\t ") for line in split(raw)]


def receive(raw, choice=None, is_wrapped=False):
    """The log in these bytes. choice: a text that the prefix holds, where a file has several."""
    wide = split(raw)
    lines = [line.rstrip("\r\t ") for line in wide]
    prefixes = find_prefixes(lines)
    chosen = [each for each in prefixes if each.is_of(choice)]
    if not chosen:
        return Received(lines, others=prefixes)
    received = Received(lines, chosen[0], is_chosen=choice is not None)
    received.others = [each for each in prefixes if each is not chosen[0]]
    if is_wrapped:
        received.width = unwrap(wide, chosen[0])
        received.lines = [line.rstrip("\r\t ") for line in wide]
    take_prefix_off(received)
    start = chosen[0].line - 1
    if has_sums(received.lines, start):
        received.lines, received.sums = Checker(received.lines, start).run()
    return received


def take_prefix_off(received):
    """Lines before the log keep what they are."""
    prefix, lines = received.prefix, received.lines
    last = prefix.line - 1
    for at, line in enumerate(lines):
        content = prefix.content(line)
        note_strange(received, at, content, line)
        if content is None and at >= prefix.line:
            received.foreign += bool(line)
            lines[at] = ""
        elif content is not None and prefix.goes_on(line):
            lines[last] += content
            lines[at] = ""
        elif content is not None:
            lines[at], last = content, at


def note_strange(received, at, content, line):
    """What is another log's, or has lost the prefix."""
    if TELLING.search(line) and not (content is not None and OWN.match(content)):
        known = any(each.content(line) for each in received.others if each.pattern)
        if not (received.is_chosen and known):
            received.strange.append((at + 1, line))


def unwrap(wide, prefix):
    """Joins what a terminal wrapped, where it was; returns its width, 0 where it was not."""
    width = max(map(len, wide[prefix.line - 1 :]), default=0)
    full = [at for at in range(prefix.line - 1, len(wide) - 1) if len(wide[at]) == width]
    if not NARROWEST <= width <= WIDEST or len(full) < WRAPPED:
        return 0
    first = None  # of the pieces of a line
    for at in full:
        following = wide[at + 1]
        first = at if first is None or wide[at] else first
        if begins_line(following, prefix):
            first = None
            continue
        wide[first] += following
        wide[at + 1] = ""
        first = first if len(following) == width else None
    return width


def begins_line(line, prefix):
    """Is it no rest of the line before?"""
    if prefix.pattern is not None:
        return prefix.content(line) is not None
    return not line or OWN.match(line) is not None


class Follower:
    """Gives the lines of a log, as text, while its bytes come, cut anywhere. choice: as in
    receive()."""

    def __init__(self, choice=None):
        self.rest, self.learner = b"", Learner(choice)

    def heard(self, chunk):
        """The lines that these bytes end, without prefix and checksum."""
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        self.rest = self.rest[:LINE_LIMIT]
        return [self.text_of(line) for line in lines]

    def text_of(self, line):
        return without_sum(self.learner.content(split_lines(line)[0]))


def without_sum(line):
    """A checksum at the end goes; whether it is good is seen when the whole log is judged."""
    return line[: -len(" ~0000")] if re.search(r" ~[0-9a-f]{4}$", line[-6:]) else line
