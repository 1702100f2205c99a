# SPDX-License-Identifier: GPL-2.0-or-later
"""The records that a failing test wrote into the log: expected beside got."""

import re
from dataclasses import dataclass, field
from itertools import groupby

from line_kinds import COMPARED, COMPARISON, FIELD

# Bytes that no processor has written (DS_POISON of the kernel), as an address.
UNWRITTEN = re.compile(r"0x(?:a5){8}(?: -> 0x(?:a5){8})?")
BOXES = 64  # records that are drawn, of one buffer


@dataclass(frozen=True)
class Record:
    number: int
    branch: str  # "from -> to"
    kind: str = ""  # of the transfer, where it is known


@dataclass
class Step:
    """One line of expected beside got."""

    expected: Record | None
    got: Record | None
    mark: str  # "same", "missing", "extra", "differs"


@dataclass
class Window:
    """The surroundings of the first difference between a trace and what it must hold."""

    expected_count: int
    got_count: int
    begin: int  # number of the note that says so
    rows: list[tuple] = field(default_factory=list)
    end: int | None = None  # … and of that of the next one

    @property
    def steps(self):
        return steps_of(self.rows)

    def notes(self):
        """Their numbers."""
        return range(self.begin, self.begin + 1 + len(self.rows))


def windows_of(notes):
    """Each place in the notes that shows records."""
    found, reading = [], False
    for number, note in enumerate(notes):
        if match := COMPARISON.fullmatch(note):
            if found:
                found[-1].end = number
            found.append(Window(int(match[1]), int(match[2]), number))
            reading = True
        elif reading and (match := COMPARED.fullmatch(note)):
            found[-1].rows.append(match.groups())
        else:
            reading = False
    return [window for window in found if window.rows]


def steps_of(rows):
    """The log has them aligned; what came in another's place has its number."""
    steps = []
    for mark, number, _, kind, branch in rows:
        record = Record(int(number), branch, kind or "")
        before = steps[-1] if steps else None
        if mark in "-~":
            steps.append(Step(record, None, "missing" if mark == "-" else "same"))
        elif mark == "+" and before and before.mark == "missing" and is_there(before, record):
            steps[-1] = Step(before.expected, record, "differs")
        else:
            steps.append(
                Step(*((None, record, "extra") if mark == "+" else (record, record, "same")))
            )
    return steps


def is_there(step, record):
    return step.expected.number == record.number


def read(text):
    """A branch or an address in words."""
    return UNWRITTEN.sub("never written", text)


def fields_of(finding):
    """Name -> (number, symbol) of a finding's text; a text in quotation marks has no symbol."""
    return {
        name: (value.strip('"'), symbol or "")
        for name, value, symbol in FIELD.findall(finding["text"])
    }


@dataclass(frozen=True)
class Box:
    number: int
    mark: str  # "", the kind of a finding in this slot, "end" of the buffer, or "untold"
    lacks: int  # records that are missing before it

    @property
    def is_wrong(self):
        return self.mark not in ("", "end", "untold")


WRONG = {
    "extra": "one too many",
    "from": "wrong FROM",
    "to": "wrong TO",
    "flags": "wrong flags",
    "order": "out of order",
}


def caption_of(boxes):
    """In words, runs of slots together: "slots 0 to 7: one too many each"."""
    words = []
    for (mark, lacks), group in groupby(boxes, key=lambda box: (box.mark, box.lacks)):
        numbers = [box.number for box in group]
        slots = f"slots {numbers[0]} to {numbers[-1]}" if numbers[1:] else f"slot {numbers[0]}"
        each = " each" if numbers[1:] else ""
        if lacks:
            where = "at the end" if mark == "end" else f"before {slots}"
            words.append(f"{where}: {lacks} missing{each}")
        if mark not in ("", "end", "untold"):
            words.append(f"{slots}: {WRONG.get(mark, mark)}{each}")
    return words


def findings_in(part, window):
    """Those that stand behind this window, and before the next one."""
    end = window.end if window.end is not None else len(part["notes"])
    return [each for each in part["findings"] if window.begin < each["after"] <= end]


def names_no_more(part):
    """Some findings about records are only counted: which slots those are in is not told."""
    return any(not each["text"] and each["kind"].startswith("record.") for each in part["findings"])


def boxes_of(part, window):
    """The slots of the buffer, as far as findings name them; [] where there are none to draw."""
    marks, lacks = {}, {}
    for finding in findings_in(part, window):
        slot = fields_of(finding).get("slot", ("",))[0]
        if not finding["kind"].startswith("record.") or not slot.isdecimal():
            continue
        if finding["kind"] == "record.missing":
            lacks[int(slot)] = lacks.get(int(slot), 0) + 1
        else:
            marks.setdefault(int(slot), finding["kind"].removeprefix("record."))
    concerned = [*marks, *lacks]
    if not concerned:
        return []
    first = max(0, min(concerned) - 4) if window.got_count > BOXES else 0
    last = min(max(window.got_count, max(marks, default=-1) + 1), first + BOXES)
    known = max(concerned) if names_no_more(part) else last
    unmarked = {n: "untold" for n in range(known + 1, last)}
    marks = unmarked | marks
    boxes = [Box(n, marks.get(n, ""), lacks.get(n, 0)) for n in range(first, last)]
    if window.got_count == last and (more := lacks.get(last)):
        boxes.append(Box(last, "end", more))
    return boxes
