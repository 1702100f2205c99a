# SPDX-License-Identifier: GPL-2.0-or-later
"""Which processors to boot: healthy ones in every legal variation, and one for each fault."""

import fnmatch
import random
from dataclasses import dataclass

# Variations alone are tried on one processor of each flavour of freeze; the random ones on all.
VARIED = ("skylake", "haswell")
# … but for those that only one family can show.
SHOWN_BY = {"goldmont-lbr-freeze": ("goldmont",), "core-lbr-with-tr": ("core2",)}
# Ten times as slow, because every branch of the whole run is told to the model: alone only.
SLOW = {("ler-without-lbr", "on")}
# Where a fault shows first: one processor of each flavour.
STREAMLINED = ("skylake", "icelake", "goldmont")
LEGACY = ("haswell", "nehalem", "core2")


@dataclass(frozen=True)
class Case:
    """One processor. Healthy when it has no fault."""

    profile: str
    properties: tuple[tuple[str, str], ...] = ()  # x-ds-NAME, value
    fault: str = ""
    rarity: int = 1  # the fault happens once in so many occasions

    @property
    def name(self):
        parts = [f"{name}={value}" for name, value in self.properties]
        parts += [f"fault={self.fault_text()}"] if self.fault else []
        return ",".join([self.profile, *parts])

    def fault_text(self):
        return self.fault if self.rarity == 1 else f"{self.fault}:1/{self.rarity}"

    def cpu(self, profiles):
        """What follows -cpu."""
        parts = [f"x-ds-{name}={value}" for name, value in self.properties]
        parts += [f"x-ds-fault={self.fault_text()}"] if self.fault else []
        return ",".join([profiles[self.profile]["cpu"], *parts])


def plain_cases(profiles):
    return [Case(profile) for profile in profiles]


def varied_cases(profiles, variations, everywhere=False):
    """Every value of every variation alone; the default is the plain processor."""
    cases = []
    for variation in variations.values():
        shown_by = SHOWN_BY.get(variation.name, VARIED)
        chosen = [name for name in profiles if everywhere or name in shown_by]
        for value in variation.values[1:]:
            is_slow = (variation.name, value) in SLOW
            names = chosen[:1] if is_slow else chosen
            cases += [Case(name, ((variation.name, value),)) for name in names]
    return cases


def swift_values(variation):
    return [value for value in variation.values if (variation.name, value) not in SLOW]


def random_cases(profiles, variations, count, seed):
    """Processors that choose otherwise in many points at once; the same ones for the same seed."""
    generator = random.Random(seed)
    names = sorted(profiles)
    cases = []
    for _ in range(count):
        chosen = [(each.name, generator.choice(swift_values(each))) for each in variations.values()]
        cases.append(Case(generator.choice(names), tuple(chosen)))
    return cases


def where(name, applicable, everywhere=False):
    """The profiles that can show the fault: all, or one of each flavour, or the first there is.

    applicable: profile -> names of the faults that it can show.
    """
    able = [profile for profile, names in applicable.items() if name in names]
    if everywhere:
        return able
    groups = (STREAMLINED, LEGACY)
    firsts = [[profile for profile in group if profile in able][:1] for group in groups]
    return sum(firsts, []) or able[:1]


def fault_cases(faults, applicable, everywhere=False, rarity=1):
    return [
        Case(profile, fault=fault.name, rarity=rarity)
        for fault in faults.values()
        for profile in where(fault.name, applicable, everywhere)
    ]


def matches(case, glob):
    """Its name, which begins with the profile, or its fault."""
    return any(fnmatch.fnmatchcase(name, glob) for name in (case.name, case.fault))


def matching(cases, globs):
    """Those that a glob matches; all without globs."""
    return [case for case in cases if not globs or any(matches(case, glob) for glob in globs)]


def unmatched(cases, globs):
    """The globs that match none of the cases."""
    return [glob for glob in globs if not any(matches(case, glob) for case in cases)]


def spread(names, count):
    """So many of them, at even distances: nobody chooses what a small part of the matrix shows."""
    names = list(names)
    return [names[i * len(names) // count] for i in range(min(count, len(names)))]


def first_of_each(cases, faults):
    """The first case of each of these faults, in their order; none where nothing can show one."""
    first = {}
    for case in cases:
        first.setdefault(case.fault, case)
    return [first[fault] for fault in faults if fault in first]
