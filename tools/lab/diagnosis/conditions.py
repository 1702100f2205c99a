# SPDX-License-Identifier: GPL-2.0-or-later
"""Under which settings results fail and others do not: names of tests say what is set.

`tr1_bts1_bts_off_os1_bts_off_usr0_btint0` has five settings. What failed and what passed then tell
the smallest set of conditions that all failures have, and that keeps out what passed.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from .cases import test_of

# Bits of IA32_DEBUGCTL, which stand in the name of a subtest or, all together, as a number.
BITS = {"LBR": 0, "BTF": 1, "TR": 6, "BTS": 7, "BTINT": 8, "BTS_OFF_OS": 9, "BTS_OFF_USR": 10}
BITS |= {"FREEZE_LBRS_ON_PMI": 11, "FREEZE_PERFMON_ON_PMI": 12}
OFF = re.compile(r"(?:^|_)(?:bts_)?off_(os|usr)([01]?)(?=_|$)")
ONE_OFF = re.compile(r"(?:^|_)bts_off_(os|usr)(?=_|$)")
BIT = re.compile(r"(?:^|_)(tr|bts|btint|lbr|btf)([01])(?=_|$)")
WHOLE = re.compile(r"(?:^|_)debugctl_([0-9a-f]{1,4})(?=_|$)")
COUNTER = re.compile(r"(?:^|_)(pmc|fixed)([0-9]{1,2})(?=_|$)")
PLACE = re.compile(r"@([A-Za-z]+[0-9]+)")
PROCESSOR = re.compile(r"(?:^|_)processor_([0-9]{1,3})(?=_|$)")
RING = re.compile(r"(?:^|_)(?:in_)?ring_?([0-3])(?=_|$)")
PROGRAM = re.compile(r"(kernel|user|compat)_")
TRIGGER = re.compile(r"(?:^|_)(self_ipi|timer|nmi|smi|machine_check)(?=_|$)")
# In words of ours; a counter and a processor stand alone.
PROGRAMS = {"kernel": "0", "user": "3", "compat": "3"}
SORT = "sort"
MOST = 4  # conditions of a cause
VALUES = 2  # of a condition
ENOUGH = 0.5  # of the failures must tell
CHANCE = 0.01


@dataclass(frozen=True)
class Condition:
    name: str
    values: tuple[str, ...]
    told: int  # failures that tell
    kept_out: int  # results that passed, and are otherwise

    def __str__(self):
        joined = " or ".join(self.values)
        if self.name == SORT:
            return joined
        return f"{self.name} {joined}" if self.name[0].islower() else f"{self.name} = {joined}"


@cache
def settings_of(name):
    """Of a result's full name: what -> value, both as text."""
    test, _, part = name.partition(".")[2].partition(".")
    found = {}
    if match := WHOLE.search(part):
        value = int(match[1], 16)
        found |= {bit: str(value >> at & 1) for bit, at in BITS.items()}
    for which, value in OFF.findall(part):
        found[f"BTS_OFF_{which.upper()}"] = value or "1"
    if (match := ONE_OFF.search(part)) and "_one_ring" in test + part:
        other = {"os": "BTS_OFF_USR", "usr": "BTS_OFF_OS"}[match[1]]
        found.setdefault(other, "0")
    found |= {bit.upper(): value for bit, value in BIT.findall(OFF.sub("_", f"_{part}"))}
    return found | others_of(name, test, part)


def others_of(name, test, part):
    """What is no bit: the program's ring, a counter, a trigger, a processor."""
    found = {}
    if match := PROGRAM.match(part):
        found["programs in ring"] = PROGRAMS[match[1]]
    if match := RING.search(part) or RING.search(test):
        found["programs in ring"] = match[1]
    if match := COUNTER.search(part):
        found["counter"] = f"{'PMC' if match[1] == 'pmc' else 'fixed '}{match[2]}"
        found[SORT] = "general counters" if match[1] == "pmc" else "fixed counters"
    if match := TRIGGER.search(part):
        found["interrupts by"] = match[1].replace("_", " ")
    if match := PROCESSOR.search(part) or PLACE.search(name):
        found["processor"] = match[1]
    return found


def common_conditions(failed, passed):
    """failed, passed: names. The conditions, those first that keep out most of what passed."""
    tests = {test_of(name) for name in failed}
    told, found = [(name, settings_of(name)) for name in failed], []
    beside = [name for name in passed if test_of(name) in tests]
    while best := best_of(candidates(told, not_yet_out(beside, found)), found):
        found.append(best)
    while best := best_of(by_no_chance(told, not_yet_out(passed, found)), found):
        found.append(best)
    return found


def not_yet_out(passed, conditions):
    return [name for name in passed if all(inside(each, name) for each in conditions)]


def best_of(able, found):
    """None where the conditions are enough."""
    taken = {each.name for each in found}
    left = [each for each in able if each.name not in taken] if len(found) < MOST else []
    return max(left, key=lambda each: (each.kept_out, -len(each.values), each.told), default=None)


def candidates(told, passed):
    """What all failures have that tell it, and something that passed has not."""
    for name in dict.fromkeys(name for _, settings in told for name in settings):
        values = Counter(settings[name] for _, settings in told if name in settings)
        others = [settings_of(each).get(name) for each in passed]
        kept_out = sum(value is not None and value not in values for value in others)
        if kept_out and len(values) <= VALUES and values.total() >= ENOUGH * len(told):
            yield Condition(name, tuple(sorted(values)), values.total(), kept_out)


def by_no_chance(told, passed):
    """Those that as many tests would hardly have, did they know nothing of it: passed ones tell."""
    for each in candidates(told, passed):
        tests = {test_of(name) for name, settings in told if each.name in settings}
        telling = sum(each.name in settings_of(name) for name in passed)
        if (1 - each.kept_out / (telling + 2)) ** len(tests) < CHANCE:
            yield each


def inside(condition, name):
    """Or the name does not say."""
    return settings_of(name).get(condition.name, condition.values[0]) in condition.values
