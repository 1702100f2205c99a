# SPDX-License-Identifier: GPL-2.0-or-later
"""A covering array: few rows in which any two values of any two factors meet.

A factor has levels, and a level has values. Pairs are counted by level, but each value gets a row.
The algorithm is greedy, and the same seed gives the same rows. A row begins with the level that
still has the most pairs to meet; then each factor, in a random order, takes the level that meets
most.
"""

import random
from dataclasses import dataclass

TRIES = 30  # rows to choose the best one from


@dataclass(frozen=True)
class Factor:
    name: str
    levels: tuple[tuple, ...]  # of values


class Array:
    """What has still to meet what, while rows are added. A choice is (factor, level), by number.
    apart: pairs of factors, by name, whose levels need not meet.
    """

    def __init__(self, factors, seed=1, apart=()):
        self.factors, self.random = factors, random.Random(seed)
        self.apart = {frozenset(pair) for pair in apart}
        self.open = {}  # choice -> the choices that it has still to meet
        self.due = {}  # choice -> rows that must still have it
        self.turns = {}  # choice -> its values, in the order in which the rows take them
        for number, factor in enumerate(factors):
            for level, values in enumerate(factor.levels):
                choice = number, level
                self.due[choice] = len(values)
                self.turns[choice] = self.random.sample(values, len(values))
                self.open[choice] = self.all_of_others(number)

    def all_of_others(self, number):
        return {
            (other, level)
            for other, factor in enumerate(self.factors)
            for level in range(len(factor.levels))
            if other != number and not self.are_apart(number, other)
        }

    def are_apart(self, one, other):
        return frozenset((self.factors[one].name, self.factors[other].name)) in self.apart

    def rows(self):
        """Factor -> value; until every pair has met and every value has had its turn."""
        rows = []
        while any(self.open.values()) or any(due > 0 for due in self.due.values()):
            row = max((self.try_row() for _ in range(TRIES)), key=self.worth)
            self.take(row)
            rows.append({self.factors[f].name: self.value_of((f, level)) for f, level in row})
        return rows

    def try_row(self):
        most = max(self.open, key=lambda choice: (len(self.open[choice]), self.due[choice]))
        row = [most]
        others = [number for number in range(len(self.factors)) if number != most[0]]
        for number in self.random.sample(others, len(others)):
            row.append(self.best_level(number, row))
        return sorted(row)

    def best_level(self, number, row):
        choices = [(number, level) for level in range(len(self.factors[number].levels))]
        self.random.shuffle(choices)
        return max(choices, key=lambda each: (self.meets(each, row), self.due[each]))

    def meets(self, choice, row):
        return sum(other in self.open[choice] for other in row)

    def worth(self, row):
        pairs = sum(self.meets(choice, row) for choice in row)
        return pairs, sum(self.due[choice] > 0 for choice in row)

    def take(self, row):
        for choice in row:
            self.open[choice].difference_update(row)
            self.due[choice] -= 1

    def value_of(self, choice):
        """Values take turns."""
        turns = self.turns[choice]
        turns.append(turns.pop(0))
        return turns[-1]


def covering_rows(factors, seed=1, **rules):
    return Array(factors, seed, **rules).rows()
