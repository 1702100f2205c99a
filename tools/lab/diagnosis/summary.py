# SPDX-License-Identifier: GPL-2.0-or-later
"""All that is known of a failure, in lines that a person reads and as data for reports."""

import math
from collections import Counter
from dataclasses import dataclass

from claim_table import load_claims

from .cases import read_cases, test_of
from .causes import find_causes
from .dictionary import NEAR, SHOWN
from .spectrum import item_of, ran_items, spectrum_of
from .transfers import read_transfers

CLAIMS_SHOWN = 3
FOLLOWING = 8  # claims that may follow
WORTH_TELLING = 0.1  # of the failures that name claims


@dataclass
class Diagnosis:
    causes: list  # the first explains most failures
    claims: list[tuple[str, int, str]]  # (claim, failed results that it explains, its text)
    near: list[tuple[str, float, str]] | None  # (fault, figure, what it does); None: not asked
    tests: dict[str, str]  # failed test -> the sentence of its first cause

    def lines(self):
        """For a terminal, without indentation."""
        words = ("broken", *("also" for _ in self.causes))
        return [
            *(f"{word}: {each.sentence()}" for word, each in zip(words, self.causes)),
            *self.near_lines(),
            *self.claim_lines(),
        ]

    def claim_lines(self):
        first = self.first_claims()
        named = sum(number for _, number, _ in self.claims)
        lines = [
            f"claim {claim} ({number} of {named} failures): {text}" for claim, number, text in first
        ]
        rest = [claim for claim, *_ in self.claims[len(first) :]]
        more = len(rest) - FOLLOWING
        tail = f" and {more} more" if more > 0 else ""
        return lines + ([f"may follow from it: {' '.join(rest[:FOLLOWING])}{tail}"] if rest else [])

    def first_claims(self):
        """Those that explain much."""
        named = sum(number for _, number, _ in self.claims)
        able = [each for each in self.claims if each[1] >= WORTH_TELLING * named]
        return able[:CLAIMS_SHOWN]

    def near_lines(self):
        if self.near is None:
            return []
        if not self.near or self.near[0][1] < NEAR:
            figure = (
                f"; the nearest is {self.near[0][0]}: {self.near[0][1]:.2f}" if self.near else ""
            )
            return [f"as with: no known fault is near{figure}"]
        words = [f"{name}: {figure:.2f}" for name, figure, _ in self.near]
        return [f"as with {'; '.join(words)}", f"  {self.near[0][0]}: {self.near[0][2]}"]

    def data(self):
        """For JSON."""
        return {
            "causes": [each.sentence() for each in self.causes],
            "claims": [
                {"claim": claim, "explains": number, "text": text}
                for claim, number, text in self.claims
            ],
            "near": [
                {"fault": name, "figure": round(figure, 3), "what": what}
                for name, figure, what in self.near or ()
            ],
            "tests": self.tests,
        }


def diagnose(log, dictionary=None):
    """A Diagnosis; None where nothing failed."""
    cases = read_cases(log)
    if not any(case.failed for case in cases):
        return None
    transfers = read_transfers(log)
    claims = with_texts(rank_claims(cases))
    near = dictionary and nearest(log, cases, spectrum_of(cases, transfers), dictionary)
    causes = find_causes(cases, transfers)
    return Diagnosis(causes, claims, near, sentences_by_test(cases, transfers))


def sentences_by_test(cases, transfers):
    """Each test by itself, as if no other had run."""
    by_test = {}
    for case in cases:
        by_test.setdefault(case.test, []).append(case)
    return {
        test: find_causes(mine, transfers)[0].sentence()
        for test, mine in by_test.items()
        if any(case.failed for case in mine)
    }


def rank_claims(cases):
    """[(claim, failed results that it explains first)]; those with 0 may follow from the others.

    A greedy cover. A result that names one claim counts for it in full; one that names several, for
    each in part. The parts of one test count less than as many tests do, and more than one.
    """
    left = [case for case in cases if case.failed and case.claims]
    everywhere = Counter(claim for case in left for claim in set(case.claims))
    ranked = []
    while left:
        best = max(weights(left).items(), key=lambda item: item[1])[0]
        ranked.append((best, sum(best in case.claims for case in left)))
        left = [case for case in left if best not in case.claims]
    named = {claim for claim, _ in ranked}
    return ranked + [(claim, 0) for claim, _ in everywhere.most_common() if claim not in named]


def weights(left):
    """In the order in which the log names them, which decides among equals."""
    parts, found = Counter(case.test for case in left), {}
    for case in left:
        for claim in dict.fromkeys(case.claims):
            share = 1 / len(set(case.claims)) / math.sqrt(parts[case.test])
            found[claim] = found.get(claim, 0) + share
    return found


def with_texts(ranked):
    known = load_claims()
    return [(name, number, known[name].text if name in known else "") for name, number in ranked]


def nearest(log, cases, spectrum, dictionary):
    """[(fault, figure, what it does)]"""
    ran = ran_items(cases)
    if log.is_compact():
        ran |= left_out(cases, ran, dictionary)
    ranked = dictionary.rank(spectrum, ran)[:SHOWN]
    return [(name, figure, dictionary.faults[name]["help"]) for name, figure in ranked if figure]


def left_out(cases, ran, dictionary):
    """Subtests that a compact log leaves out, because they passed."""
    known = set().union(*dictionary.ran.values())
    skipped = {item_of(case.name) for case in cases if case.outcome == "skip"}
    return {item for item in known - skipped if test_of(item) in ran}
