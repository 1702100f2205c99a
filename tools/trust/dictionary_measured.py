# SPDX-License-Identifier: GPL-2.0-or-later
"""How good a fault dictionary is, measured by leaving out: of known faults and of unknown ones."""

from dataclasses import dataclass, field
from statistics import median

from diagnosis.dictionary import NEAR

FIRST_FEW = 3


@dataclass
class Known:
    """Faults on another profile than the one that they were learnt on."""

    asked: int = 0
    first: int = 0
    among_first: int = 0
    figures: list[float] = field(default_factory=list)  # of the right one
    ahead: list[float] = field(default_factory=list)  # … of the nearest other one
    wrong: list[tuple] = field(default_factory=list)  # (fault, profile, what came first)


def of_known(dictionary, is_weighted):
    """Each entry is looked up among those of all other profiles."""
    found = Known()
    for entry in dictionary.entries:
        others = [each for each in dictionary.entries if each.profile != entry.profile]
        if entry.fault not in {each.fault for each in others}:
            continue
        ranked = look_up(dictionary, entry, is_weighted, others)
        place = [name for name, _ in ranked].index(entry.fault)
        found.asked += 1
        found.first += place == 0
        found.among_first += place < FIRST_FEW
        right = dict(ranked)[entry.fault]
        found.figures.append(right)
        found.ahead.append(right - max(f for name, f in ranked if name != entry.fault))
        if place:
            found.wrong.append((entry.fault, entry.profile, ranked[0][0]))
    return found


@dataclass
class Unknown:
    """Faults that the dictionary does not have."""

    asked: int = 0
    claim: int = 0  # the first claim is one of the fault's
    claims: int = 0  # one of the first three is
    near: int = 0  # something else looks near
    alike: int = 0  # … and breaks a claim of the fault's
    figures: list[float] = field(default_factory=list)  # of the nearest


def of_unknown(dictionary, is_weighted):
    """Each entry is looked up among those of all other faults."""
    found = Unknown()
    for entry in dictionary.entries:
        claims = set(dictionary.faults[entry.fault]["claims"])
        others = [each for each in dictionary.entries if each.fault != entry.fault]
        if not claims or not others:
            continue
        name, figure = look_up(dictionary, entry, is_weighted, others)[0]
        found.asked += 1
        found.claim += bool(claims & set(entry.claims[:1]))
        found.claims += bool(claims & set(entry.claims[:FIRST_FEW]))
        found.near += figure >= NEAR
        found.alike += figure >= NEAR and bool(claims & set(dictionary.faults[name]["claims"]))
        found.figures.append(figure)
    return found


def look_up(dictionary, entry, is_weighted, others):
    return dictionary.rank(entry.spectrum, dictionary.ran[entry.profile], is_weighted, others)


def lines_of(dictionary):
    """The figures, for people."""
    for name, is_weighted in (("Ochiai", False), ("weighted", True)):
        known, unknown = of_known(dictionary, is_weighted), of_unknown(dictionary, is_weighted)
        yield (
            f"{name}: of {known.asked} known faults on another profile {known.first} first,"
            f" {known.among_first} among the first {FIRST_FEW}{middle(known.figures)}; ahead of the"
            f" nearest other{middle(known.ahead)}"
        )
        yield from (f"  {fault} on {where}: {first} first" for fault, where, first in known.wrong)
        yield (
            f"{name}: of {unknown.asked} unknown faults {unknown.near} have something near, and"
            f" {unknown.alike} of these break the same claim{middle(unknown.figures)}"
        )
    yield (
        f"claims: of {unknown.asked} faults {unknown.claim} have the right one first,"
        f" {unknown.claims} among the first {FIRST_FEW}"
    )


def middle(figures):
    return f" (figures from {min(figures):.2f}, median {median(figures):.2f})" if figures else ""
