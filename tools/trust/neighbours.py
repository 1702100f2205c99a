# SPDX-License-Identifier: GPL-2.0-or-later
"""Legal neighbours: healthy processors that differ in many choices at once.

The rows of a covering array show every value of every variation, and any two values of two
variations, on every processor and bare identity. For pairs, numbers between the bounds count as
one value, and so do similar processors (`like` in profiles.toml); each still has a row.
"""

import random

from covering import Factor, covering_rows
from plan import BARE, SHOWN_BY, SLOW, Case

PROCESSOR, IDENTITY = "processor", "identity"


def levels_of(variation):
    """What counts as one in pairs; what is slow stands in rows of its own."""
    if variation.maximum is None:
        words = variation.values
        return tuple((word,) for word in words if (variation.name, word) not in SLOW)
    most = variation.maximum
    cuts = sorted({0, 1, min(4, most), most // 2, most, most + 1})
    return tuple(tuple(map(str, range(*pair))) for pair in zip(cuts, cuts[1:]))


def ways_of(profile, variations):
    """What only this family shows, in each of its ways."""
    mine = [name for name, families in SHOWN_BY.items() if profile in families]
    ways = [()]
    for name in [name for name in mine if name in variations]:
        ways = [(*way, (name, value)) for way in ways for value in variations[name].values]
    return ways


def alike(profiles, leader):
    """The profiles that count as this one: those that are nearly it."""
    return [name for name in profiles if like(profiles, name) == leader]


def like(profiles, name):
    """The profile as which this one counts: itself, unless its table names another of them."""
    leader = profiles[name].get("like", name)
    return leader if leader in profiles else name


def processors(profiles, variations):
    """Levels of (profile, properties): a way of a leader each, in the first those like it, too, in
    all of theirs."""
    levels = []
    for leader in [name for name in profiles if like(profiles, name) == name]:
        ways = [[(leader, way)] for way in ways_of(leader, variations)]
        others = [name for name in alike(profiles, leader) if name != leader]
        ways[0] += [(name, way) for name in others for way in ways_of(name, variations)]
        levels += map(tuple, ways)
    return tuple(levels)


def factors_of(profiles, variations):
    shown_anywhere = [each for each in variations.values() if each.name not in SHOWN_BY]
    return [
        Factor(PROCESSOR, processors(profiles, variations)),
        Factor(IDENTITY, (((),), (BARE,))),
        *(Factor(each.name, levels_of(each)) for each in shown_anywhere),
    ]


def case_of(row):
    """Row: factor -> value."""
    values = dict(row)
    (profile, way), identity = values.pop(PROCESSOR), values.pop(IDENTITY)
    return Case(profile, (*values.items(), *way, *identity))


def neighbour_cases(profiles, variations, seed):
    return [case_of(row) for row in covering_rows(factors_of(profiles, variations), seed)]


def slow_cases(profiles, variations, seed):
    """What is slow, with each level of each other factor."""
    generator = random.Random(seed)
    slow = {name: value for name, value in SLOW if name in variations}
    others = [each for each in factors_of(profiles, variations) if each.name not in slow]
    turns = {each.name: generator.sample(each.levels, len(each.levels)) for each in others}
    rows = []
    for number in range(max(map(len, turns.values())) if slow else 0):
        row = {name: levels[number % len(levels)] for name, levels in turns.items()}
        rows.append({name: generator.choice(level) for name, level in row.items()} | slow)
    return [case_of(row) for row in rows]


def wild_cases(profiles, variations, count, seed):
    """All drawn at random, from everything that is legal; the same ones for the same seed."""
    generator = random.Random(seed)
    factors = factors_of(dict(sorted(profiles.items())), variations)
    values = {each.name: [value for level in each.levels for value in level] for each in factors}
    return [
        case_of({name: generator.choice(mine) for name, mine in values.items()})
        for _ in range(count)
    ]
