# SPDX-License-Identifier: GPL-2.0-or-later
"""Faults that people invented, as edits of the same functions: invented/*.toml."""

import tomllib
from pathlib import Path

from . import MutationError, mutants

FAULT = {"name": str, "help": str, "claims": list, "edit": list}
EDIT = {"file": str, "function": str, "before": str, "after": str}


def _check(table, fields, where):
    for name, kind in fields.items():
        if not isinstance(table.get(name), kind) or not table[name] and name != "after":
            raise MutationError(f"{where}: '{name}' must be there, a {kind.__name__}, not empty")
    unknown = ", ".join(set(table) - set(fields))
    if unknown:
        raise MutationError(f"{where}: there is no {unknown}")


def _faults(path):
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise MutationError(f"{path.name}: {error}") from None
    if set(table) - {"fault"} or not isinstance(table.get("fault"), list):
        raise MutationError(f"{path.name}: it must hold [[fault]] tables and nothing else")
    return table["fault"]


def _without_space(text):
    """(the text without white space, where each character of it was)"""
    places = [index for index, one in enumerate(text) if not one.isspace()]
    return "".join(text[index] for index in places), places


def find(part, before):
    """(start, end) in the file of a text that stands once in a function, white space aside."""
    text, places = _without_space(part.own_text.decode("latin-1"))
    wanted = "".join(before.split())
    count = text.count(wanted)
    if count != 1:
        raise MutationError(f"it stands {count} times in {part.name}, where it must be once")
    first = text.index(wanted)
    return part.start + places[first], part.start + places[first + len(wanted) - 1] + 1


def _part(edit, parts):
    found = parts.get((edit["file"], edit["function"]))
    if found:
        return found
    names = [name for file, name in parts if file == edit["file"]]
    there = f"there are: {', '.join(names)}" if names else "no such file is mutated"
    raise MutationError(f"{edit['file']}: no {edit['function']}; {there}")


def _changes(fault, parts):
    found = {}
    for edit in fault["edit"]:
        _check(edit, EDIT, "an edit")
        part = _part(edit, parts)
        start, end = find(part, edit["before"])
        found.setdefault((edit["file"], edit["function"]), mutants.Change(part, [])).edits.append(
            (start, end, edit["after"])
        )
    for change in found.values():
        ordered = sorted(change.edits)
        if any(one[1] > two[0] for one, two in zip(ordered, ordered[1:])):
            raise MutationError(f"two edits of {change.part.name} overlap")
    return list(found.values())


def _mutant(fault, parts, points_of):
    changes = _changes(fault, parts)
    first = changes[0]
    start = first.edits[0][0]
    return mutants.Mutant(
        name=fault["name"],
        kind="invented",
        operator="invented",
        changes=changes,
        line=mutants.line_of(first.part, start),
        column=mutants.column_of(first.part, start),
        before=mutants.one_line(fault["edit"][0]["before"]),
        after=mutants.one_line(fault["edit"][0]["after"]),
        points=[mutants.point_at(points_of(x.part), edit[0]) for x in changes for edit in x.edits],
        claims=fault["claims"],
        help=fault["help"],
    )


def load(folder, parts, points_of):
    """The invented faults. parts: by (file, name); points_of: those of a part. Edits that do not
    fit are reported together."""
    found, problems, names = [], [], set()
    for path in sorted(Path(folder).glob("*.toml")):
        for number, fault in enumerate(_faults(path), 1):
            name = fault.get("name", f"number {number}") if isinstance(fault, dict) else number
            try:
                _check(fault, FAULT, "the fault")
                if name in names:
                    raise MutationError("there is another of that name")
                found.append(_mutant(fault, parts, points_of))
            except MutationError as error:
                problems.append(f"{path.name}: {name}: {error}")
            names.add(name)
    if problems:
        raise MutationError("these faults do not fit:\n  " + "\n  ".join(problems))
    return found
