# SPDX-License-Identifier: GPL-2.0-or-later
"""Two runs side by side: what differs first, then what is the same."""

import json
from collections import Counter

from listing import table
from machine import LabError

PARTS = ("verdict", "processor", "machine", "traits", "findings", "errata", "tests", "coverage")
SAME_SHOWN = (
    "verdict",
    "processor",
    "machine",
    "traits",
)  # of the others only how many are the same
NOTHING, UNKNOWN = "-", "unknown"


def compare(store, a, b):
    """{"a": …, "b": …, "rows": [{part, name, a, b, same}]}, the rows that differ first.

    a, b: BOARD or BOARD@NUMBER. Raises LabError where one of them has no log.
    """
    runs = [store.find(name) for name in (a, b)]
    facts = [facts_of(run) for run in runs]
    names = sorted({*facts[0], *facts[1]}, key=lambda key: (PARTS.index(key[0]), key[1]))
    rows = [row_of(key, *(each.get(key, NOTHING) for each in facts)) for key in names]
    rows.sort(key=lambda row: row["same"])
    named = [f"{run['board']}@{run['number']}" for run in runs]
    return {"a": named[0], "b": named[1], "rows": rows}


def row_of(key, a, b):
    return {"part": key[0], "name": key[1], "a": a, "b": b, "same": a == b}


def facts_of(run):
    """(part, name) -> value as text, of one run."""
    if not run["data"]:
        why = run["told"] or "it has not ended"
        raise LabError(f"{run['board']}@{run['number']} cannot be compared: {why}")
    data = json.loads(run["data"])
    return {
        **verdict_of(run, data),
        **processor_of(data["processor"]),
        **machine_of(data.get("machine", {})),
        **traits_of(data),
        **findings_of(data),
        **{("errata", name): f"x{times}" for name, times in data["errata"].items()},
        **{("tests", test["name"]): outcome_of(test) for test in data["tests"]},
        **coverage_of(data),
    }


def verdict_of(run, data):
    values = {
        "status": data["status"]["name"],
        "trouble": run["trouble"] or NOTHING,
        "image": str(data["image"]),
        "options": " ".join(data["options"]),
        "results": " ".join(f"{key}={number}" for key, number in data["results"].items()),
    }
    return {("verdict", name): value for name, value in values.items()}


def processor_of(processor):
    values = {**processor, "kinds": "; ".join(processor["kinds"])}
    if processor["eax"] is not None:
        values["eax"] = f"0x{processor['eax']:08x}"
    return {("processor", key): str(value or NOTHING) for key, value in values.items()}


def machine_of(machine):
    """Not its clock, which says when it ran. What an older version did not keep is not known."""
    return {("machine", key): text for key, text in machine.items() if text and key != "date"}


def at(place, name):
    return f"{name}@{place}" if place else name


def traits_of(data):
    """What is unknown, with why: it is no decision like another one's."""
    known = {
        ("traits", at(place, name)): value
        for place, traits in data["traits"].items()
        for name, value in traits.items()
    }
    unknown = {
        ("traits", at(place, name)): f"{UNKNOWN} ({why})"
        for place, traits in data["unknown_traits"].items()
        for name, why in traits.items()
    }
    return {**unknown, **known}


def findings_of(data):
    """Test and kind -> how often; the numbers of a finding are another run's in any case."""
    counted = Counter()
    for test in data["tests"]:
        for found in findings_below(test):
            counted[test["name"], found["kind"]] += found["times"]
    return {("findings", f"{test}: {kind}"): f"x{times}" for (test, kind), times in counted.items()}


def findings_below(test):
    waiting = [test]
    while waiting:
        each = waiting.pop()
        waiting += each["subtests"]
        yield from each["findings"]


def outcome_of(test):
    """With the parts that are not ok."""
    bad = [part["name"] for part in test["subtests"] if part["outcome"] in ("fail", "timeout")]
    return test["outcome"] + (f": {', '.join(bad[:3])}" if bad else "")


def coverage_of(data):
    return {
        ("coverage", at(place, "claims")): f"{each['checked']} of {each['claims']} checked,"
        f" {each['in_part']} in part"
        for place, each in data["coverage"].items()
    }


def print_comparison(found, out):
    """The rows that differ as a table, then those that do not, shortly."""
    differ = [row for row in found["rows"] if not row["same"]]
    same = [row for row in found["rows"] if row["same"]]
    if differ:
        print(f"{found['a']} and {found['b']} differ:", file=out)
        print_rows(found, differ, out)
    else:
        print(f"{found['a']} and {found['b']} do not differ.", file=out)
    shown = [row for row in same if is_shown(row)]
    if shown:
        print("\nThe same:", file=out)
        table(["", "", "both"], [[row["part"], row["name"], row["a"]] for row in shown], out)
    counted = Counter(row["part"] for row in same if not is_shown(row) and row["a"] != NOTHING)
    if counted:
        told = ", ".join(f"{number} {part}" for part, number in counted.items())
        print(f"\nThe same, not shown: {told}.", file=out)


def is_shown(row):
    known = row["a"] != NOTHING and not row["a"].startswith(UNKNOWN)
    return row["part"] in SAME_SHOWN and known


def print_rows(found, rows, out):
    columns = ["", "", found["a"], found["b"]]
    table(columns, [[row[key] for key in ("part", "name", "a", "b")] for row in rows], out)
