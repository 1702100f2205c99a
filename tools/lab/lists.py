# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists for people: on a terminal a line an entry, in a pipe all of it; some of it by name."""

import shutil
import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase

from errors import LabError
from nearest import meant

NARROWEST = 80  # columns


@dataclass(frozen=True)
class Entry:
    names: tuple[str, ...]  # what it may be chosen by
    line: str  # all that fits a terminal
    whole: str  # may be several lines


def add_options(parser):
    parser.add_argument(
        "--only", metavar="GLOB", help="GLOB,GLOB: only those of this name or claim"
    )
    parser.add_argument("--whole", action="store_true", help="whole lines on a terminal, too")


def is_short(options):
    return sys.stdout.isatty() and not options.whole


def chosen(entries, only, what):
    """Those that a glob matches. Each glob must match one: it may be mistyped."""
    if only is None:
        return entries
    for glob in only.split(","):
        if not any(fnmatchcase(name, glob) for entry in entries for name in entry.names):
            near = meant(glob, (name for entry in entries for name in entry.names))
            told = f"none of the {len(entries)} {what} matches '{glob}' (a GLOB: '*bts*')"
            raise LabError(told + near)
    globs = only.split(",")
    return [each for each in entries if any(fnmatchcase(n, g) for n in each.names for g in globs)]


def cut(text, width):
    return text if len(text) <= width else text[: width - 1] + "…"


def print_list(entries, what, options, counted=False):
    """counted: their number ends the list in a pipe, too."""
    found = chosen(entries, options.only, what)
    if is_short(options):
        width = max(NARROWEST, shutil.get_terminal_size().columns)
        lines = [cut(entry.line, width) for entry in found]
        number = f"{len(found)} of {len(entries)}" if len(found) < len(entries) else len(found)
        lines.append(f"{number} {what}; V=1: whole lines; ONLY=GLOB: those of this name or claim")
    else:
        lines = [entry.whole for entry in found] + ([f"{len(found)} {what}"] if counted else [])
    print(*lines, sep="\n")
