# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares traits point by point. A point that one run did not try is no difference between the
processors."""

import re
from collections import Counter
from functools import cache

POINT = re.compile(r"\[([^\]]*)\]")


@cache
def points_of(value):
    """ "old [a] [b]; new [c]" -> {"a": "old", "b": "old", "c": "new"}; "fits" -> {"": "fits"}"""
    found = {}
    for each in value.split("; "):
        word, _, points = each.partition(" ")
        found |= dict.fromkeys(POINT.findall(points) or [""], word)
    return found


def usual_of(weighted):
    """Point -> the value of most; weighted: [(points_of(), how many show it)]."""
    counted = {}
    for points, weight in weighted:
        for point, value in points.items():
            counted.setdefault(point, Counter())[value] += weight
    return {point: values.most_common(1)[0][0] for point, values in counted.items()}


def deviations(points, usual):
    """Those that both know and that are otherwise: point -> value."""
    return {p: value for p, value in points.items() if usual.get(p, value) != value}


def grouped(points):
    """[(value, [points])]: the other way round."""
    found = {}
    for point, value in points.items():
        found.setdefault(value, []).append(point)
    return list(found.items())
