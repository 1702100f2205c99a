# SPDX-License-Identifier: GPL-2.0-or-later
"""What console servers and CI write before each line: found at the head of a log, and taken off.

A prefix is constant ("bay1: ", "[bay1] ") but for its time stamps, or has numbers that count. It is
learnt from a log's first line and holds when the next line with it is the head of the log; from
there on it keeps its shape. What has none, or another, is no line of that log.
"""

import re
from dataclasses import dataclass

from line_kinds import VERSION

SUM = r"(?: ~[0-9a-f]{4})?"  # with log=sum
LONGEST = 200  # characters
WINDOW = 20  # lines after the first, among them one of the head
COUNTED = 3  # … so many where every number may change
PREFIXES_MOST = 16  # in one file
TRIED_MOST = 1000  # … and lines that seem to begin a log
LINE_LIMIT = 1000  # characters of such a line

_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_TIME = r"[0-9]{1,4}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?: [AP]M)?"
_DATE = r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}"
_ZONES = (" ?Z", " ?[+-][0-9]{2}:?[0-9]{2}", "")
# Time stamps, each with what keeps it apart from a name, an address or a version.
STAMPS = [
    *(rf"{_DATE}{between}{_TIME}{zone}" for zone in _ZONES for between in "T "),
    rf"{_DAY} {_MONTH} [ 0-9]?[0-9] {_TIME}(?: [A-Z]{{2,5}})? [0-9]{{4}}",
    rf"{_MONTH} [ 0-9]?[0-9] {_TIME}",
    rf"(?<![0-9]){_TIME}(?![0-9:])",
    r"(?<![0-9.]) *[0-9]+\.[0-9]{2,9}(?![0-9.])",
    r"(?<![0-9])[0-9]{10}(?:[0-9]{3})?(?![0-9])",
]
STAMP = re.compile("|".join(f"({stamp})" for stamp in STAMPS))
NUMBER = re.compile(r" *[0-9]+")
GITLAB = re.compile(r"(.*Z [0-9a-f]{2}[OE])[ +]")  # "+": goes on where the line before ended

# A line that the kernel sends; the rest of one that was wrapped may begin with a directive.
DIRECTIVE = r"# ?(?:SKIP|XFAIL|TIMEOUT|ERROR)\b"
OWN = re.compile(rf" *(?!{DIRECTIVE})(?:#|(?:not )?ok [0-9]|{VERSION}|[0-9]+\.\.[0-9]|Bail )")
# Of the boot code, and of GRUB.
REFUSED = r"(?:.*; cannot run|btscheck cannot be loaded: .*)"
# A line that begins a log, and what the next line with the same prefix is.
FIRST = (
    (re.compile(rf"(.*?){VERSION}{SUM}"), re.compile(r"# (?!Subtest: )[a-z].*")),
    (
        re.compile(rf"(.*?)# error: {REFUSED}{SUM}"),
        re.compile(rf"(?:# verdict: ERROR){{1,2}}{SUM}"),
    ),
)


@dataclass(frozen=True)
class Prefix:
    text: str  # as it was on the first line; "": there is none
    line: int  # of the file, from 1
    pattern: re.Pattern | None = None
    continues: bool = False  # a "+" at its end continues the line before

    def is_of(self, choice):
        """Is it what a person chose? "" chooses nothing."""
        return choice is None or bool(choice) and choice in self.text

    def content(self, line):
        """The line without the prefix, or None where it has none."""
        if self.pattern is None:
            return line
        match = self.pattern.fullmatch(line)
        return (match["content"] or "") if match else None

    def goes_on(self, line):
        """Is it the rest of the line before?"""
        match = self.continues and self.pattern.fullmatch(line)
        return bool(match) and match["mark"] == "+"


def make_pattern(text, numbers_change=False):
    """What a line with such a prefix looks like. Its blanks at the end may be lost."""
    gitlab = GITLAB.fullmatch(text)
    text = gitlab[1] if gitlab else text
    stripped = text.rstrip(" \t")
    parts, end = [], 0
    for match in STAMP.finditer(stripped):
        parts += [constant(stripped[end : match.start()], numbers_change), STAMPS[number(match)]]
        end = match.end()
    parts.append(constant(stripped[end:], numbers_change))
    blanks = "(?P<mark>[ +])" if gitlab else re.escape(text[len(stripped) :])
    rest = f"(?:{blanks}(?P<content>.*))?" if blanks else "(?P<content>.*)"
    return re.compile("".join(parts) + rest)


def number(match):
    """Which of the stamps it is. They have no groups of their own."""
    return match.lastindex - 1


def constant(text, numbers_change):
    """Numbers side by side are never tried in another way, which could take for ever."""
    if not numbers_change:
        return re.escape(text)
    return " *+[0-9]++".join(re.escape(part) for part in NUMBER.split(text))


class Candidate:
    """A prefix that its first line suggests; confirmed by those that follow."""

    def __init__(self, text, line, sign, numbers_change):
        self.wanted = COUNTED if numbers_change else 1
        gitlab = bool(GITLAB.fullmatch(text))
        self.prefix = Prefix(text, line, make_pattern(text, numbers_change), gitlab)
        self.sign, self.left = sign, WINDOW

    def heard(self, line):
        """Returns the prefix once it is confirmed."""
        self.left -= 1
        content = self.prefix.content(line)
        if content and self.sign and not self.sign.fullmatch(content):
            self.left = 0 if OWN.match(content) else self.left  # else another's line, between
        elif content:
            self.wanted, self.sign = self.wanted - 1, None  # of the first one
        return self.prefix if self.left > 0 and self.wanted <= 0 else None


def candidates(line, at):
    """What may be a prefix, if the line begins a log. Blanks alone are a nested block's."""
    for first, sign in FIRST if len(line) <= LINE_LIMIT else ():
        if match := first.fullmatch(line):
            text = match[1]
            if not text.strip() or len(text) > LONGEST:
                return []
            whether = (False, True) if NUMBER.search(STAMP.sub("", text)) else (False,)
            return [Candidate(text, at, sign, changes) for changes in whether]
    return []


class Learner:
    """Lines in their order; each is given back without the prefix, as soon as that is known.

    choice: a text that it holds, where the logs of several boards come.
    """

    def __init__(self, choice=None):
        self.prefix, self.choice = None, choice
        self.waiting, self.at, self.tried = [], 0, 0

    def learn(self, line):
        """A prefix that this line confirms, or None. The strictest one comes first."""
        self.at += 1
        confirmed = [prefix for each in self.waiting if (prefix := each.heard(line))]
        begun = {prefix.line for prefix in confirmed}
        self.waiting = [
            each for each in self.waiting if each.left > 0 and each.prefix.line not in begun
        ]
        if begins_plain(line):
            return Prefix("", self.at)
        if confirmed:
            return confirmed[0]
        if (VERSION in line or "# error: " in line) and self.tried < TRIED_MOST:
            new = candidates(line, self.at)
            self.waiting, self.tried = self.waiting + new, self.tried + len(new)
        return None

    def content(self, line):
        """The line, or "" where another's has no such prefix."""
        if self.prefix is None and (found := self.learn(line)) and found.is_of(self.choice):
            self.prefix = found
        if self.prefix is None:
            return line if self.choice is None else ""
        return self.prefix.content(line) or ""


def begins_plain(line):
    return line.startswith(VERSION) and re.fullmatch(VERSION + SUM, line) is not None


def find_prefixes(lines):
    """Every prefix with which a log begins, in the order of the lines; none, too, is one."""
    learner, found = Learner(), {}
    for line in lines:
        prefix = learner.learn(line) if line else None
        learner.at += not line
        if prefix and len(found) < PREFIXES_MOST:
            found.setdefault(prefix.pattern and prefix.pattern.pattern, prefix)
    return sorted(found.values(), key=lambda prefix: prefix.line)
