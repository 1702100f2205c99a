# SPDX-License-Identifier: GPL-2.0-or-later
"""What the manual leaves open: the kernel's table of choices, and how a variation reads back."""

import fnmatch
import re
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools/trust"))

import plan  # noqa: E402
import read_back  # noqa: E402
from claim_table import load_claims  # noqa: E402
from declarations import read_declarations  # noqa: E402
from machine import load_profiles  # noqa: E402
from outcome import Outcome, judge_healthy  # noqa: E402
from read_back import load_table, misread, read_traits, spelled_out, wanted, words_of  # noqa: E402
from silicon import load_variations  # noqa: E402

TABLE = (ROOT / "tests/spec/choices/choices.def").read_text(encoding="utf-8")
ROW = re.compile(
    r'CHOICE\((?P<id>\w+),\s*"(?P<name>[a-z0-9-]+)",\s*(?P<how>\w+),\s*\w+,\s*\w+,\s*'
    r'(?:ANY_NUMBER|VALUES\((?P<values>[^)]*)\)),\s*"(?P<test>[^"]*)",\s*'
    r'"(?P<claim>[^"]*)",\s*(?P<fact>"[^)]*)\)'
)
ROWS = [match.groupdict() for match in ROW.finditer(TABLE)]
NAMES = {row["name"]: row for row in ROWS}
WORDS = dict(re.findall(r'WORD\((\w+), "([a-z0-9-]+)"\)', TABLE))


def traits(*lines):
    return read_traits(lines)


def case(profile="skylake", **properties):
    return plan.Case(profile, tuple((k.replace("_", "-"), v) for k, v in properties.items()))


def test_every_row_was_read():
    assert len(ROWS) == len(re.findall(r"^CHOICE\(", TABLE, re.M)) > 50


def test_names_are_each_their_own():
    names = [row["name"] for row in ROWS]
    assert len(names) == len(set(names))
    assert len(WORDS.values()) == len(set(WORDS.values()))


def test_rows_name_words_tests_and_claims_that_exist(iso):
    tests = {test.full_name for test in read_declarations(iso.with_suffix(".elf"))}
    claims = load_claims()
    for row in ROWS:
        assert row["test"] in tests, row["name"]
        assert row["claim"] in claims, row["name"]
        for word in re.findall(r"\w+", row["values"] or ""):
            assert word in WORDS, row["name"]


def test_every_row_is_learnt_somewhere():
    sources = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "tests").rglob("*.c"))
    for row in ROWS:
        assert f"CHOICE_{row['id']}" in sources, row["name"]


def at_of(variation, entry):
    return words_of(entry.get("at", variation.name))


def test_every_variation_and_value_reads_back_as_a_row():
    table = load_table()
    assert set(table) <= set(load_variations())
    for variation in load_variations().values():
        entry = table.get(variation.name, {})
        if "unlearnt" in entry:
            assert len(entry) == 1 and len(entry["unlearnt"]) > 10
            continue
        if "less" in entry:
            assert NAMES[variation.name]["how"] == "MOST"
            continue
        for value in variation.values:
            for trait, text in wanted(at_of(variation, entry), entry, value).items():
                row = NAMES[trait.partition("[")[0]]
                allowed = {WORDS[w] for w in re.findall(r"\w+", row["values"] or "")}
                words = set("|".join(words_of(text)).split("|"))
                assert words <= allowed or row["how"] == "MOST", (variation.name, value)


def test_values_of_a_variation_differ_in_what_must_be_read():
    for variation in load_variations().values():
        entry = load_table().get(variation.name, {})
        read = [
            str(sorted(wanted(at_of(variation, entry), entry, value).items()))
            for value in variation.values
        ]
        assert len(read) == len(set(read)), variation.name


def test_groups_of_profiles_are_spelled_out():
    entry = {"seen": ["few", "one*"], "hidden_by": ["few"]}
    assert spelled_out(entry, {"few": ["a", "b"]}) == entry | {"seen": ["a", "b", "one*"]}


def test_traits_have_points_or_none():
    assert traits("wrap=lazy", "btf=no [int-n] [iret]", "x=unknown (because [1] = 0)") == {
        "wrap": "lazy",
        "btf[int-n]": "no",
        "btf[iret]": "no",
        "x": "unknown",
    }


BOTH_KINDS = "crossing=new [off-os,iret] [off-usr,int-n] [off-usr,syscall]"


@pytest.mark.parametrize(
    ("properties", "lines"),
    [
        ({"wrap": "eager"}, ["wrap=eager"]),
        ({"pmi_late": "33"}, ["pmi-late=33"]),
        ({"pmi_skid": "33"}, ["pmi-skid=32"]),
        ({"pmi_skid": "0"}, ["pmi-skid=0"]),
        ({"pebs_skid": "33"}, ["pebs-skid=7"]),
        ({"crossing": "new"}, [BOTH_KINDS]),
        ({"lbr_format": "profile"}, []),
        ({"lbr_freeze": "legacy"}, ["lbr-freeze=unknown (x)"]),
        ({"pebs_skid": "3", "profile": "core2"}, ["pebs-skid=4"]),
        ({"taken_counter": "pmc3"}, ["taken-counter=no [pmc0] [pmc1]"]),
        (
            {"taken_counter": "pmc0", "wrap": "eager"},
            ["taken-counter=yes [pmc0]", "wrap=unknown (others use counters: pmc0)"],
        ),
        ({"wrap": "eager", "profile": "no-ds"}, ["wrap=unknown (CPUID.01H:EDX[21].DS = 0)"]),
        ({"wrap": "eager"}, ["wrap=unknown (circular.laps was not selected)"]),
        (
            {"btint_clear_interrupts": "on", "pmi_late": "64"},
            ["pmi-late=64", "btint-clear-interrupts=unknown (x)"],
        ),
    ],
)
def test_what_reads_back(properties, lines):
    assert not misread(case(**properties), traits(*lines))


@pytest.mark.parametrize(
    ("properties", "lines", "says"),
    [
        ({"wrap": "eager"}, ["wrap=lazy"], "log says wrap=lazy, expected eager"),
        ({"wrap": "eager"}, [], "log says nothing of wrap"),
        (
            {"wrap": "eager"},
            ["wrap=unknown (circular.laps did not come to show it)"],
            "wrap=unknown",
        ),
        ({"wrap": "eager", "profile": "no-ds"}, ["wrap=eager"], "expected unknown"),
        ({"pmi_late": "33"}, ["pmi-late=34"], "expected 33"),
        ({"pmi_late": "33"}, ["pmi-late=32"], "expected 33"),
        ({"pmi_skid": "33"}, ["pmi-skid=31"], "expected 32 to 33"),
        ({"pebs_skid": "3"}, ["pebs-skid=4"], "expected 0 to 3"),
        ({"crossing": "new"}, [BOTH_KINDS, "crossing=old [off-usr,iret]"], "crossing=old"),
        ({"crossing": "both"}, [BOTH_KINDS.replace("off-usr,int-n", "off-os,int-n")], "crossing"),
        ({"no_such": "1"}, [], "log says nothing of no-such, expected 1"),
        ({"taken_counter": "pmc3"}, ["taken-counter=no [pmc2] [pmc3]"], "expected yes"),
        ({"wrap": "loose"}, ["wrap=lazy"], "log says wrap=lazy, expected loose"),
        (
            {"taken_counter": "none", "wrap": "eager"},
            ["taken-counter=no [pmc0]", "wrap=unknown (x)"],
            "wrap=unknown",
        ),
    ],
)
def test_what_does_not_read_back(properties, lines, says):
    found = misread(case(**properties), traits(*lines))
    assert found and any(says in line for line in found), found


def test_a_healthy_processor_that_reads_otherwise_is_no_good_one():
    outcome = Outcome("PASS", [], [], [], traits=["wrap=lazy"])
    assert judge_healthy(case(wrap="lazy"), outcome) == "healthy"
    assert judge_healthy(case(wrap="eager"), outcome) == "not read back"
    outcome.status = "FAIL"
    assert judge_healthy(case(wrap="lazy"), outcome) == "false alarm"


def test_traits_of_a_profile_are_read_back_whatever_else_it_is(monkeypatch):
    monkeypatch.setattr(read_back, "traits_of", lambda profile: {"pebs-when[pmc0]": "overflowing"})
    right, wrong = "pebs-when=overflowing [pmc0]", "pebs-when=next [pmc0]"
    assert not misread(case(wrap="eager"), traits("wrap=eager", right, "pebs-when=next [pmc1]"))
    assert not misread(case(), traits("pebs-when=unknown (pebs.when was not selected)"))
    assert "expected overflowing" in misread(case(), traits(wrong))[0]
    assert "expected overflowing" in misread(case(), traits("pebs-when=overflowing [pmc1]"))[0]
    assert "unknown" in misread(case(), traits("pebs-when=unknown (nothing came)"))[0]
    assert not misread(case(), traits("x=y"))
    beside = case(taken_counter="pmc1")
    taken, open_now = "taken-counter=yes [pmc1]", "pebs-when=unknown (others use counters: pmc1)"
    assert not misread(beside, traits(taken, open_now))
    assert "expected overflowing" in misread(beside, traits(taken, wrong))[0]


def test_traits_of_profiles_are_rows():
    names = {row["name"]: row for row in ROWS}
    told = [trait for profile in load_profiles().values() for trait in profile.get("traits", {})]
    assert told
    for trait in told:
        assert trait.partition("[")[0] in names, trait


def test_nothing_is_expected_where_an_erratum_may_show_something_else():
    own, lines = {"errata": "own", "hypervisor": "off"}, ["reset-enables=others"]
    blurred = plan.Case("nehalem", (("reset-enables", "none"), *own.items()))
    assert not misread(blurred, traits(*lines))
    assert misread(plan.Case("nehalem", (("reset-enables", "none"),)), traits(*lines))
    assert misread(plan.Case("skylake", blurred.properties), traits(*lines))


def test_globs_are_of_profiles():
    for name, entry in load_table().items():
        for glob in [*entry.get("blurred", ()), *entry.get("unseen", ()), *entry.get("seen", ())]:
            assert fnmatch.filter(load_profiles(), glob), (name, glob)
