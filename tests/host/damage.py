# SPDX-License-Identifier: GPL-2.0-or-later
"""Damages logs as serial lines, console servers and CI systems do, at random by a seed.

What a damage leaves of the lines that a verdict follows from is told by the words of this file, not
by the judge's: they are compared with those of the log before.
"""

import random
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

COUNTS = re.compile(
    r" *(?:KTAP version 1\b|TAP version\b|[0-9]+\.\.[0-9]|# Subtest: |(?:not )?ok\b|Bail out!"
    r"|# (?:totals|results|shown|verdict): ).*"
)
ENDING = re.compile(r"# (?:totals|results|shown|verdict): ")
INVISIBLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b(?:[\x1b\r]|$)|[\0\r]")
SUM = re.compile(r" ~[0-9a-f]{4}$")

FOREIGN = [
    "[   12.345678] usb 1-1: new high-speed USB device number 2 using xhci_hcd",
    'BdsDxe: loading Boot0001 "UEFI QEMU DVD-ROM QM00005 " from PciRoot(0x0)',
    "\x1b[2J\x1b[01;01HPress F2 to enter setup",
    "Booting `every test'",
    "[-- MARK -- Thu Nov 26 07:00:00 2026]",
    "[read-only -- use ^E c ? for help]",
    "mce: [Hardware Error]: Machine check events logged",
    "\ufffd\u20ac caf\u00e9",
    "-" * 300,
    "PASS",
    "FAIL",
    "0",
    "# ",
    "#",
    " ",
    "~1a2b",
    "1.",
    "..",
    "not",
    "ok",
]
LIES = [
    *(
        f"# verdict: {word}"
        for word in ("PASS", "FAIL", "SKIP", "CRASH", "DRY_RUN", "LISTED", "PASSED")
    ),
    *("ok 1 probe", "not ok 1 probe", "  ok 1 a # SKIP b", "1..1", "  1..0 # SKIP x"),
    *("KTAP version 1", "  KTAP version 1", "# Subtest: probe", "Bail out! #PF"),
    "# totals: planned=1 run=1 pass=1 fail=0 skip=0 xfail=0 timeout=0",
    "# results: pass=1 fail=0 skip=0 xfail=0 timeout=0 check=0x00000000",
    "# shown: pass=1 fail=0 skip=0 xfail=0 timeout=0",
    *("# cut off: this line once more:", "# error: x; cannot run", "# lab: machine-check?"),
    *(
        "# log: compact (as asked for)",
        "# coverage: 9 of 9 claims checked",
        "# line test: all sent",
    ),
    "# line test: 16 lines of 64 bytes",
]
WORDS = [
    ("not ok", "ok"), ("ok", "not ok"), ("FAIL", "PASS"), ("CRASH", "PASS"), ("PASS", "FAIL"),
    ("SKIP", "XFAIL"), ("# SKIP", ""), ("fail=1", "fail=0"), ("Bail out!", "Bail"), ("  ", ""),
    ("1..", "0.."), ("KTAP", "TAP"), ("# ", "#"), ("version 1", "version 2"),
    ("verdict", "Verdict"), ("compact", "full"), ("=", "= "), ("totals", "total"),
    ("verdict: SKIP", "verdict: PASS"),
]  # fmt: skip


def text_of(raw):
    return raw.decode("utf-8", "replace")


def telling(lines):
    """The lines that the verdict follows from; the ending may come more than once."""
    found = []
    for line in lines:
        line = SUM.sub("", INVISIBLE.sub("", line).lstrip("\ufeff").rstrip())
        if COUNTS.fullmatch(line) and not (ENDING.match(line) and line in found):
            found.append(line)
    return found


class Damager:
    """Damages text by one seed. others: texts of other logs, to be mixed in."""

    def __init__(self, seed, others):
        self.random, self.others = random.Random(seed), others

    def damage(self, text):
        """The text with one to four damages."""
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 4))):
            text = self.random.choice(DAMAGES)(self, text)
        return text

    def place(self, text):
        return self.random.randrange(len(text) + 1)

    def length(self):
        return self.random.choice((1, 1, 1, 2, 3, 8, 16, 40, 80, 400))

    def drop(self, text):
        at = self.place(text)
        return text[:at] + text[at + self.length() :]

    def repeat(self, text):
        at, length = self.place(text), self.length()
        return text[:at] + text[at : at + length] + text[at:]

    def flip(self, text):
        raw = bytearray(text.encode("utf-8", "replace"))
        for _ in range(self.random.choice((1, 1, 2, 8, 30))):
            if raw:
                raw[self.random.randrange(len(raw))] ^= 1 << self.random.randrange(8)
        return text_of(bytes(raw))

    def noise(self, text):
        at = self.place(text)
        noise = text_of(self.random.randbytes(self.length()))
        return text[:at] + noise + text[at + self.random.choice((0, len(noise))) :]

    def cut(self, text):
        at = self.place(text)
        return self.random.choice((text[:at], text[:at] + "\n", text[at:]))

    def digit(self, text):
        """A number that is another one."""
        places = [at for at, character in enumerate(text) if character in "0123456789"]
        if not places:
            return text
        at = self.random.choice(places)
        return text[:at] + self.random.choice("0123456789") + text[at + 1 :]

    def word(self, text):
        old, new = self.random.choice(WORDS)
        places = [match.start() for match in re.finditer(re.escape(old), text)]
        if not places:
            return text
        at = self.random.choice(places[-12:] + places)
        return text[:at] + new + text[at + len(old) :]

    def mark(self, text):
        """What the eye does not see."""
        marks = ("\0", "\r", "\x1b[K", "\x1b[0m", "\x1b[", "\x1b", "\ufeff", "\b", "\x0f", "\u00a0")
        at = self.place(text)
        return text[:at] + self.random.choice(marks) * self.random.choice((1, 3)) + text[at:]

    def foreign(self, text):
        at = self.place(text)
        end = self.random.choice(("", "\n", "\r\n"))
        return text[:at] + self.random.choice(FOREIGN) + end + text[at:]

    def lie(self, text):
        """A line that looks like the kernel's, anywhere between two."""
        lines = text.split("\n")
        at = self.random.choice((self.random.randrange(len(lines) + 1), len(lines) - 1))
        lines.insert(max(at, 0), self.random.choice(LIES))
        return "\n".join(lines)

    def lines(self, text):
        """Some lines are lost, come twice, in another order, as one, or as two."""
        lines = text.split("\n")
        at, length = self.random.randrange(len(lines)), self.random.choice((1, 1, 2, 5, 20))
        some = lines[at : at + length]
        how = self.random.randrange(6)
        if how == 0:
            some = []
        elif how == 1:
            some = some + some
        elif how == 2:
            some = some[::-1]
        elif how == 3:
            some = ["".join(some)]
        elif how == 4:
            some = [part for line in some for part in self.halves(line)]
        else:
            self.random.shuffle(some)
        return "\n".join(lines[:at] + some + lines[at + length :])

    def halves(self, line):
        at = self.place(line)
        return line[:at], line[at:]

    def moved(self, text):
        """A block stands somewhere else."""
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        some, rest = lines[at : at + 5], lines[:at] + lines[at + 5 :]
        place = self.random.randrange(len(rest) + 1)
        return "\n".join(rest[:place] + some + rest[place:])

    def mixed(self, text):
        """Lines of another board's log between."""
        other = self.random.choice(self.others).split("\n")
        lines, at = text.split("\n"), 0
        start, length = self.random.randrange(len(other)), self.random.choice((1, 5, 50))
        for line in other[start : start + length]:
            at = min(len(lines), at + self.random.randrange(8))
            lines.insert(at, line)
        return "\n".join(lines)

    def crossed(self, text):
        """From some place on it is another log: a restart, a file that was put together."""
        other = self.random.choice(self.others)
        if self.random.random() < 0.5:
            return text[: self.place(text)] + other[self.place(other) :]
        end = other.rfind("# totals")
        return text[: text.rfind("# totals")] + other[end:]

    def ending(self, text):
        """Glued together, or once more."""
        at = text.rfind("# verdict")
        last = text[at:]
        return self.random.choice(
            (text + last, text.rstrip() + last, text[:at].rstrip() + last, text + text[at - 200 :])
        )


DAMAGES = [
    *(Damager.drop, Damager.repeat, Damager.flip, Damager.noise, Damager.cut, Damager.digit),
    *(Damager.word, Damager.mark, Damager.foreign, Damager.lie, Damager.lines, Damager.moved),
    *(Damager.mixed, Damager.crossed, Damager.ending, Damager.drop, Damager.word, Damager.lines),
]

START = datetime(2026, 11, 26, 7, 0, 0)


def at(number):
    return START + timedelta(milliseconds=37 * number)


# What stands before line number so-and-so.
PREFIXES = {
    "none": lambda n: "",
    "conserver": lambda n: at(n).strftime("[%a %b %d %H:%M:%S %Y]"),
    "lava": lambda n: at(n).isoformat(timespec="milliseconds") + " ",
    "lava_whole_seconds": lambda n: (START + timedelta(milliseconds=250 * n)).isoformat() + " ",
    "github": lambda n: at(n).isoformat(timespec="microseconds") + "7Z ",
    "github_view": lambda n: f"boot\tRun it\t{at(n).isoformat(timespec='microseconds')}7Z ",
    "gitlab": lambda n: at(n).isoformat(timespec="microseconds") + "Z 00O ",
    "jenkins": lambda n: f"[{at(n).isoformat(timespec='milliseconds')}Z] ",
    "ts": lambda n: at(n).strftime("%b %d %H:%M:%S "),
    "ts_single_digit": lambda n: at(n).strftime("%b  6 %H:%M:%S "),
    "ts_elapsed": lambda n: at(n).strftime("%H:%M:%S "),
    "ts_epoch": lambda n: f"{1764140400 + n * 0.037:.6f} ",
    "printk": lambda n: f"[{n * 5.037:12.6f}] ",
    "minicom": lambda n: at(n).strftime("[%Y-%m-%d %H:%M:%S] "),
    "tio": lambda n: at(n).strftime("[%H:%M:%S.%f")[:-3] + "] ",
    "compose": lambda n: "board-1  | ",
    "board": lambda n: "bay1: ",
    "bracket": lambda n: "[bay1] ",
    "address": lambda n: "10.0.0.12:4001: ",
    "board_and_time": lambda n: f"bay1 {at(n).isoformat(timespec='seconds')}+01:00 | ",
    "numbered": lambda n: f"{n:6}\t",
    "grep": lambda n: f"log:{n}:",
}


SAME_SHAPE = [{"lava", "lava_whole_seconds"}, {"ts", "ts_single_digit"}]


def with_prefix(name, text, first=1):
    """Before each line but for the empty rest behind the last one."""
    make = PREFIXES[name]
    lines = text.split("\n")
    whole = [make(number) + line for number, line in enumerate(lines[:-1], first)]
    return "\n".join(whole + [lines[-1] and make(first + len(whole)) + lines[-1]])


@dataclass
class Damaged:
    raw: bytes
    is_whole: bool  # what the verdict follows from is as it was
    is_other: bool = False  # it is all that of another log
    how: list[str] = field(default_factory=list)


def damaged(seed, text, others):
    """A log damaged by that seed, in one of four ways; text: the log as it was."""
    damager = Damager(seed, others)
    chance = damager.random.random()
    name = damager.random.choice(list(PREFIXES)[1:]) if chance > 0.6 else "none"
    if chance > 0.9:
        return damaged_by_another(damager, name, text)
    if chance > 0.8:
        return damaged_prefix(damager, name, text)
    new = damager.damage(text)
    left = telling(new.split("\n"))
    return Damaged(
        encode(with_prefix(name, new), damager),
        left == telling(text.split("\n")),
        any(left == telling(other.split("\n")) for other in others),
        [name],
    )


def damaged_prefix(damager, name, text):
    """The prefix is lost, changed, or another from some line on, or for some lines."""
    lines = with_prefix(name, text).split("\n")
    bare = text.split("\n")
    other = damager.random.choice([each for each in PREFIXES if each != name])
    start, touched = damager.random.randrange(1, len(lines)), []
    end = damager.random.choice((start + 1, start + 5, len(lines)))
    for number in range(start, min(end, len(lines))):
        before, made = lines[number], PREFIXES[other](number + 1)
        how = damager.random.choice((made, made, "x", ""))
        lines[number] = how + damager.random.choice((bare[number], before))
        if lines[number] != before and not (how == made and {name, other} in SAME_SHAPE):
            touched.append(bare[number])
    raw = encode("\n".join(lines), damager)
    return Damaged(raw, not telling(touched), how=[name, other])


def damaged_by_another(damager, name, text):
    """Lines of another board, whose first line is lost, in front, behind or between."""
    other = damager.random.choice([each for each in PREFIXES if each != name])
    rest = with_prefix(other, damager.random.choice(damager.others)).split("\n")
    rest = [line for line in rest if not line.endswith("KTAP version 1")]
    some = rest[damager.random.randrange(len(rest)) :]
    lines = with_prefix(name, text).split("\n")
    at = damager.random.choice((0, damager.random.randrange(len(lines)), len(lines) - 1))
    raw = encode("\n".join(lines[:at] + some + lines[at:]), damager)
    return Damaged(raw, not tells(some), how=[name, other, "another"])


def tells(lines):
    """Does one of these lines look like one that a verdict follows from, behind whatever?"""
    return any(COUNTS.search(line) for line in lines)


def encode(text, damager):
    end = damager.random.choice(("\n", "\r\n", "\r\r\n"))
    return text.replace("\n", end).encode("utf-8", "replace")
