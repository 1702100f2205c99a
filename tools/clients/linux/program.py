# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds the program that perf looks at, and reads what it does from its own table of truth."""

import re
import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from clients.steps import BAD_INPUT, run

SOURCE = Path(__file__).with_name("program.S")
FLAGS = "-nostdlib -static -no-pie -Wl,--build-id=none".split()
ROW = struct.Struct("<4Q")
HEADER = Path(__file__).with_name("truth.h")


def numbers(prefix):
    """The names that truth.h gives to numbers."""
    found = re.findall(rf"\.set +{prefix}_([A-Z_]+), (\d+)", HEADER.read_text())
    return {name: int(number) for name, number in found}


Kind = IntEnum("Kind", numbers("KIND"))
Part = IntEnum("Part", numbers("PART"))
STRAIGHT = {Kind.PLAIN, Kind.NOT_TAKEN, Kind.SYSCALL}


@dataclass(frozen=True)
class Step:
    """One instruction that was executed: where it is, where the next one is, what it is."""

    start: int
    to: int
    kind: int

    @property
    def branch(self):
        """Whether it counts as a retired branch, taken or not."""
        return self.kind != Kind.PLAIN

    @property
    def taken(self):
        """Whether it is recorded where only ring 3 is looked at."""
        return self.kind not in STRAIGHT

    @property
    def pair(self):
        """FROM and TO."""
        return self.start, self.to


def steps(raw, rounds):
    """Every instruction of a run, from the table in the section .truth."""
    parts = {part: [] for part in Part}
    for start, to, kind, part in ROW.iter_unpack(raw):
        parts[part].append(Step(start, to, Kind(kind)))
    turned = parts[Part.ROUND] * rounds
    back, after = turned.pop(), parts[Part.AFTER]
    # The last round falls through its branch back.
    return [*parts[Part.BEFORE], *turned, Step(back.start, after[0].start, Kind.NOT_TAKEN), *after]


def build(folder, rounds):
    """The program as a file of that many rounds, and all its steps."""
    file, table = folder / f"program{rounds}", folder / f"truth{rounds}"
    words = ["gcc", *FLAGS, f"-DROUNDS={rounds}", "-o", file, SOURCE]
    run(*words, status=BAD_INPUT)
    run("objcopy", "--dump-section", f".truth={table}", file, "/dev/null", status=BAD_INPUT)
    return file, steps(table.read_bytes(), rounds)
