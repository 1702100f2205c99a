# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds which properties make a healthy processor fail, and the fewest that do.

Delta debugging: removes one part of the properties after another, and smaller parts when none can
go, until no property can go and no number shrink. Two properties that need each other are one part
(a bare identity).
"""

from dataclasses import replace

from outcome import FALSE_ALARM, HEALTHY, judge_healthy
from plan import BARE
from boots import glob_list


class Culprits:
    """Finds them; a set that was found once is tried first on the next processor."""

    def __init__(self, laboratory, variations):
        self.laboratory, self.variations = laboratory, variations
        self.known = []  # tuples of properties

    def of_all(self, healthy, tell):
        """healthy: case -> outcome. Returns bad case with properties -> smallest case."""
        work = {
            case: lambda case=case, outcome=outcome: self.of_one(case, outcome)
            for case, outcome in healthy.items()
            if case.properties and judge_healthy(case, outcome) != HEALTHY
        }
        return self.laboratory.run_all(work, tell)

    def of_one(self, case, outcome):
        verdict, tests = judge_healthy(case, outcome), self.tests_for(case, outcome)

        def fails(other):
            return judge_healthy(other, self.laboratory.run(other, tests)) == verdict

        for properties in self.known:
            if self.is_within(properties, case):
                other = replace(case, properties=properties)
                if fails(other):
                    return other
        found = smallest(case, fails, self.variations)
        self.known.append(found.properties)
        return found

    def is_within(self, properties, case):
        """Has the case these properties, or larger numbers?"""
        mine = dict(case.properties)
        return all(
            name in mine and (mine[name] == value or self.is_larger(name, mine[name], value))
            for name, value in properties
        )

    def is_larger(self, name, mine, value):
        variation = self.variations.get(name)
        is_number = variation is not None and variation.maximum is not None
        return is_number and int(mine) > int(value)

    def tests_for(self, case, outcome):
        """The tests that failed, where they do so without the others; "" for all."""
        if judge_healthy(case, outcome) != FALSE_ALARM or not outcome.failed:
            return ""
        tests = glob_list(outcome.failed)
        again = self.laboratory.run(case, tests)
        return tests if judge_healthy(case, again) == FALSE_ALARM else ""


def parts_of(properties):
    """Lists of properties that stay or go together."""
    whole = [list(BARE)] if set(BARE) <= set(properties) else []
    return [[each] for each in properties if not whole or each not in BARE] + whole


def joined(parts):
    return tuple(each for part in parts for each in part)


def smallest(case, fails, variations):
    """The case with as few properties as still fail. fails(case): does it?

    What a variation is by default goes first, all at once.
    """
    defaults = {(each.name, each.values[0]) for each in variations.values()}
    numbers = [each.name for each in variations.values() if each.maximum is not None]

    def without(parts):
        return replace(case, properties=joined(parts))

    parts = parts_of(case.properties)
    told = [part for part in parts if part[0] not in defaults]
    if len(told) < len(parts) and fails(without(told)):
        parts = told
    parts = fewest(parts, lambda some: fails(without(some)))
    return with_small_numbers(without(parts), fails, numbers)


def fewest(parts, fails):
    """A list none of whose members can go alone."""
    count = 2
    while parts:
        size = max(1, len(parts) // count)
        for start in range(0, len(parts), size):
            rest = parts[:start] + parts[start + size :]
            if fails(rest):
                parts, count = rest, max(2, count - 1)
                break
        else:
            if size == 1:
                return parts
            count = min(len(parts), 2 * count)
    return parts


def with_small_numbers(case, fails, numbers):
    """Each number as small as still fails, where the larger ones fail too; 0 passes."""
    for name, value in case.properties:
        if name not in numbers:
            continue
        passing, failing = 0, int(value)
        while failing - passing > 1:
            middle = (passing + failing) // 2
            if fails(changed(case, name, middle)):
                failing = middle
            else:
                passing = middle
        case = changed(case, name, failing)
    return case


def changed(case, name, value):
    properties = [(each, str(value) if each == name else old) for each, old in case.properties]
    return replace(case, properties=tuple(properties))
