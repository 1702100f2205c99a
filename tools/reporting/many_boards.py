# SPDX-License-Identifier: GPL-2.0-or-later
"""What the page of many boards shows. Boards that are alike share a column, so that a thousand of
them stay readable."""

from collections import Counter

from charts import bars_of
from claim_states import BROKEN, sections, states_of
from one_board import failure_of
from words import board_of, broken_parts, drawn_tests, failed_tests, first_finding, has_passed
from words import deviations, grouped, is_rest, one_line, other_reasons, points_of, usual_of

COLUMNS = 24  # of one matrix
MATRICES = 4
CLUSTERS = 40
TESTS_DRAWN = 3  # of a cluster, in full
TRAIT_COLUMNS = 16
NAMED = 12  # boards, before "and 30 more"
SIGNATURES_DRAWN = 30

# How a run ended, for pictures: (name, colour, statuses).
ENDS = (
    ("passed", "var(--ok)", ("PASS",)),
    ("failed", "var(--bad)", ("FAIL",)),
    ("no verdict", "var(--warn)", ("ERROR", "CRASH", "CUT_OFF", "TIMEOUT", "DISAGREE")),
    ("nothing tested", "var(--none)", ("SKIP", "DRY_RUN", "LISTED")),
)


def end_of(run):
    return next(name for name, _, names in ENDS if run["status"]["name"] in names)


def model_of(runs):
    """All that the template asks for."""
    names = [name for _, claims in sections() for name, _ in claims]
    states = [states_of(run, names) for run in runs]
    return {
        "runs": runs,
        "ends": [(name, colour, sum(end_of(r) == name for r in runs)) for name, colour, _ in ENDS],
        "clusters": clusters_of(runs),
        "rows": rows_of(runs, states),
        "matrix": matrix_of(runs, states),
        "broken": broken_of(runs, states),
        "signatures": signatures_of(runs),
        "trends": trends_of(runs, states),
        "traits": traits_of(runs),
        "soaks": [(board_of(run), run["soak"]) for run in runs if run["soak"]],
        "errata": errata_of(runs),
    }


def named(boards):
    """The first of them, and how many more."""
    more = len(boards) - NAMED
    return ", ".join(boards[:NAMED]) + (f" and {more} more" if more > 0 else "")


# --- boards -----------------------------------------------------------------------------------


def rows_of(runs, states):
    """What needs a look comes first."""
    order = {name: number for number, name in enumerate(["failed", "no verdict", "nothing tested"])}
    rows = [
        {
            "run": run,
            "board": board_of(run),
            "machine": run.get("machine", {}).get("board") or "",
            "end": end_of(run),
            "failed": sum(test["outcome"] == "fail" for test in run["tests"]),
            "broken": sum(state == BROKEN for state in found.values()),
            "coverage": run["coverage"].get(""),
            "seconds": (run["times"]["total_ms"] or 0) / 1000 or None,
        }
        for run, found in zip(runs, states)
    ]
    return sorted(rows, key=lambda row: (order.get(row["end"], 9), row["board"]))


def cluster_key(run):
    """Boards that fail alike: in the same tests the same kinds of finding, or for one reason."""
    failed = tuple(failure_key(test) for test in failed_tests(run))
    if failed:
        return run["status"]["name"], run["processor"]["signature"], failed
    return run["status"]["name"], one_line(" ".join(run["reasons"][:1]))


def failure_key(test):
    """A soak's test stands for those that it drew: its notes name them."""
    kinds = {each["kind"] for _, part in broken_parts(test) for each in part["findings"]}
    return test["name"], tuple(sorted(kinds | set(drawn_tests(test))))


def clusters_of(runs):
    """[{boards, status, …, failures}] of all that was no pass, the largest first."""
    found = {}
    for run in runs:
        if not has_passed(run):
            found.setdefault(cluster_key(run), []).append(run)
    clusters = sorted(found.values(), key=len, reverse=True)
    return [cluster_of(each) for each in clusters[:CLUSTERS]], clusters[CLUSTERS:]


def cluster_of(runs):
    run, failed = runs[0], failed_tests(runs[0])
    return {
        "boards": [board_of(each) for each in runs],
        "run": run,
        "end": end_of(run),
        "reasons": other_reasons(run),
        "names": [test["name"] for test in failed if not is_rest(test)] or ["a suite"],
        "did": "did not end" if all(t["outcome"] == "unfinished" for t in failed) else "failed",
        "failures": [failure_of(test) for test in failed[:TESTS_DRAWN]],
        "others": [
            (test["name"], first_finding(broken_parts(test)[0][1])) for test in failed[TESTS_DRAWN:]
        ],
    }


# --- claims -----------------------------------------------------------------------------------


def matrix_of(runs, states):
    """([tables], columns left out): a table is a list of columns, those with trouble first."""
    found = {}
    for run, each in zip(runs, states):
        processor = run["processor"]
        key = (processor["signature"], processor["microcode"], end_of(run), tuple(each.values()))
        found.setdefault(key, ([], each, run))[0].append(board_of(run))
    columns = [
        {"boards": boards, "states": each, "run": run, "broken": broken_in(each)}
        for boards, each, run in found.values()
    ]
    columns.sort(key=lambda column: (-column["broken"], column["boards"][0]))
    tables = [columns[at : at + COLUMNS] for at in range(0, len(columns), COLUMNS)]
    return tables[:MATRICES], [column for table in tables[MATRICES:] for column in table]


def broken_in(states):
    return sum(state == BROKEN for state in states.values())


def broken_of(runs, states):
    """[(claim, its text, [boards])], the most frequent first."""
    texts = {name: text for _, claims in sections() for name, text in claims}
    found = {}
    for run, each in zip(runs, states):
        for claim, state in each.items():
            if state == BROKEN:
                found.setdefault(claim, []).append(board_of(run))
    rows = [(claim, texts[claim], boards) for claim, boards in found.items()]
    return sorted(rows, key=lambda row: -len(row[2]))


def errata_of(runs):
    """[(erratum, its symptom, boards, times)]"""
    boards, times, texts = Counter(), Counter(), {}
    for run in runs:
        for name, number in run["errata"].items():
            boards[name] += 1
            times[name] += number
            texts[name] = run["errata_text"].get(name) or texts.get(name, "")
    return [(name, texts[name], boards[name], times[name]) for name, _ in boards.most_common()]


# --- processors and microcode -----------------------------------------------------------------


def signature_of(run):
    return run["processor"]["signature"] or "not told"


def signatures_of(runs):
    """[(signature, brand, Counter of ends)], the most frequent first."""
    found = {}
    for run in runs:
        key = signature_of(run)
        found.setdefault(key, (run["processor"]["brand"] or "", Counter()))[1][end_of(run)] += 1
    rows = [(signature, brand, ends) for signature, (brand, ends) in found.items()]
    return sorted(rows, key=lambda row: -row[2].total())


def microcode_of(run):
    """A number to sort by; -1 where it is not told."""
    try:
        return int(run["processor"]["microcode"] or "", 16)
    except ValueError:
        return -1


def trends_of(runs, states):
    """[(signature, [revision])] of each signature that has more than one microcode."""
    found = {}
    for run, each in zip(runs, states):
        by_revision = found.setdefault(signature_of(run), {})
        by_revision.setdefault(microcode_of(run), []).append((run, each))
    return [
        (signature, revisions_of(by_revision))
        for signature, by_revision in sorted(found.items())
        if len(by_revision) > 1
    ]


def revisions_of(by_revision):
    """Oldest first; each with what is otherwise than in the one before it."""
    rows, before = [], None
    for number, both in sorted(by_revision.items()):
        runs = [run for run, _ in both]
        broken = Counter(c for _, each in both for c, state in each.items() if state == BROKEN)
        traits = common_traits(runs)
        rows.append(
            {
                "microcode": runs[0]["processor"]["microcode"] or "not told",
                "ends": Counter(end_of(run) for run in runs),
                "broken": broken.most_common(),
                "errata": sum(sum(run["errata"].values()) for run in runs),
                "changed": [] if before is None else differing(before, traits),
            }
        )
        before = traits
    return rows


def common_traits(runs):
    """Name -> point -> the value that most of them show."""
    found = {}
    for run in runs:
        for name, value in run["traits"].get("", {}).items():
            found.setdefault(name, []).append((points_of(value), 1))
    return {name: usual_of(weighted) for name, weighted in found.items()}


def differing(before, after):
    """[(trait, what it decided, what it decides now)] at the points that both know."""
    rows = []
    for name in before:
        changed = deviations(after.get(name, {}), before[name])
        for value, points in grouped(changed):
            rows.append((name, grouped({point: before[name][point] for point in points}), value))
    return rows


# --- traits -----------------------------------------------------------------------------------


def traits_of(runs):
    """Groups of boards with the same traits, side by side: (groups, left out, differing, alike)."""
    found = {}
    for run in runs:
        if traits := run["traits"].get(""):
            key = (signature_of(run), tuple(sorted(traits.items())))
            found.setdefault(key, ([], traits))[0].append(board_of(run))
    groups = [
        {"signature": key[0], "boards": boards, "traits": traits}
        for key, (boards, traits) in found.items()
    ]
    groups.sort(key=lambda group: -len(group["boards"]))
    shown = groups[:TRAIT_COLUMNS]
    rows = [trait_row(name, shown) for name in dict.fromkeys(n for g in shown for n in g["traits"])]
    differ = [row for row in rows if row["differs"]]
    return shown, groups[TRAIT_COLUMNS:], differ, [row for row in rows if not row["differs"]]


def trait_row(name, groups):
    """A cell is (the values, those that are not the usual ones), or None: it does not show it."""
    found = [
        None if (value := group["traits"].get(name)) is None else points_of(value)
        for group in groups
    ]
    usual = usual_of((points, len(g["boards"])) for points, g in zip(found, groups) if points)
    cells = [
        None if points is None else (grouped(points), grouped(deviations(points, usual)))
        for points in found
    ]
    return {"name": name, "cells": cells, "differs": any(cell and cell[1] for cell in cells)}


# --- bars -------------------------------------------------------------------------------------


def bars_of_signatures(signatures):
    return bars_of_ends([(name, ends) for name, _, ends in signatures[:SIGNATURES_DRAWN]])


def bars_of_revisions(revisions):
    return bars_of_ends([(each["microcode"], each["ends"]) for each in revisions])


def bars_of_ends(rows):
    """rows: (label, {end: how many boards})."""
    return bars_of(
        [
            (label, [(ends[name], colour) for name, colour, _ in ENDS], f"{sum(ends.values())}")
            for label, ends in rows
        ]
    )
