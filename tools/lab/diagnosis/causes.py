# SPDX-License-Identifier: GPL-2.0-or-later
"""From findings to causes: what all findings of a kind have in common, and what passed has not.

A cause is a kind of finding. The kind that most failed results have comes first, then the kind that
most of the rest have; what no result has alone follows from the others.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from .cases import test_of
from .conditions import Condition, common_conditions
from .transfers import FAR
from .kinds import CIRCUMSTANCES, UNTOLD, in_words

MOST = 4  # causes
KINDS_NAMED = 6  # kinds of branch in a sentence
PLACES_NAMED = 2
SYMBOLS_NAMED = 3
MOSTLY = 0.75  # of the findings
WORTH_TELLING = 0.05  # of the failures, that no cause before explains
NUMBER = re.compile(r"0x[0-9a-f]+|\d+")


@dataclass
class Cause:
    kind: str
    times: int
    results: list[str]  # names of the failed results that have it
    facts: list[str] = field(default_factory=list)  # of its findings, in words
    conditions: list[Condition] = field(default_factory=list)  # of the settings under which it is

    def sentence(self):
        told = [f"{in_words(self.kind)}: {self.times:,}", *self.facts]
        if self.conditions:
            told.append("only with " + ", ".join(map(str, self.conditions)))
        return f"{', '.join(told)} ({self.where()})"

    def where(self):
        if len(self.results) == 1:
            return self.results[0]
        tests = len({test_of(name) for name in self.results})
        words = f"{len(self.results)} results of {tests} test{'s' if tests > 1 else ''}"
        telling = min((each.told for each in self.conditions), default=len(self.results))
        return words if telling == len(self.results) else f"{words}, {telling} name the setting"


def find_causes(cases, transfers):
    """The causes; what else was found follows from them, or is rare."""
    failed = [case for case in cases if case.failed]
    passed = [case.name for case in cases if case.outcome == "pass"]
    results = {kind: having(failed, kind) for kind in kinds_of(failed)}
    chosen = cover(results, failed)
    return [cause_of(kind, results[kind], passed, transfers) for kind in chosen]


def kinds_of(failed):
    """The most frequent first, which decides among equals; behind them what has no finding."""
    times = Counter()
    for case in failed:
        for found in case.found:
            times[found.kind] += found.times
    return [*(kind for kind, _ in times.most_common()), UNTOLD]


def having(failed, kind):
    """The results with a clear finding of that kind; where none is clear, with any."""
    if kind == UNTOLD:
        return [case for case in failed if not case.found]
    able = [case for case in failed if any(found.kind == kind for found in case.found)]
    clear = [case for case in able if any(f.kind == kind and f.is_clear for f in case.found)]
    return clear or able


def cover(results, failed):
    """The kinds that explain all failures, each the most of what is left."""
    left, chosen = {case.name for case in failed}, []
    while left and len(chosen) < MOST:
        gains = {kind: len(left & {case.name for case in have}) for kind, have in results.items()}
        best = max(gains, key=gains.get, default=None)
        if best is None or not gains[best]:
            break
        if chosen and gains[best] < WORTH_TELLING * len(failed):
            break
        chosen.append(best)
        left -= {case.name for case in results[best]}
    return chosen


def cause_of(kind, cases, passed, transfers):
    mine = [(case, found) for case in cases for found in case.found if found.kind == kind]
    clear = [(case, found) for case, found in mine if found.is_clear] or mine
    times = sum(found.times for _, found in mine) if kind else len(cases)
    names = [case.name for case in cases]
    facts = facts_of(clear, transfers) if kind else []
    return Cause(kind, times, names, facts, common_conditions(names, passed))


def facts_of(findings, transfers):
    """In words: what all of them have in common."""
    told = [(each, transfers.facts(case, each)) for case, each in findings if each.is_told()]
    words = [*rings_of(told), *branches_of(told, transfers)]
    words += circumstances_of([each for each, _ in told])
    if any(facts for _, facts in told):
        return words or often_from([each for each, _ in told])
    return words + places_of([each for each, _ in told]) + differences_of([f for f, _ in told])


def most_of(counted):
    """(value, "all" or how many percent) where most have one value; (None, "") where not."""
    if counted.total() < 2:
        return None, ""
    value, times = counted.most_common(1)[0]
    if times < MOSTLY * counted.total():
        return None, ""
    share = min(99, 100 * times // counted.total())
    return value, "all" if times == counted.total() else f"{share} %"


def rings_of(told):
    value, share = most_of(Counter(facts["FROM ring"] for _, facts in told if "FROM ring" in facts))
    return [f"{share} FROM {'ring 0' if value == '0' else 'above ring 0'}"] if value else []


def circumstances_of(findings):
    """Those of `under=` that all of them have."""
    sets = [set(each.fields.get("under", "").split(",")) for each in findings]
    common = set.intersection(*sets) - {""} if len(sets) > 1 else set()
    return [f"all {CIRCUMSTANCES.get(name, name)}" for name in sorted(common)]


def branches_of(told, transfers):
    """The kinds of branch, where not every kind is among them."""
    if told and told[0][0].kind in transfers.sums:
        return in_kinds(transfers.sums[told[0][0].kind])
    counted = Counter(f["kind of branch"] for _, f in told if "kind of branch" in f)
    kept = [kind for kind, times in counted.most_common() if times >= 0.02 * counted.total()]
    others = set(transfers.good) - set(kept)
    if counted.total() < MOSTLY * len(told):  # what was too many is not always known
        return []
    if not kept or len(kept) > KINDS_NAMED and len(others) < len(kept):
        return []
    if counted.total() < 2 or not others and len(kept) > 2:
        return []
    return in_kinds(kept)


def in_kinds(kept):
    words = ", ".join(kept[:KINDS_NAMED]) + (" and others" if len(kept) > KINDS_NAMED else "")
    is_far = len(kept) > 2 and set(kept) <= set(FAR)
    return [f"of far transfers ({words})" if is_far else f"of {words}"] if kept else []


def often_from(findings):
    """Where nothing else is alike: the program's places where they come from."""
    name = "expected" if any("expected" in each.fields for each in findings) else "got"
    symbols = [each.symbols.get(name, "").partition("+")[0] for each in findings]
    often = [each for each, times in Counter(symbols).most_common(SYMBOLS_NAMED) if each]
    return [f"often from {', '.join(often)}"] if often and len(findings) > 1 else []


def places_of(findings):
    """Where, in the log's words; numbers do not count."""
    counted = Counter(NUMBER.sub("…", f.fields["where"]) for f in findings if "where" in f.fields)
    if not counted:
        return []
    first = [each.fields["where"] for each in findings if "where" in each.fields]
    said = {NUMBER.sub("…", text): text for text in reversed(first)}
    words = [
        f"'{text if len(set(first)) > 1 else said[text]}' x{times}"
        for text, times in counted.most_common(PLACES_NAMED)
    ]
    more = len(counted) - PLACES_NAMED
    return ["at " + ", ".join(words) + (f" and {more} other places" if more > 0 else "")]


def differences_of(findings):
    """expected and got, where all have the same, or the same distance."""
    pairs = [(each.number("expected"), each.number("got")) for each in findings]
    pairs = Counter(pair for pair in pairs if None not in pair and max(pair) < 1 << 32)
    value, share = most_of(pairs)
    if value:
        return [f"{share} {value[1]:,} instead of {value[0]:,}"]
    distances = Counter()
    for (expected, got), times in pairs.items():
        distances[got - expected] += times
    value, share = most_of(distances)
    return [f"{share} {abs(value):,} too {'high' if value > 0 else 'low'}"] if value else []
