# SPDX-License-Identifier: GPL-2.0-or-later
"""A few whole boots that stand for all: every processor, board and open point, each compiler,
firmware and medium, and any two values of two of these axes, but for the pairs of APART.

Which boots test_boot.py and test_boards.py have beside them, `make test-all` runs: each processor
under both compilers, each open point alone that is slow or for one family.
"""

from dataclasses import dataclass

import boards
import machine
import plan
from covering import Factor, covering_rows
from neighbours import alike, like
from silicon import load_variations

PROFILES = machine.load_profiles()
LACKING = ("no-", "bts-unavailable", "perfmon-v1")  # processors that lack something: one level
LEFT_OUT = (  # boards that stand in no row
    "smi-storm",  # repeats most of its runs: minutes
    "ids-above-255",  # for processors with x2APIC
    "x2apic-locked",  # likewise
)
SLOW = ("predicted", "taken-counter")  # without the emulator's fast path
OPEN_POINTS = 12  # rows that share them out: no row has two values of one
APART = (
    ("profile", "board"),
    ("profile", "open"),
    ("board", "open"),
    ("board", "processors"),  # a board may have its own number
)


def variations():
    """What the manual leaves open: of each choice another value than the plain processor's, of many
    the first and the last."""
    return [
        (each.name, value)
        for each in load_variations().values()
        for value in dict.fromkeys([each.values[1], each.values[-1]])
    ]


def together(rows):
    """Those that may stand several in one boot, spread over so many rows; alone: the others, which
    are slow or for one family to show."""
    slow = plan.SLOW | {each for each in variations() if each[0] in SLOW}
    alone = [each for each in variations() if each in slow or each[0] in plan.SHOWN_BY]
    others = [each for each in variations() if each not in alone]
    return [others[first::rows] for first in range(rows)], alone


def processors():
    """The profiles, those that are nearly one as one level."""
    lacking = tuple(name for name in PROFILES if name.startswith(LACKING))
    leaders = [name for name in PROFILES if like(PROFILES, name) == name and name not in lacking]
    return (*(tuple(alike(PROFILES, leader)) for leader in leaders), lacking)


def factors():
    def each(values):
        return tuple((value,) for value in values)

    return [
        Factor("profile", processors()),
        Factor("compiler", each(["gcc", "clang"])),
        Factor("nx", each(["+nx", "-nx"])),
        Factor("firmware", each(["bios", "uefi"])),
        Factor("medium", each(["cd", "usb"])),
        Factor("processors", each([1, 2, 4])),
        Factor("board", each(name for name in boards.load_boards() if name not in LEFT_OUT)),
        Factor("open", each(range(OPEN_POINTS))),
    ]


@dataclass(frozen=True)
class Row:
    """One machine."""

    profile: str
    compiler: str
    nx: str
    firmware: str
    medium: str
    processors: int
    board: str
    open: int

    def variation(self):
        words = [f"x-ds-{name}={value}" for name, value in together(OPEN_POINTS)[0][self.open]]
        return ",".join([*words, self.nx])

    def __str__(self):
        return "-".join(map(str, vars(self).values()))


def rows():
    return [Row(**row) for row in covering_rows(factors(), apart=APART)]
