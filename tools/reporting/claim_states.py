# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run says of each claim of the manual."""

from itertools import groupby

from claim_table import load_claims

from words import all_claims, failed_tests

SUMS_UP = ("PASS", "FAIL", "SKIP")  # only then the log has told all that was checked

BROKEN, EXCUSED, NOT_TOLD, NOT_CHECKED, PART, CHECKED = (
    *("broken", "excused", "not told", "not checked", "in part", "checked"),
)
# state -> (sign, what it means)
STATES = {
    BROKEN: ("✗", "a test that names it failed"),
    EXCUSED: ("E", "a published erratum explains why it broke"),
    CHECKED: ("✓", "and kept"),
    PART: ("◐", "a test of it was skipped"),
    NOT_CHECKED: ("–", "what it needs is missing, or was not asked for"),
    NOT_TOLD: ("?", "the run did not come to its end"),
}


def sections():
    """[(section, [(claim, its text)])] of tools/claims.toml."""
    return [
        (name, [(claim.id, claim.text) for claim in claims])
        for name, claims in groupby(load_claims().values(), key=lambda claim: claim.group)
    ]


def states_of(run, names):
    """Claim -> state, over all the processors that ran the tests."""
    broken, excused = broken_claims(run), excused_claims(run)
    places = list(run["coverage"].values()) if run["status"]["name"] in SUMS_UP else []
    told = [states_of_place(each, names) for each in places]
    found = {}
    for name in names:
        states = {each[name] for each in told}
        found[name] = states.pop() if len(states) == 1 else PART if states else NOT_TOLD
    known = set(names)
    found |= dict.fromkeys(excused & known, EXCUSED)
    return found | dict.fromkeys(broken & known, BROKEN)


def states_of_place(coverage, names):
    found = dict.fromkeys(names, CHECKED)
    for state, groups in ((PART, coverage["partly"]), (NOT_CHECKED, coverage["not_checked"])):
        for group in groups:
            found |= dict.fromkeys(matching(group["claims"], names), state)
    return found


def matching(words, names):
    """ "PEBS-* DS-1": those that begin so, and that one."""
    for word in words.split():
        if word.endswith("*"):
            yield from (name for name in names if name.startswith(word[:-1]))
        elif word in names:
            yield word


def broken_claims(run):
    return {claim for test in failed_tests(run) for claim in all_claims(test)}


def excused_claims(run):
    found, waiting = set(), list(run["tests"]) if run["results"].get("xfail") else []
    while waiting:
        part = waiting.pop()
        if part["outcome"] == "xfail":
            found.update(part["claims"])
        if part["subtests"]:
            waiting += part["subtests"]
    return found
