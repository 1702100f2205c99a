# SPDX-License-Identifier: GPL-2.0-or-later
"""Which processors to boot: healthy ones in every legal variation, and some for each fault."""

import fnmatch
import random
from dataclasses import dataclass, replace

# Variations alone are tried on one processor of each flavour of freeze.
VARIED = ("skylake", "haswell")
# … but for those that only one family can show.
SHOWN_BY = {
    "lbr-freeze": ("goldmont",),
    "lbr-with-tr": ("core2",),
    "freeze-or-tr": ("bonnell",),
}
# Ten times as slow, because every branch of the whole run is told to the model: alone only.
SLOW = {("ler-without-lbr", "updated")}
# Where a fault shows first: one processor of each flavour.
STREAMLINED = ("skylake", "icelake", "goldmont")
LEGACY = ("haswell", "nehalem", "core2")

# A bare identity: the kernel takes the machine for a board, and the processor has the errata that
# were published for it. What a board lacks is asked for: an exit status, and SMIs.
BOARD = ("hypervisor", "off")
BARE = (("errata", "own"), BOARD)
NO_CHOICE = ("errata", "hypervisor")

# A contrary identity: whatever the manual leaves open it does otherwise than the plain processor,
# and latest where there is a number. But for what makes it another processor, or has its own rows.
NOT_CONTRARY = {"lbr-format", "lbr-freeze", *(name for name, _ in SLOW)}
# Fault -> the open point that makes it a legal processor, or leaves it nothing to do.
FAULT_OF_CHOICE = {
    "arch-lbr-iret-old-ring": "arch-lbr-crossing",
    "arch-lbr-mask-narrow": "lbr-filtered-from",
    "bts-freeze-irregular": "bts-freezes",
    "btint-ignored": "btint-clear-interrupts",
    "btint-stuck": "full",
    "full-disables": "full",
    "full-wraps": "full",
    "threshold-above-maximum": "limit",
    "threshold-at-maximum-lost": "limit",
    "tr-feeds-irregular": "tr-feeds-lbr",
}
ON_BOARD = "exit=qemu smi=allow"
# Table 17-6 where a record in thirty repeats the FROM of the one before.
TABLE_CLAIMS = "T17-6."
TABLE_ERRATUM = ("haswell", (("errata", "HSD53:1/30"), BOARD))


@dataclass(frozen=True)
class Case:
    """One processor. Healthy when it has no fault."""

    profile: str
    properties: tuple[tuple[str, str], ...] = ()  # NAME, value; all but BOARD's are x-ds-NAME
    fault: str = ""
    rarity: int = 1  # the fault happens once in so many occasions

    @property
    def name(self):
        parts = [f"{name}={value}" for name, value in self.properties]
        parts += [f"fault={self.fault_text()}"] if self.fault else []
        return ",".join([self.profile, *parts])

    def fault_text(self):
        """A pair of faults is joined by a plus."""
        rarity = "" if self.rarity == 1 else f":1/{self.rarity}"
        return "+".join(name + rarity for name in self.fault.split("+"))

    def healthy(self):
        """The same processor without the fault."""
        return replace(self, fault="", rarity=1)

    def choices(self):
        """What it was set to of all that the manual leaves open."""
        return [each for each in self.properties if each[0] not in NO_CHOICE]

    def has(self, erratum):
        """Is it one of the errata that the processor was told to have?"""
        told = dict(self.properties).get("errata", "").split("+")
        return "own" in told or erratum in {text.split(":")[0] for text in told}

    def command_line(self):
        return ON_BOARD if BOARD in self.properties else ""

    def cpu(self, profiles):
        """What follows -cpu."""
        parts = [
            f"{'' if (name, value) == BOARD else 'x-ds-'}{name}={value}"
            for name, value in self.properties
        ]
        parts += [f"x-ds-fault={self.fault_text()}"] if self.fault else []
        return ",".join([profiles[self.profile]["cpu"], *parts])


def plain_cases(profiles):
    return [Case(profile) for profile in profiles]


def varied_cases(profiles, variations, everywhere=False, usual=VARIED):
    """Every value of every variation alone; the default is the plain processor. usual: the profiles
    of those that several families can show."""
    cases = []
    for variation in variations.values():
        shown_by = SHOWN_BY.get(variation.name, usual)
        chosen = [name for name in profiles if everywhere or name in shown_by]
        for value in variation.values[1:]:
            is_slow = (variation.name, value) in SLOW
            names = chosen[:1] if is_slow else chosen
            cases += [Case(name, ((variation.name, value),)) for name in names]
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


def bare_cases(profiles):
    """The identities without a fault, and the one whose Table 17-6 is tested."""
    cases = [Case(profile, BARE) for profile in profiles]
    return cases + ([Case(*TABLE_ERRATUM)] if TABLE_ERRATUM[0] in profiles else [])


def contrary(profile, variations):
    """The properties of its contrary identity."""
    return tuple(
        (each.name, each.values[-1] if each.maximum is None else str(each.maximum))
        for each in variations.values()
        if each.name not in NOT_CONTRARY and profile in SHOWN_BY.get(each.name, (profile,))
    )


def contrary_cases(profiles, variations):
    """The contrary identities without a fault."""
    return [Case(profile, contrary(profile, variations)) for profile in profiles]


def without_choice(properties, fault):
    """The processor, but for the open point that would make the fault none."""
    return tuple(each for each in properties if each[0] != FAULT_OF_CHOICE.get(fault))


def identity_fault_cases(faults, applicable, identity, seed, everywhere=False):
    """Each fault on one processor of that identity, or on each that can show it.

    identity: profile -> properties. Every profile gets its share: the fault goes to the one that
    has the fewest, and those that few can show choose first. The seed decides among equals.
    """
    order = random.Random(seed).sample(sorted(applicable), len(applicable))
    able = {name: [each for each in order if name in applicable[each]] for name in faults}
    share = dict.fromkeys(order, 0)
    cases = []
    for name in sorted(faults, key=lambda name: len(able[name])):
        least = min(able[name], key=share.get, default=None)
        for profile in able[name] if everywhere else [least] if least else []:
            share[profile] += 1
            cases.append(Case(profile, without_choice(identity[profile], name), name))
    return cases


def table_cases(faults, applicable):
    """Faults of Table 17-6 that an erratum could hide."""
    profile, properties = TABLE_ERRATUM
    broken = [
        fault.name
        for fault in faults.values()
        if any(claim.startswith(TABLE_CLAIMS) for claim in fault.claims)
        and fault.name in applicable.get(profile, ())
    ]
    return [Case(profile, properties, name) for name in broken]


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


def drawn(names, seed):
    """All of them, in an order of the seed's."""
    names = sorted(names)
    return random.Random(seed).sample(names, len(names))


def first_of_each(cases, faults):
    """The first case of each of these faults, in their order; none where nothing can show one."""
    first = {}
    for case in cases:
        first.setdefault(case.fault, case)
    return [first[fault] for fault in faults if fault in first]
