# SPDX-License-Identifier: GPL-2.0-or-later
"""What came over the guest's second serial line: the output of each command, as perf and GDB print
it."""

import re
from dataclasses import dataclass

BEGIN, END = "<<<", ">>>"
FINISHED = "all parts are done"
KERNEL = 1 << 63


@dataclass
class Said:
    """What a command of the guest said, and its exit status."""

    lines: list[str]
    status: int


def split(text):
    """The output of each command, by its name; whether the last one came to its end."""
    said, name, lines = {}, None, []
    for line in text.replace("\r", "").splitlines():
        if line.startswith(f"{BEGIN} "):
            name, lines = line.split()[1], []
        elif name and line.startswith(f"{END} {name} "):
            said[name], name = Said(lines, int(line.split()[2])), None
        elif name:
            lines.append(line)
    return said, text.rstrip().endswith(FINISHED)


def addresses(line):
    """The numbers in hexadecimal of a line of perf script."""
    return [int(word, 16) for word in re.findall(r"\b[0-9a-f]+\b", line)]


def pairs(lines):
    """FROM and TO of each line of `perf script -F ip,addr`."""
    return [(numbers[0], numbers[1]) for numbers in map(addresses, lines) if len(numbers) == 2]


def stacks(lines):
    """The IP of each line of `perf script -F ip,brstack`, and its branches, newest first."""
    found = []
    for line in filter(str.strip, lines):
        branches = re.findall(r"0x([0-9a-f]+)/0x([0-9a-f]+)/", line)
        stack = [(int(start, 16), int(to, 16)) for start, to in branches]
        found.append((int(line.split()[0], 16), stack))
    return found


def history(lines):
    """The addresses of `record instruction-history`, oldest first."""
    found = (re.match(r"[0-9]+\t +0x([0-9a-f]+) ", line) for line in lines)
    return [int(match[1], 16) for match in found if match]


def counts(lines):
    """The numbers of `perf stat -x |` by event, which perf names with its ring or without."""
    rows = [line.split("|") for line in lines]
    return {plain(row[2]): int(row[0]) for row in rows if len(row) > 2 and row[0].isdigit()}


def plain(event):
    """The name of an event without the u behind it."""
    return re.sub(r":u$|(?<=/)u$", "", event)


def is_user(pair):
    """Whether a branch stays in ring 3: both addresses are in the lower half."""
    return max(pair) < KERNEL
