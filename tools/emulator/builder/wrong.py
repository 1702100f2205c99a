# SPDX-License-Identifier: GPL-2.0-or-later
"""Weaves the wrong processors of wrong/*.toml into copies of the healthy sources.

An edit is put where the smallest condition, initial value or statement around it stands, in a form
that asks which processor this is: `(fault(cpu, FAULT_X) ? (edited) : (healthy))` or `if (fault(cpu,
FAULT_X)) { edited } else { healthy }`. Where that would take a declaration away from what follows,
all that follows in the block is edited, too.
"""

import re
from dataclasses import dataclass, field

from . import BuildError
from .statements import CLOSE, DECLARATION, OPEN, blank, find_function, read_body, without_comments

WORD = re.compile(r"\w+|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|->|\+\+|--|\S")
HAS_CPU = re.compile(r"\bstruct ds_cpu \*cpu\b")


# -- units: what is written twice ---------------------------------------------------------------


@dataclass
class Unit:
    """A condition, a value, or statements that follow each other, with those that edit it."""

    start: int
    end: int
    is_expression: bool
    is_condition: bool = False  # true or false is all that is asked of it
    is_open: bool = False  # statements of the block follow
    edited: dict = field(default_factory=dict)  # identifier -> [(start, end, text)]

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end

    def holds(self, other):
        return self.start <= other.start and other.end <= self.end


def units_around(region, start, end):
    """Those around a range of the text, the smallest first."""
    for part in region.parts:
        is_behind = start == end == part.end and (part.is_block or part.parts)
        if part.holds(start, end) and not is_behind:
            yield from units_around(part, start, end)
    if region.is_block:
        yield from _statements(region, start, end)
    elif not region.is_declaration:
        yield Unit(region.start, region.end, region.is_expression, region.is_condition, True)


def _statements(block, start, end):
    """Those of a block that the range touches, and behind a declaration all that follow."""
    touched = [part for part in block.parts if part.start < end and start < part.end]
    if not touched:  # between two statements
        touched = [part for part in block.parts if part.start >= end][:1] or block.parts[-1:]
    if not touched:
        return
    first = min(start, touched[0].start)
    if not any(part.is_declaration for part in touched):
        yield Unit(first, max(end, touched[-1].end), False, is_open=True)
    yield Unit(first, block.parts[-1].end, False)


def declares(text):
    """Does what follows in the block need it?"""
    return any(DECLARATION.match(part.strip()) for part in re.split(r"[;{}]", text))


def is_whole(text, is_expression):
    """Can it stand alone, as a value or as statements?"""
    plain, depth = blank(text), 0
    for one in plain:
        depth += (one in OPEN) - (one in CLOSE)
        if depth < 0 or (is_expression and depth == 0 and one in ";"):
            return False
    return depth == 0 and bool(plain.strip() or not is_expression)


def merged(units):
    """Units that are equal or cross each other become one."""
    left, found = sorted(units, key=lambda each: (each.start, -each.end)), []
    for unit in left:
        same = next((each for each in found if _is_one(each, unit)), None)
        if same is None:
            found.append(unit)
            continue
        same.start, same.end = min(same.start, unit.start), max(same.end, unit.end)
        for identifier, edits in unit.edited.items():
            same.edited.setdefault(identifier, []).extend(edits)
    return found if len(found) == len(units) else merged(found)


def _join(units):
    """The edits of one processor, where one's unit holds another's, are made together."""
    for outer in units:
        for inner in units:
            if inner is not outer and outer.holds(inner):
                for identifier in outer.edited.keys() & inner.edited.keys():
                    outer.edited[identifier] += inner.edited.pop(identifier)


def _is_one(one, other):
    if (one.start, one.end) == (other.start, other.end):
        return True
    return one.overlaps(other) and not one.holds(other) and not other.holds(one)


# -- writing ------------------------------------------------------------------------------------


def _apply(text, start, end, edits):
    """The text of a range with edits made."""
    piece = text[start:end]
    for first, last, instead in sorted(edits, reverse=True):
        piece = piece[: first - start] + instead + piece[last - start :]
    return piece


def _write(text, start, end, units, ask):
    """The range with the units in it, each asking who it is; units: the outer ones first."""
    pieces, at = [], start
    for unit in units:
        if unit.start < at or not (start <= unit.start and unit.end <= end):
            continue
        inner = [each for each in units if each is not unit and unit.holds(each)]
        pieces += [text[at : unit.start], _guarded(text, unit, inner, ask)]
        at = unit.end
    return "".join([*pieces, text[at:end]])


def _guarded(text, unit, inner, ask):
    healthy = _write(text, unit.start, unit.end, inner, ask)
    if not unit.edited:
        return healthy
    edited = [
        (ask(name), _apply(text, unit.start, unit.end, edits))
        for name, edits in unit.edited.items()
    ]
    if unit.is_expression:
        yes = "!!" if unit.is_condition else ""
        values = "".join(f"{asks} ? {yes}({new}) : " for asks, new in edited)
        return f"({values}{yes}({healthy}))"
    return "".join(f"if ({asks}) {{ {new} }} else " for asks, new in edited) + f"{{ {healthy} }}"


def place_of(text, function, before):
    """(start, end) in the text of a function of what stands once in it, white space and comments
    aside."""
    text = without_comments(text)
    places = [at for at, one in enumerate(text) if not one.isspace()]
    dense, wanted = "".join(text[at] for at in places), "".join(before.split())
    if (count := dense.count(wanted)) != 1:
        raise BuildError(f"'{before}' stands {count} times in {function}, where it must be once")
    first = dense.index(wanted)
    return places[first], places[first + len(wanted) - 1] + 1


def _words(text):
    """[(start, end, word)]"""
    return [(match.start(), match.end(), match[0]) for match in WORD.finditer(text)]


def trimmed(before, after):
    """(start, end) of what differs in `before`, and what stands there in `after`."""
    one, other = _words(before), _words(after)
    same = _alike(one, other)
    behind = min(_alike(one[::-1], other[::-1]), len(one) - same, len(other) - same)
    changed, instead = one[same : len(one) - behind], other[same : len(other) - behind]
    start = changed[0][0] if changed else one[same - 1][1] if same else 0
    end = changed[-1][1] if changed else start
    return start, end, after[instead[0][0] : instead[-1][1]] if instead else ""


def _alike(one, other):
    """How many words in front are the same."""
    pairs = enumerate(zip(one, other))
    return next((at for at, (a, b) in pairs if a[2] != b[2]), min(len(one), len(other)))


def _unit(text, block, identifier, edit):
    """The smallest that is whole when it is edited; None where there is none."""
    for unit in units_around(block, edit[0], edit[1]):
        inside = block.start < unit.start and unit.end < block.end
        edited = _apply(text, unit.start, unit.end, [edit]) if inside else "{"
        if unit.is_open and declares(edit[2]):
            continue
        if is_whole(edited, unit.is_expression):
            unit.edited[identifier] = [edit]
            return unit
    return None


def weave_function(text, name, edits):
    """edits: [(identifier, Edit)] of that function; the text of the whole file, woven."""
    start, body, end = find_function(text, name)
    block, units = read_body(text, body), []
    for identifier, edit in edits:
        first, last = (start + at for at in place_of(text[start:end], name, edit.before))
        begin, until, instead = trimmed(without_comments(text[first:last]), edit.after)
        first, last = first + begin, first + until
        units.append(_unit(text, block, identifier, (first, last, f" {instead} ")))
        if units[-1] is None:
            raise BuildError(f"'{edit.before}' of {name} is in no statement")
    has_cpu = HAS_CPU.search(blank(text[start:body]))

    def ask(identifier):
        return f"fault(cpu, {identifier})" if has_cpu else f"fault_anywhere({identifier})"

    units = merged(units)
    _join(units)
    woven = _write(text, body + 1, end - 1, units, ask)
    return text[: body + 1] + woven + text[end - 1 :]


def edits_by_place(entries):
    """file -> function -> [(identifier, Edit)]"""
    found = {}
    for entry in entries:
        for edit in entry.edits:
            by_function = found.setdefault(edit.file, {})
            by_function.setdefault(edit.function, []).append((entry.identifier, edit))
    return found


def weave_text(text, by_function):
    """The text of a file, woven; what does not fit, as sentences."""
    problems = []
    for name, edits in by_function.items():
        try:
            text = weave_function(text, name, edits)
        except BuildError as error:
            problems.append(f"{error} ({', '.join(identifier for identifier, _ in edits)})")
    return text, problems


HEADER = '#include "faults/fault.h"\n#include "faults/seams.h"\n'
GLUE_HEADER = '#include "model/faults/fault.h"\n'
FIRST = '#include "qemu/osdep.h"\n'  # nothing of QEMU may stand before it


def with_header(text, header=HEADER):
    """What the edits name is declared, once."""
    if header in text:
        return text
    return text.replace(FIRST, FIRST + header, 1) if FIRST in text else header + text
