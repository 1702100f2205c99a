# SPDX-License-Identifier: GPL-2.0-or-later
"""Mutants that are no fault: equivalent/*.toml, each with the change and with the reason."""

import tomllib

from machine import LabError

KINDS = {
    "same": "no software can tell it from the healthy processor",
    "open": "a processor that the manual allows",
    "host": "it changes the emulator, and nothing that a processor does",
    "absent": "it belongs to a processor that no profile is",
}


def load_equivalent(folder, changes):
    """Name -> (kind, reason). changes: those of all mutants that can be thought of, by name; what
    the rows say of a name must be what it is now.
    """
    found, wrong = {}, []
    for path in sorted(folder.glob("*.toml")):
        for row in rows_of(path):
            check_row(path, row)
            found |= dict.fromkeys(row["mutants"], (row["kind"], row["reason"]))
            wrong += differing(path, row["mutants"], changes)
    if wrong:
        raise LabError(
            "these are no mutants of the sources as they are; look at the reason again, and mend"
            " the row:\n  " + "\n  ".join(wrong)
        )
    return found


def rows_of(path):
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"{path} cannot be read: {error}") from error


def differing(path, mutants, changes):
    return [
        f"{path.name}: {name} = {change!r}, which is {changes.get(name, 'no name of one')!r} now"
        for name, change in mutants.items()
        if change != changes.get(name)
    ]


def check_row(path, row):
    if row.get("kind") not in KINDS or not row.get("reason", "").strip():
        raise LabError(f"{path}: a row needs a reason, and a kind of {', '.join(KINDS)}: {row}")
    if not isinstance(row.get("mutants"), dict):
        raise LabError(f"{path}: a row has a table of mutants: {row['reason']}")
