# SPDX-License-Identifier: GPL-2.0-or-later
"""What the way did to a log, in words: prefixes, other lines, damage by its checksums."""

from line_kinds import VERSION

LINE_IS_BAD = (
    "the serial line is bad, not the processor: look after cable, rate and console server, and run"
    " again"
)
SHOWN = 3  # lines that look like the kernel's, without the prefix
WIDTH = 80  # characters of such a line


def remarks(received):
    """What is to be said beside any verdict."""
    if received is None or received.prefix is None:
        return []
    return [*prefix_remarks(received), *sum_remarks(received)]


def prefix_remarks(received):
    said = []
    if received.prefix.pattern is not None:
        said.append(f"prefix: '{received.prefix.text}', from line {received.prefix.line} on")
        if received.foreign:
            said.append(f"{received.foreign} lines behind it have no such prefix: not of this log")
    if received.width:
        said.append(f"lines were wrapped at {received.width} columns, and are joined")
    return said


def sum_remarks(received):
    sums = received.sums
    if sums is None:
        return []
    if not sums:
        return [f"checksums: {sums.good} lines, all good"]
    return [f"checksums: {sums.good} lines are good"]


def damage_remarks(received, is_whole):
    """Which lines were damaged, lost, or came twice."""
    return received.sums.sentences(is_whole) if received and received.sums else []


def several_logs(received):
    """Why a file is no log of one machine, or ""."""
    if received is None or received.prefix is None or received.is_chosen or not received.others:
        return ""
    logs = sorted([received.prefix, *received.others], key=lambda prefix: prefix.line)
    named = ", ".join(f"line {each.line} with '{each.text}'" for each in logs)
    return f"several logs begin here: {named}; judge-log --prefix TEXT chooses one"


def damage(received):
    """Why a log that was damaged where it counts is no verdict."""
    if received and received.sums and received.sums.touches_what_counts():
        return ["a line that the verdict follows from came damaged"]
    return []


def another_log(received):
    """Why a log is no pass that has lines beside it of one whose first line is not here."""
    if received is None or received.is_chosen or not received.strange:
        return []
    return ["lines of another log stand here: judge-log --prefix TEXT chooses one, or cut the file"]


def places(received):
    """Where to look in a log that is not whole: lines that lost the prefix, or have another."""
    if received is None:
        return []
    if received.prefix is None:
        return [
            f"line {number} ends with '{VERSION}', but no line behind it begins as it does"
            for number, line in enumerate(received.lines, 1)
            if line.endswith(VERSION) and line.strip() != VERSION
        ][:SHOWN]
    text, first = received.prefix.text, received.prefix.line
    lacks = f"has not the prefix '{text}' of line {first}" if text else "has something before it"
    return [
        f"line {number} {lacks}, but looks like the kernel's: '{line[:WIDTH]}'"
        for number, line in received.strange[:SHOWN]
    ]


def is_line_bad(received):
    """Is it known that the way damages what comes?"""
    return bool(received and received.sums)
