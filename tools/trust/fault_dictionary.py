# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the fault dictionary: boots each wrong processor to the end of its log, and keeps what it
looks like. An interrupted one goes on from there.

A boot lasts as long as a whole run. Its log stays, packed: whoever changes what is read of it need
not boot again.
"""

import gzip
from dataclasses import dataclass
from pathlib import Path

import plan
from diagnosis import Dictionary, ran_items, rank_claims, read_cases, spectrum_of
from diagnosis.dictionary import Entry
from judge import Status
from ktap import read
from machine import LabError
from runs import KEPT
from silicon import applicable_faults, pebs_faults

PROFILES = 2  # that a fault is booted on, where so many can show it
PACKED = ".gz.ktap"


@dataclass
class Looks:
    """What the log of one processor comes to."""

    spectrum: set[str]
    ran: set[str]
    claims: list[str]
    header: dict[str, str]


def looks_of(log):
    cases = read_cases(log)
    return Looks(spectrum_of(cases), ran_items(cases), rank_claims(log), log.header())


class Maker:
    def __init__(self, laboratory, faults):
        self.laboratory, self.faults = laboratory, faults

    def looks(self, case):
        """Of the log that is kept, or of a new one."""
        packed = self.laboratory.log(case, "").with_suffix(PACKED)
        if self.laboratory.fresh or not packed.exists():
            outcome = self.laboratory.boot(case, "")
            log = Path(outcome.log)
            packed.write_bytes(gzip.compress(log.read_bytes()))
            log.unlink()
            if Status[outcome.status] not in KEPT:
                packed = packed.rename(packed.with_suffix(".once.ktap"))
        return looks_of(read(gzip.decompress(packed.read_bytes())))

    def all_looks(self, cases, tell):
        work = {case: lambda case=case: self.looks(case) for case in cases}
        return self.laboratory.run_all(work, lambda case, _: tell(case))

    def cases(self, plain, everywhere=False):
        """plain: case -> Looks. Each fault on two processors that can show it."""
        profiles, able = self.laboratory.profiles, {}
        for case, looks in plain.items():
            names = applicable_faults(case.cpu(profiles), looks.header)
            unusable = "pebs_unusable" in profiles[case.profile]
            able[case.profile] = names - pebs_faults() if unusable else names
        for fault in self.faults:
            first = plan.where(fault, able)
            rest = [name for name in able if fault in able[name] and name not in first]
            names = first + (rest if everywhere else rest[: max(0, PROFILES - len(first))])
            yield from (plan.Case(name, fault=fault) for name in names)


def made_of(commit, faults, plain, found):
    """The Dictionary. plain, found: case -> Looks."""
    told = {case.fault: faults[case.fault] for case in found}
    return Dictionary(
        commit,
        {name: {"help": each.help, "claims": list(each.claims)} for name, each in told.items()},
        {case.profile: looks.ran for case, looks in plain.items()},
        [
            Entry(case.fault, case.profile, frozenset(looks.spectrum), tuple(looks.claims))
            for case, looks in sorted(found.items(), key=lambda item: item[0].name)
            if looks.spectrum
        ],
    )


def chosen_profiles(profiles, names):
    """Those that are named, or all."""
    if unknown := set(names) - set(profiles):
        raise LabError(f"no profile {', '.join(sorted(unknown))}: `make profiles` lists them")
    return [name for name in profiles if not names or name in names]
