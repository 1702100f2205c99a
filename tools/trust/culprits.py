# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds which properties make a healthy processor fail."""

from dataclasses import replace

from outcome import FALSE_ALARM, HEALTHY, judge_healthy
from runs import glob_list
from smallest import smallest


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
