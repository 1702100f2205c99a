# SPDX-License-Identifier: GPL-2.0-or-later
"""The spectrum of a failure: the set of what failed and of what was found, as short texts.

"suite.test" and "suite.test.subtest" failed; "kind", "kind from ring 0" and "kind of IRET" were
found. Widths of counters, and which processor it was, are no part of it.

How alike two failures are is Ochiai's coefficient of their spectra, the cosine of two sets.
Weighted, an item counts the more the fewer wrong processors have it, as the words of a text do
(inverse document frequency).
"""

import math
import re
from collections import Counter

from .cases import test_of

WIDTH = re.compile(r"_\d+_bits\b")
PLACE = re.compile(r"@[^.]*")
NUMBER = re.compile(r"0x[0-9a-f]+|\d+")


def item_of(name):
    return WIDTH.sub("", PLACE.sub("", name))


def spectrum_of(cases):
    found = set()
    for case in cases:
        if case.failed:
            found |= {item_of(case.name), test_of(item_of(case.name))}
            for each in case.found:
                found |= items_of_finding(each)
    return found


def items_of_finding(found):
    """The kind; of a record the ring that its branch leaves and the kind of branch, else where."""
    if not found.is_clear:
        return set()
    items, where = {f"[{found.kind}]"}, found.fields.get("where")
    if rings := found.fields.get("rings"):
        items |= {f"[{found.kind} from ring {rings[0]}]", f"[{found.kind} of {where}]"}
    elif where:
        items.add(f"[{found.kind} at {NUMBER.sub('…', where)}]")
    return items


def ran_items(cases):
    """What may be in a spectrum of them: of what did not run nobody knows whether it fails."""
    ran = [case for case in cases if case.outcome != "skip"]
    return {item_of(case.name) for case in ran} | {test_of(item_of(case.name)) for case in ran}


def left_out(cases, ran, by_profile):
    """Subtests that a compact log leaves out, because they passed."""
    known = set().union(*by_profile.values())
    skipped = {item_of(case.name) for case in cases if case.outcome == "skip"}
    return {item for item in known - skipped if test_of(item) in ran}


def counts(item, ran):
    """May it be held against a processor on which these ran? What was found may always."""
    return item.startswith("[") or item in ran


def rarity(spectra):
    """Item -> its weight, from all spectra of a dictionary."""
    seen = Counter(item for spectrum in spectra for item in spectrum)
    return {item: math.log(1 + len(spectra) / times) for item, times in seen.items()}


def ochiai(one, other):
    both = len(one & other)
    return both / math.sqrt(len(one) * len(other)) if both else 0.0


def weighted(one, other, weights, unknown):
    """unknown: the weight of an item that no spectrum of the dictionary has."""

    def size(items):
        return sum(weights.get(item, unknown) ** 2 for item in items)

    both = size(one & other)
    return both / math.sqrt(size(one) * size(other)) if both else 0.0
