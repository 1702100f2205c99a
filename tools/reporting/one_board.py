# SPDX-License-Identifier: GPL-2.0-or-later
"""What the page of one board shows: the parts of it as data for its template."""

from collections import Counter

from charts import bars_of
from claim_states import BROKEN, EXCUSED, sections, states_of
from table17_6 import pictures_of
from traces import boxes_of, fields_of, windows_of
from words import all_claims, broken_parts, drawn_tests, failed_tests, finding_line, first_finding
from words import deviations, is_rest, other_reasons, points_of, retest_words, suite_and_test
from words import usual_of

TESTS_DRAWN = 16  # failed tests that are shown in full; the others are named
PARTS_DRAWN = 3  # … of each, the subtests
FINDINGS_SHOWN = 12  # of one subtest
NOTES_SHOWN = 30
SAID_ELSEWHERE = ("breaks ", "choice: ")
MISSING_TOLD = 3  # reasons beside the verdict: of suites, and of the last suites that began
MACHINE = {
    "board": "Board",
    "system": "System",
    "bios": "Firmware",
    "date": "Board's clock",
    "ppin": "PPIN",
    "board_serial": "Serial number",
    "system_serial": "Serial number of the system",
    "uuid": "UUID",
}
OUTCOMES = ("pass", "fail", "xfail", "skip", "timeout", "unfinished")
SUITES_DRAWN = 40  # bars of the chart; the table has all


def model_of(run):
    """All that the template asks for; figures are drawn by the caller."""
    return {
        "run": run,
        "counts": test_counts(run),
        "machine": machine_of(run),
        "claims": claims_of(run),
        "reasons": other_reasons(run),
        "failures": failures_of(run, TESTS_DRAWN),
        "not_drawn": [named(test) for test in failed_tests(run)[TESTS_DRAWN:]],
        "pictures": grouped_pictures(run),
        "traits": traits_of(run),
        "suites": suites_of(run),
        "skips": Counter(t["reason"] for t in run["tests"] if t["outcome"] == "skip").most_common(),
    }


def machine_of(run):
    """[(what it is called, what the log says)]; runs of older versions do not."""
    machine = run.get("machine", {})
    return [(name, machine[key]) for key, name in MACHINE.items() if machine.get(key)]


def test_counts(run):
    found = Counter(test["outcome"] for test in run["tests"] if not is_rest(test))
    return {name: found[name] for name in OUTCOMES}


def claims_of(run):
    """[(section, [(claim, text, state)])]"""
    known = sections()
    states = states_of(run, [name for _, claims in known for name, _ in claims])
    return [
        (section, [(name, text, states[name]) for name, text in claims])
        for section, claims in known
    ]


def figure_of_claims(claims):
    return Counter(state for _, group in claims for _, _, state in group)


# --- what failed ------------------------------------------------------------------------------


def failures_of(run, most):
    said = (run.get("diagnosis") or {}).get("tests", {})
    return [failure_of(test, said.get(test["name"])) for test in failed_tests(run)[:most]]


def failure_of(test, sentence=None):
    """sentence: what is broken, as far as this test tells."""
    parts = broken_parts(test)
    return {
        "name": test["name"],
        "outcome": test["outcome"],
        "reason": test["reason"],
        "sentence": sentence,
        "claims": all_claims(test),
        "rerun": test["rerun"],
        "retest": retest_words(test),
        "drawn": drawn_tests(test),
        "kinds": kinds_of(parts),
        "parts": [part_of(name, part) for name, part in parts[:PARTS_DRAWN]],
        "others": [(name, first_finding(part)) for name, part in parts[PARTS_DRAWN:]],
    }


def named(test):
    return test["name"], " ".join(all_claims(test)), first_finding(broken_parts(test)[0][1])


def kinds_of(parts):
    """[(kind of finding, how often)]"""
    found = Counter()
    for _, part in parts:
        for finding in part["findings"]:
            found[finding["kind"]] += finding["times"]
    return found.most_common()


def part_of(name, part):
    windows = [(window, boxes_of(part, window)) for window in windows_of(part["notes"])]
    drawn = {number for window, _ in windows for number in window.notes()}
    notes = [note for number, note in enumerate(part["notes"]) if number not in drawn]
    notes = [note for note in dict.fromkeys(notes) if not note.startswith(SAID_ELSEWHERE)]
    return {
        "name": name,
        "outcome": part["outcome"],
        "windows": windows[:PARTS_DRAWN],
        "notes": notes[:NOTES_SHOWN],
        "findings": [row_of(finding) for finding in part["findings"][:FINDINGS_SHOWN]],
        "more": max(0, len(part["findings"]) - FINDINGS_SHOWN),
    }


def row_of(finding):
    """A finding as a row of a table: what was expected, and beside it what came."""
    fields = fields_of(finding)
    if not fields:
        return {"kind": finding["kind"], "said": finding_line(finding).partition(" ")[2]}
    return {
        "kind": finding["kind"],
        "slot": fields.get("slot", ("", ""))[0],
        "expected": [fields[name] for name in ("expected", "expected_to") if name in fields],
        "got": [fields[name] for name in ("got", "got_to") if name in fields],
        "nothing": {"missing": "got", "extra": "expected"}.get(finding["kind"].rpartition(".")[2]),
        "about": [f"{fields[name][0]}" for name in ("where", "under") if name in fields],
    }


# --- the rest ---------------------------------------------------------------------------------


def grouped_pictures(run):
    """[(places, cells)]: processors of which every cell is alike share a picture."""
    found = {}
    for place, cells in pictures_of(run).items():
        key = tuple((cell.outcome, cell.seen) for cell in cells)
        found.setdefault(key, ([], cells))[0].append(place or "the processor that booted")
    return list(found.values())


def traits_of(run):
    """(places, [(name, [value of each place], do they differ)], [(name, why it is unknown)])"""
    places = list(run["traits"])
    names = dict.fromkeys(name for traits in run["traits"].values() for name in traits)
    rows = []
    for name in names:
        values = [run["traits"][place].get(name, "unknown") for place in places]
        rows.append((name, values, do_differ(values)))
    unknown = [
        (name + (f" on {place}" if place else ""), why)
        for place, traits in run["unknown_traits"].items()
        for name, why in traits.items()
    ]
    return places, rows, unknown


def do_differ(values):
    """Somewhere, at a point that two of the processors were tried at."""
    points = [points_of(value) for value in values if value != "unknown"]
    usual = usual_of((each, 1) for each in points)
    return any(deviations(each, usual) for each in points)


def suites_of(run):
    """[(suite, Counter of outcomes, seconds or None)], the longest first."""
    found = {}
    for test in run["tests"]:
        found.setdefault(suite_and_test(test["name"])[0], Counter())[test["outcome"]] += 1
    times = run["times"]["suites"]
    rows = [(suite, counts, times.get(suite)) for suite, counts in found.items()]
    return sorted(rows, key=lambda row: -(row[2] or 0))


def bars_of_times(suites):
    return bars_of(
        [
            (suite, [(seconds, "var(--accent)")], f"{seconds:.2f} s")
            for suite, _, seconds in suites[:SUITES_DRAWN]
            if seconds is not None
        ]
    )


def headline(model):
    """What stands beside the verdict."""
    run, counts = model["run"], model["counts"]
    figures = figure_of_claims(model["claims"])
    told = (("fail", "failed"), ("timeout", "had no time"), ("unfinished", "without a result"))
    number = sum(counts.values())
    words = [f"{counts[name]} of {number} tests {what}" for name, what in told if counts[name]]
    words += [f"{test['reason']}" for test in run["tests"] if is_rest(test)][-MISSING_TOLD:]
    if figures[BROKEN]:
        words.append(f"{figures[BROKEN]} claims of the manual broken")
    if figures[EXCUSED]:
        words.append(f"{figures[EXCUSED]} excused by errata")
    return words
