# SPDX-License-Identifier: GPL-2.0-or-later
"""Mutants: edits with names and numbers."""

from collections import Counter
from dataclasses import dataclass

from . import operators


@dataclass
class Change:
    """What one mutant is in one function or table."""

    part: object
    edits: list  # (start, end, text), in no order, without overlap

    def new_text(self):
        """The function's text with the edits made."""
        text, start = self.part.own_text, self.part.start
        for first, last, instead in sorted(self.edits, reverse=True):
            text = text[: first - start] + instead.encode() + text[last - start :]
        return text


@dataclass
class Mutant:
    name: str
    operator: str
    changes: list
    line: int
    column: int
    before: str
    after: str
    points: list  # where it matters
    number: int = 0

    @property
    def change(self):
        """In a line, as the lists of equivalents have it."""
        return f"{self.before} -> {self.after}"


@dataclass
class Point:
    """A statement's place, and where what it stands for ends, unless another begins before."""

    part: object
    offset: int
    end: int
    number: int = 0

    @property
    def line(self):
        return line_of(self.part, self.offset)


def point_at(points, offset):
    """The innermost point of a function for something that stands at an offset."""
    around = [point for point in points if point.offset <= offset < point.end]
    return max(around, key=lambda point: point.offset, default=points[0] if points else None)


def one_line(text):
    return " ".join(text.split())


def line_of(part, offset):
    return part.text.count(b"\n", 0, offset) + 1


def column_of(part, offset):
    return offset - part.text.rfind(b"\n", 0, offset)


def of_part(part):
    """The mutants and the points of one function or table; a mutant's point is one of these."""
    walk, counts = operators.walk(part), Counter()
    points = [Point(part, *place) for place in walk.points]
    mutants = []
    for edit in walk.edits:
        counts[edit.operator] += 1
        mutants.append(
            Mutant(
                name=f"{part.file}/{part.name}/{edit.operator}.{counts[edit.operator]}",
                operator=edit.operator,
                changes=[Change(part, [(edit.start, edit.end, edit.text)])],
                line=line_of(part, edit.start),
                column=column_of(part, edit.start),
                before=one_line(part.text[edit.start : edit.end].decode()),
                after=one_line(edit.text),
                points=[points[edit.point]] if edit.point >= 0 else [],
            )
        )
    return mutants, points


def without_equal_texts(mutants):
    """Drops what another mutant does already, word for word: (the rest, how many)."""
    seen, kept = set(), []
    for mutant in mutants:
        key = tuple(
            (change.part.path, change.part.name, b"".join(change.new_text().split()))
            for change in mutant.changes
        )
        if key not in seen:
            seen.add(key)
            kept.append(mutant)
    return kept, len(mutants) - len(kept)


def number(mutants, points):
    """Numbers both, from 1, in their order; 0 is the healthy processor."""
    for index, mutant in enumerate(mutants, 1):
        mutant.number = index
    for index, point in enumerate(points, 1):
        point.number = index
