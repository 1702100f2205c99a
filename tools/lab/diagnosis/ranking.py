# SPDX-License-Identifier: GPL-2.0-or-later
"""Claims by how much each explains: a greedy cover of the failed results.

A result that names one claim counts for it in full; one that names several, for each in part. The
parts of one test count less than as many tests do, and more than one.
"""

import math
from collections import Counter


def rank_claims(cases):
    """[(claim, failed results that it explains first)]; those with 0 may follow from the others."""
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
