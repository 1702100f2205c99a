# SPDX-License-Identifier: GPL-2.0-or-later
"""One source with all mutants in it: a copy of the function for each, chosen by number.

A function asks once, in its first statement, whether the number is one of its own; a table is read
through a function that asks the same. Each copy's lines are kept, to find the mutant that a
compiler error belongs to.
"""

from collections import defaultdict
from dataclasses import dataclass, field

CALLER_MATTERS = "GETPC"  # a copy that is a call of its own would have another caller


@dataclass
class Written:
    """A generated file: its text, and which lines belong to which mutant."""

    text: str = ""
    spans: list = field(default_factory=list)  # (first line, last line, mutant)

    def mutant_at(self, line):
        return next((one for first, last, one in self.spans if first <= line <= last), None)


class Writer:
    def __init__(self):
        self.pieces, self.line, self.written = [], 1, Written()

    def put(self, text):
        self.pieces.append(text)
        self.line += text.count("\n")

    def put_mutant(self, mutant, text):
        first = self.line
        self.put(text)
        self.written.spans.append((first, self.line, mutant))

    def end(self):
        self.written.text = "".join(self.pieces)
        return self.written


def clone_name(part, number):
    return f"{part.name}__m{number}"


def clone(change, number, attribute):
    """The function of a mutant, with its own name, seen in its file alone."""
    part, text = change.part, change.new_text().decode()
    at = part.name_at - part.start
    head, rest = text[:at], text[at + len(part.name) :]
    head = head if not part.external else "static " + head
    return f"{attribute} {head}{clone_name(part, number)}{rest}\n"


def head(part):
    return part.text[part.start : part.body].decode().rstrip()


def _attribute(part):
    if CALLER_MATTERS.encode() in part.own_text:
        return "__attribute__((always_inline)) inline"
    return "__attribute__((unused))"


def condition(numbers):
    """Those of a function follow each other."""
    return f"mutant_between({min(numbers)}, {max(numbers)})"


def dispatcher(part, numbers):
    """What the healthy function does first."""
    arguments = ", ".join(part.parameters)
    lines = [f"if ({condition(numbers)}) {{ switch (ds_mutant) {{"]
    for number in sorted(numbers):
        call = f"{clone_name(part, number)}({arguments})"
        lines.append(
            f"case {number}: {call}; return;"
            if part.result == "void"
            else f"case {number}: return {call};"
        )
    return " ".join([*lines, "} }"])


class Choosing:
    """The build that is booted: by number, with probes."""

    def __init__(self, points):
        self.points = points

    first_line = '#include "mutants.h"\n'

    def put_function(self, writer, part, changes):
        if changes:
            writer.put(head(part) + ";\n")
        for number, (mutant, change) in sorted(changes.items()):
            writer.put_mutant(mutant, clone(change, number, _attribute(part)))
        text, at = part.text, part.start
        for offset, inserted in self.insertions(part, changes):
            writer.put(text[at:offset].decode() + inserted)
            at = offset
        writer.put(text[at : part.end].decode())

    def insertions(self, part, changes):
        """What the healthy function gets, by offset."""
        if changes:
            yield part.body + 1, dispatcher(part, changes)
        for point in sorted(self.points.get((part.path, part.name), []), key=lambda x: x.offset):
            yield point.offset, f" REACHED({point.number}); "

    def end_table(self, writer, part, changes):
        writer.put(_table_chooser(part, changes))


class Comparing:
    """The build that is compared and never run: every copy, and one that is unchanged. guards: by
    file, the macro without which a header's copies are left out."""

    attribute = "__attribute__((noipa, used))"
    first_line = ""

    def __init__(self, guard):
        self.guard = guard

    def put_function(self, writer, part, changes):
        writer.put(part.own_text.decode() + "\n")
        if not changes:
            return
        writer.put(f"#ifdef {self.guard}\n" if self.guard else "")
        writer.put(clone(Unchanged(part), 0, self.attribute))
        for number, (mutant, change) in sorted(changes.items()):
            writer.put_mutant(mutant, clone(change, number, self.attribute))
        writer.put("#endif\n" if self.guard else "")

    def end_table(self, writer, part, changes):
        pass


@dataclass
class Unchanged:
    part: object

    def new_text(self):
        return self.part.own_text


def _table_chooser(part, changes):
    name, kind = part.name, f"const __typeof__({part.name})"
    lines = [f"static inline {kind} *{name}__chosen(void) {{"]
    lines.append(f"if ({condition(changes)}) {{ switch (ds_mutant) {{")
    lines += [f"case {number}: return &{clone_name(part, number)};" for number in sorted(changes)]
    lines.append(f"}} }} return &{name}; }}\n#define {name} (*{name}__chosen())\n")
    return " ".join(lines)


def _put_table(writer, part, changes):
    """The table and its copies; returns where it ends."""
    end = part.text.index(b";", part.end) + 1
    writer.put(part.text[part.start : end].decode() + "\n")
    for number, (mutant, change) in sorted(changes.items()):
        value = change.new_text().decode()[part.body - part.start :]
        name = clone_name(part, number)
        kind = f"static const __typeof__({part.name}) {name} __attribute__((unused)) "
        writer.put_mutant(mutant, f"{kind}{value};\n")
    return end


def changes_by_part(mutants):
    """{(path, name): {number: (mutant, change)}}"""
    found = defaultdict(dict)
    for mutant in mutants:
        for change in mutant.changes:
            found[change.part.path, change.part.name][mutant.number] = (mutant, change)
    return found


def write(text, parts, changes, style):
    """A file with its mutants."""
    writer, at = Writer(), 0
    writer.put(style.first_line)
    for part in sorted(parts, key=lambda part: part.start):
        writer.put(text[at : part.start].decode())
        own = changes.get((part.path, part.name), {})
        if part.is_table:
            at = _put_table(writer, part, own)
            if own:
                style.end_table(writer, part, own)
        else:
            style.put_function(writer, part, own)
            at = part.end
    writer.put(text[at:].decode())
    return writer.end()
