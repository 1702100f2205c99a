# SPDX-License-Identifier: GPL-2.0-or-later
"""Mends a line that the watchdog cut off: the kernel repeats it after a sentence that says so."""

import re

from line_sums import CUT_OFF

PART_OF_SUM = re.compile(r" ?~?[0-9a-f]{0,4}")  # a checksum that was cut off


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
