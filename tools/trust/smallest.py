# SPDX-License-Identifier: GPL-2.0-or-later
"""Shrinks a failing processor until no property can go and no number shrink.

Delta debugging: removes one part of the properties after another, and smaller parts when none can
go. Two properties that need each other are one part (a bare identity).
"""

from dataclasses import replace

from plan import BARE


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
