# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run over the mutants says: scores, survivors, what was never reached."""

from collections import Counter
from dataclasses import dataclass

from found import EQUIVALENT, KILLED, SURVIVED, UNREACHED, UNTRIED

GOALS = {"model": 98.0, "glue": 95.0}  # percent


@dataclass(frozen=True)
class Score:
    group: str
    counts: dict  # status -> how many

    @property
    def counted(self):
        """Those that a test should have killed, and that were tried."""
        return sum(self.counts.get(each, 0) for each in (KILLED, SURVIVED, UNREACHED))

    @property
    def percent(self):
        return 100 * self.counts.get(KILLED, 0) / self.counted if self.counted else 100.0

    def is_good(self):
        return self.percent >= GOALS[self.group]

    def line(self):
        counts = ", ".join(f"{number} {status}" for status, number in sorted(self.counts.items()))
        return f"{self.group}: {self.percent:.1f} % of {self.counted} killed ({counts})"


def group_of(mutant):
    return "glue" if mutant["file"].startswith("glue/") else "model"


def statuses(mutants, found, equivalent):
    """Name -> status."""
    names = [mutant["name"] for mutant in mutants]
    tried = {name: found[name].status if name in found else UNTRIED for name in names}
    return {name: EQUIVALENT if name in equivalent else tried[name] for name in names}


def scores(mutants, status):
    groups = {}
    for mutant in mutants:
        groups.setdefault(group_of(mutant), Counter())[status[mutant["name"]]] += 1
    return [Score(group, dict(groups[group])) for group in GOALS if group in groups]


def survivors(mutants, status):
    """Those that no test named, in the order of the sources."""
    return [each for each in mutants if status[each["name"]] in (SURVIVED, UNREACHED)]


def contradicted(mutants, found, equivalent):
    """Those listed as no fault that fail a test: the test gives a false alarm, or the row is wrong.
    What ends the emulator alone is named by no test."""
    names = {name for name, each in found.items() if each.tests and name in equivalent}
    return [each for each in mutants if each["name"] in names]


def describe(mutant, found):
    where = f"{mutant['file']}:{mutant['line']}"
    status = found.status if found else UNTRIED
    number = f"x-ds-mutant={mutant['number']}"
    change = f"{mutant['before']} -> {mutant['after']}"
    return f"{status}: {mutant['name']} {where} {number}: {change}"
