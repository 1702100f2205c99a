# SPDX-License-Identifier: GPL-2.0-or-later
"""All that is known of a failure, in lines that a person reads and as data for reports.

What is broken the kernel says itself, at the end of each test and of the run: it has seen every
check. Of a log that was cut off the tests are left.
"""

import re
from collections import Counter
from dataclasses import dataclass

from claim_table import load_claims

from line_kinds import BROKEN

from .cases import read_cases, read_sentences
from .dictionary import NEAR, SHOWN
from .spectrum import left_out, ran_items, spectrum_of

CLAIM = re.compile(r"claim (\S+) explains (\d+) of (\d+) failures: .*")
FOLLOW = "may follow from it: "
OTHERS = "and "  # kinds that have no sentence
CAUSES_SHOWN = 3
CLAIMS_SHOWN = 3
FOLLOWING = 8  # claims that may follow


@dataclass
class Diagnosis:
    causes: list[str]  # sentences, the most frequent kind of finding first
    claims: list[tuple[str, int, str]]  # (claim, failed results that it explains, its text)
    failures: int  # … of so many
    near: list[tuple[str, float, str]] | None  # (fault, figure, what it does); None: not asked
    tests: dict[str, str]  # failed test -> its sentence

    def lines(self):
        """For a terminal, without indentation."""
        shown = self.causes[:CAUSES_SHOWN]
        words = ("broken", *("also" for _ in shown))
        told = [f"{word}: {sentence}" for word, sentence in zip(words, shown)]
        return told + self.near_lines() + self.claim_lines()

    def claim_lines(self):
        first = [each for each in self.claims if each[1]][:CLAIMS_SHOWN]
        lines = [
            f"claim {claim} ({number} of {self.failures} failures): {text}"
            for claim, number, text in first
        ]
        rest = [each[0] for each in self.claims if each not in first]
        more = len(rest) - FOLLOWING
        tail = f" and {more} more" if more > 0 else ""
        return lines + ([f"{FOLLOW}{' '.join(rest[:FOLLOWING])}{tail}"] if rest else [])

    def near_lines(self):
        if self.near is None:
            return []
        if not self.near or self.near[0][1] < NEAR:
            figure = (
                f"; the nearest is {self.near[0][0]}: {self.near[0][1]:.2f}" if self.near else ""
            )
            return [f"as with: no known fault is near{figure}"]
        words = [f"{name}: {figure:.2f}" for name, figure, _ in self.near]
        return [
            f"as with {'; '.join(words)}",
            f"  {self.near[0][0]}: {self.near[0][2]}",
        ]

    def data(self):
        """For JSON."""
        return {
            "causes": self.causes,
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
    near = dictionary and nearest(log, cases, dictionary)
    tests = read_sentences(log)
    causes, claims, failures = read_sums(log)
    if not failures:
        claims, failures = of_the_tests(cases)
        causes = causes or [f"{sentence}, in {test}" for test, sentence in tests.items()]
    return Diagnosis(causes, with_texts(claims), failures, near, tests)


def read_sums(log):
    """(sentences, [(claim, failures that it explains)], failures) of the end of the log."""
    causes, claims, failures = [], [], 0
    for text in (line.removeprefix(BROKEN) for line in log.lines if line.startswith(BROKEN)):
        if match := CLAIM.fullmatch(text):
            claims.append((match[1], int(match[2])))
            failures = int(match[3])
        elif text.startswith(FOLLOW):
            claims += [(claim, 0) for claim in text.removeprefix(FOLLOW).split()]
        elif not text.startswith(OTHERS):
            causes.append(text)
    return causes, claims, failures


def of_the_tests(cases):
    """The claims of a log without an end, the most frequent first, and how many results failed."""
    named = [set(case.claims) for case in cases if case.failed and case.claims]
    counted = Counter(claim for claims in named for claim in sorted(claims))
    return counted.most_common(), len(named)


def rank_claims(log):
    """The claims that explain failures, those first that explain most."""
    return [claim for claim, number in read_sums(log)[1] if number]


def with_texts(ranked):
    known = load_claims()
    return [(name, number, known[name].text if name in known else "") for name, number in ranked]


def nearest(log, cases, dictionary):
    """[(fault, figure, what it does)]"""
    ran = ran_items(cases)
    if log.is_compact():
        ran |= left_out(cases, ran, dictionary.ran)
    ranked = dictionary.rank(spectrum_of(cases), ran)[:SHOWN]
    return [(name, figure, dictionary.faults[name]["help"]) for name, figure in ranked if figure]
