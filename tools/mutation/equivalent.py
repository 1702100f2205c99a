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


def load_equivalent(folder, mutants):
    """Name -> (kind, reason). A name or a change that is not there any more is an error."""
    changes = {mutant["name"]: change_of(mutant) for mutant in mutants}
    found = {}
    for path in sorted(folder.glob("*.toml")):
        for row in rows_of(path):
            check_row(path, row)
            for name, change in row["mutants"].items():
                check_mutant(path, name, change, changes.get(name))
                found[name] = (row["kind"], row["reason"])
    return found


def rows_of(path):
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"{path} cannot be read: {error}") from error


def check_mutant(path, name, change, now):
    if change != now:
        raise LabError(
            f"{path}: {name} = {change!r} is no mutant (any more); it is {now!r}:"
            " look at the reason again"
        )


def check_row(path, row):
    if row.get("kind") not in KINDS or not row.get("reason", "").strip():
        raise LabError(f"{path}: a row needs a reason, and a kind of {', '.join(KINDS)}: {row}")
    if not isinstance(row.get("mutants"), dict):
        raise LabError(f"{path}: a row has a table of mutants: {row['reason']}")


def change_of(mutant):
    return f"{mutant['before']} -> {mutant['after']}"
