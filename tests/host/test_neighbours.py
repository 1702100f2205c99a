# SPDX-License-Identifier: GPL-2.0-or-later
"""Which healthy processors stand for all: covering arrays, and the smallest one that fails."""

import itertools
import random
import sys

import pytest
from conftest import ROOT
from machine import load_profiles

sys.path.insert(0, str(ROOT / "tools/trust"))

import neighbours  # noqa: E402
import plan  # noqa: E402
from covering import Factor, covering_rows  # noqa: E402
from culprits import Culprits, smallest  # noqa: E402
from outcome import Outcome  # noqa: E402
from silicon import Variation, load_variations, variation_of  # noqa: E402


def some_factors(generator):
    """Of all shapes: many levels, one level, levels of many values."""
    return [
        Factor(
            f"f{number}",
            tuple(
                tuple((number, level, value) for value in range(generator.choice([1, 1, 1, 5])))
                for level in range(generator.choice([1, 2, 2, 2, 3, 5, 9]))
            ),
        )
        for number in range(generator.choice([1, 2, 3, 8, 15]))
    ]


def level_of(factor, value):
    return next(number for number, values in enumerate(factor.levels) if value in values)


@pytest.mark.parametrize("seed", range(20))
def test_any_two_levels_meet_and_each_value_has_a_row(seed):
    factors = some_factors(random.Random(seed))
    rows = covering_rows(factors, seed)
    assert rows == covering_rows(factors, seed)
    for factor in factors:
        values = {value for level in factor.levels for value in level}
        assert {row[factor.name] for row in rows} == values
    for one, other in itertools.combinations(factors, 2):
        met = {(level_of(one, row[one.name]), level_of(other, row[other.name])) for row in rows}
        assert len(met) == len(one.levels) * len(other.levels), (one, other)


def test_rows_are_few():
    """Of 40 switches there are 2 to the 40th combinations; all pairs of them fit into some rows."""
    switches = [Factor(f"f{number}", ((0,), (1,))) for number in range(40)]
    assert len(covering_rows(switches)) <= 16
    wide = [Factor("a", tuple((n,) for n in range(12))), Factor("b", tuple((n,) for n in range(8)))]
    assert len(covering_rows(wide + switches)) <= 12 * 8 * 1.1


def test_levels_of_a_number_are_its_whole_range():
    number = variation_of("late", "0..64", "")
    levels = neighbours.levels_of(number)
    assert [each for level in levels for each in level] == [str(each) for each in range(65)]
    assert levels[0] == ("0",) and levels[-1] == ("64",) and len(levels) == 5
    for most in (1, 2, 3, 7, 8):
        small = neighbours.levels_of(variation_of("late", f"0..{most}", ""))
        assert [each for level in small for each in level] == [str(n) for n in range(most + 1)]


def test_neighbours_of_the_real_processors():
    """Every number of every variation, every pair of words, every way of every family."""
    profiles, variations = load_profiles(), load_variations()
    cases = neighbours.neighbour_cases(profiles, variations, 1)
    assert len(cases) <= 150
    told = [dict(case.properties) | {"profile": case.profile} for case in cases]
    for name in ("pmi-skid", "pebs-skid", "pmi-late"):
        assert {each[name] for each in told} == {str(number) for number in range(65)}
    words = [each for each in variations.values() if each.maximum is None]
    anywhere = [each for each in words if each.name not in plan.SHOWN_BY]
    for one, other in itertools.combinations(anywhere, 2):
        wanted = set(itertools.product(one.values, other.values))
        wanted = {pair for pair in wanted if not slow(one, pair[0]) and not slow(other, pair[1])}
        assert {(each[one.name], each[other.name]) for each in told} == wanted
    assert {each["profile"] for each in told} == set(profiles)
    leaders = leaders_of(profiles)
    for each in told:
        each["like"] = neighbours.like(profiles, each["profile"])
    for each in anywhere:
        values = {value for value in each.values if not slow(each, value)}
        assert pairs_of(told, "like", each.name) == set(itertools.product(leaders, values))
    for name, (family,) in plan.SHOWN_BY.items():
        ways = {each.get(name) for each in told if each["profile"] == family}
        assert ways == set(variations[name].values)
        assert not [each for each in told if name in each and each["profile"] != family]
    assert {bool(set(plan.BARE) <= set(case.properties)) for case in cases} == {True, False}


def leaders_of(profiles):
    return {neighbours.like(profiles, name) for name in profiles}


def test_what_is_nearly_the_same_counts_as_one():
    profiles = {"a": {}, "b": {"like": "a"}, "goldmont": {}, "c": {"like": "goldmont"}}
    way = Variation("lbr-freeze", ("x", "y"), "")
    assert neighbours.processors(profiles, {way.name: way}) == (
        (("a", ()), ("b", ())),
        (("goldmont", ((way.name, "x"),)), ("c", ())),
        (("goldmont", ((way.name, "y"),)),),
    )
    del profiles["a"]
    assert neighbours.processors(profiles, {})[0] == (("b", ()),)
    own = Variation("freeze-or-tr", ("x", "y"), "")
    ways = (("bonnell", ((own.name, "x"),)), ("bonnell", ((own.name, "y"),)))
    profiles = {"a": {}, "bonnell": {"like": "a"}}
    assert neighbours.processors(profiles, {own.name: own}) == ((("a", ()), *ways),)


def test_each_real_processor_is_like_one_that_is_itself():
    profiles = load_profiles()
    for profile in profiles.values():
        assert profile.get("like", "skylake") in leaders_of(profiles)
    assert len(leaders_of(profiles)) < len(profiles)


def slow(variation, value):
    return (variation.name, value) in plan.SLOW


def pairs_of(told, one, other):
    return {(each[one], each[other]) for each in told}


def test_what_is_slow_meets_everything_in_rows_of_its_own():
    profiles, variations = load_profiles(), load_variations()
    cases = neighbours.slow_cases(profiles, variations, 1)
    assert len(cases) <= 20 and all(plan.SLOW <= set(case.properties) for case in cases)
    met = {neighbours.like(profiles, case.profile) for case in cases}
    assert met == leaders_of(profiles)
    for each in variations.values():
        if each.maximum is None and each.name not in plan.SHOWN_BY:
            values = {dict(case.properties)[each.name] for case in cases}
            assert values == ({"updated"} if each.name == "ler-without-lbr" else set(each.values))


def test_wild_ones_come_from_the_whole_range():
    profiles, variations = load_profiles(), load_variations()
    cases = neighbours.wild_cases(profiles, variations, 300, 7)
    assert cases == neighbours.wild_cases(profiles, variations, 300, 7)
    assert cases != neighbours.wild_cases(profiles, variations, 300, 8)
    assert {case.profile for case in cases} == set(profiles)
    assert len({dict(case.properties)["pmi-skid"] for case in cases}) > 40
    assert not any(plan.SLOW & set(case.properties) for case in cases)
    assert 50 < sum(plan.BOARD in case.properties for case in cases) < 200


VARIATIONS = {
    "late": variation_of("late", "0..64", ""),
    **{f"v{number}": Variation(f"v{number}", ("off", "on"), "") for number in range(20)},
}


def random_case(generator):
    chosen = [
        (
            each.name,
            str(generator.randint(0, 64)) if each.maximum else generator.choice(each.values),
        )
        for each in VARIATIONS.values()
    ]
    bare = plan.BARE if generator.random() < 0.5 else ()
    return plan.Case("skylake", (*chosen, *bare))


@pytest.mark.parametrize("seed", range(40))
def test_the_smallest_is_what_it_takes(seed):
    """Whatever it takes, a conjunction of properties, just that is found."""
    generator = random.Random(seed)
    case = random_case(generator)
    switched = [each for each in case.properties if each[1] == "on"]
    wanted = set(generator.sample(switched, min(len(switched), generator.randint(0, 4))))
    limit = generator.choice([0, 0, 1, 5, int(dict(case.properties)["late"])])
    limit = min(limit, int(dict(case.properties)["late"]))
    asked = []

    def fails(other):
        asked.append(other)
        late = int(dict(other.properties).get("late", 0))
        return wanted <= set(other.properties) and late >= limit

    found = smallest(case, fails, VARIATIONS)
    assert set(found.properties) == wanted | ({("late", str(limit))} if limit else set())
    assert len(asked) < 120


def test_a_bare_identity_stays_whole():
    case = plan.Case("skylake", (("v1", "on"), *plan.BARE))
    found = smallest(case, lambda other: plan.BOARD in other.properties, VARIATIONS)
    assert found.properties == plan.BARE
    assert smallest(case, lambda other: True, VARIATIONS).properties == ()


class Pretended:
    """A laboratory whose processors fail where a predicate says so; counts its boots."""

    def __init__(self, fails):
        self.fails, self.asked = fails, []

    def run(self, case, command_line=""):
        self.asked.append((case, command_line))
        return failed() if self.fails(case, command_line) else Outcome("PASS", [], [], [])

    def run_all(self, work, tell):
        return {case: function() for case, function in work.items()}


def failed():
    return Outcome("FAIL", ["X-1"], ["group.test"], [])


def test_culprits_are_found_once_and_tried_first():
    def fails(case, command_line):
        told = dict(case.properties)
        return told.get("v3") == "on" and int(told.get("late", 0)) > 9

    cases = [
        plan.Case(profile, (("v3", "on"), ("v4", "on"), ("late", late)))
        for profile, late in (("skylake", "33"), ("haswell", "40"))
    ]
    laboratory = Pretended(fails)
    finder = Culprits(laboratory, VARIATIONS)
    found = finder.of_one(cases[0], failed())
    assert found == plan.Case("skylake", (("v3", "on"), ("late", "10")))
    assert {line for _, line in laboratory.asked} == {"test=group.test"}
    before = len(laboratory.asked)
    assert finder.of_one(cases[1], failed()) == plan.Case("haswell", found.properties)
    assert len(laboratory.asked) == before + 2
    passing = plan.Case("no-ds", plan.BARE)
    healthy = {cases[0]: failed(), passing: Outcome("PASS", [], [], []), PLAIN: failed()}
    assert list(finder.of_all(healthy, lambda case, outcome: None)) == [cases[0]]


PLAIN = plan.Case("skylake")


def test_a_failure_that_needs_the_other_tests_is_looked_for_with_all_of_them():
    def fails(case, command_line):
        return not command_line and dict(case.properties).get("v3") == "on"

    laboratory = Pretended(fails)
    case = plan.Case("skylake", (("v3", "on"), ("v4", "on")))
    found = Culprits(laboratory, VARIATIONS).of_one(case, failed())
    assert found.properties == (("v3", "on"),)
