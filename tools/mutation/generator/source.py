# SPDX-License-Identifier: GPL-2.0-or-later
"""What the silicon's files hold: functions and tables, in the order in which they stand."""

from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import CursorKind

from . import clang


@dataclass
class Macros:
    """Where macros are used in a file, and which names stand for constants."""

    uses: list = field(default_factory=list)  # (start, end, name)
    bodies: dict = field(default_factory=dict)  # name -> spellings of its tokens

    def inside(self, start, end):
        """Whether a range lies in what a macro has written, or in its arguments."""
        return any(first <= start and end <= last for first, last, _ in self.uses)

    def exactly(self, start, end):
        """The macro whose use is exactly that range, or None."""
        return next(
            (name for first, last, name in self.uses if (first, last) == (start, end)), None
        )


@dataclass
class Part:
    """A function or a table, that mutants are made of."""

    file: str  # as it is named to people: bts.c, glue/events.c
    path: Path
    name: str
    cursor: object
    start: int  # of the whole
    end: int
    name_at: int
    text: bytes  # of the file
    macros: Macros
    body: int  # where a function's { or a table's = stands
    is_table: bool = False
    external: bool = False
    result: str = ""  # the type that a function returns
    parameters: list = field(default_factory=list)

    @property
    def own_text(self):
        return self.text[self.start : self.end]


def _macros(unit, path):
    found = Macros()
    for cursor in unit.cursor.get_children():
        if cursor.kind == CursorKind.MACRO_INSTANTIATION and clang.file_of(cursor) == path:
            found.uses.append((*clang.bounds(cursor), cursor.spelling))
        elif cursor.kind == CursorKind.MACRO_DEFINITION and cursor.location.file:
            found.bodies[cursor.spelling] = cursor
    return found


def _body_of(cursor):
    return next((x for x in cursor.get_children() if x.kind == CursorKind.COMPOUND_STMT), None)


def _of_function(cursor, text):
    """What a function has and a table has not; None for a declaration."""
    body = _body_of(cursor)
    if body is None:
        return None
    return {
        "body": clang.bounds(body)[0],
        "external": b"static" not in text[clang.bounds(cursor)[0] : cursor.location.offset].split(),
        "result": cursor.result_type.spelling,
        "parameters": [x.spelling for x in cursor.get_arguments()],
    }


def initialiser(cursor, text):
    """The initialiser of a variable, or None."""
    children = [x for x in cursor.get_children() if x.kind.is_expression()]
    if not children:
        return None
    between = text[cursor.location.offset : clang.bounds(children[-1])[0]]
    return children[-1] if b"=" in between else None


def _of_table(cursor, text):
    """What a table has and a function has not; None for any other variable."""
    value = initialiser(cursor, text)
    if value is None or not cursor.type.is_const_qualified() and not _const_array(cursor.type):
        return None
    return {"body": text.index(b"=", cursor.location.offset), "is_table": True}


def _const_array(kind):
    element = kind.get_array_element_type()
    return element.spelling != "" and element.is_const_qualified()


OWN = {CursorKind.FUNCTION_DECL: _of_function, CursorKind.VAR_DECL: _of_table}


def parts(unit, seen_as, path, file):
    """The functions and tables of one file, as a unit that contains it has them, which may know it
    by another path; file: its name for people."""
    text = path.read_bytes()
    macros = _macros(unit, seen_as)
    for cursor in unit.cursor.get_children():
        if cursor.kind not in OWN or clang.file_of(cursor) != seen_as:
            continue
        own = OWN[cursor.kind](cursor, text)
        if own is not None:
            start, end = clang.bounds(cursor)
            name, name_at = cursor.spelling, cursor.location.offset
            yield Part(file, path, name, cursor, start, end, name_at, text, macros, **own)
