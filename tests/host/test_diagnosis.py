# SPDX-License-Identifier: GPL-2.0-or-later
"""What is broken, from logs of wrong processors that were written by hand."""

import io
import re

import pytest
from conftest import ROOT
from diagnosis import diagnose, rank_claims, read_cases
from diagnosis.conditions import BITS, common_conditions, settings_of
from diagnosis.kinds import CIRCUMSTANCES, WORDS
from diagnosis_logs import (
    BRANCHES,
    COUNTING,
    HIGH,
    KINDS,
    SETTINGS,
    TABLE,
    TESTS,
    extra,
    general_dead,
    iret_lost,
    judged,
    log_of,
    missing,
    off_os_ignored,
    value,
)
from judgement_text import print_judgement


def sentences(failing):
    return [cause.sentence() for cause in diagnose(log_of(failing)).causes]


def test_a_good_log_has_no_diagnosis():
    assert diagnose(log_of({})) is None


def test_the_sentence_has_the_sum_the_ring_and_the_smallest_set_of_settings():
    """TR, BTS and BTINT are no part of it: TR and BTS are set in what passed too, BTINT differs."""
    (said,) = sentences(off_os_ignored())
    assert said == (
        "branch records too many: 46, all FROM ring 0, only with BTS_OFF_OS = 1, BTS_OFF_USR = 0"
        " (2 results of 1 test)"
    )


def test_a_setting_under_which_something_passed_is_narrowed():
    failing = {name: said for name, said in off_os_ignored().items() if name.endswith("btint1")}
    (said,) = sentences(failing)
    assert "(table17_6.encodings.tr1_bts1_bts_off_os1_bts_off_usr0_btint1)" in said
    for words in ("BTS_OFF_OS = 1", "BTS_OFF_USR = 0", "BTINT = 1"):
        assert words in said


def test_a_setting_that_some_failures_do_not_have_is_no_condition():
    failing = off_os_ignored() | {f"{TABLE}.{SETTINGS[0]}": [extra(), "# claims: T17-6.3"]}
    (said,) = sentences(failing)
    assert "BTS_OFF_OS" not in said and "BTS_OFF_USR = 0" in said


def test_rings_that_differ_are_told_as_a_share_or_not_at_all():
    """Addresses of the upper half are the kernel's."""
    name = f"{TABLE}.{SETTINGS[0]}"
    nine = [extra(HIGH + n) for n in range(9)]
    assert "90 % FROM ring 0" in sentences({name: [*nine, extra(0x1000)]})[0]
    assert "FROM" not in sentences({name: [*nine[:2], extra(0x1000), extra(0x1004)]})[0]
    assert "all FROM above ring 0" in sentences({name: [extra(0x1000), extra(0x1004)]})[0]


def test_the_kind_of_branch_is_told():
    (said,) = sentences(iret_lost())
    assert said == "branch records missing: 4, of IRET (2 results of 1 test)"
    kinds = ("IRET", "SYSCALL", "far JMP")
    trace = "# trace: 0 = 0x7 0x8 0x0 3>3 JMP"
    failing = {f"{KINDS}.{BRANCHES[0]}": [trace, *(missing(kind) for kind in kinds)]}
    (said,) = sentences(failing)
    assert "of far transfers (IRET, SYSCALL, far JMP)" in said


@pytest.mark.parametrize(
    "line, said",
    [
        ('x9, 8 of them where kind="RET, JMP and 3 more": 0 right there', ": 4, of RET, JMP ("),
        ("x9, all where BTS_OFF_OS=1: 0 right there; there too from=0", ": 4, often from a ("),
    ],
)
def test_the_kernels_sum_decides_which_kinds_of_branch_are_told(line, said):
    """It counts every check; the log names the first of many alone."""
    head = f"# broken: record.missing {line}\n"
    (cause,) = diagnose(log_of(iret_lost(), head=head)).causes
    assert said in cause.sentence()


def test_kinds_are_not_told_where_no_other_was_recorded():
    failing = {f"{KINDS}.{BRANCHES[0]}": [missing(kind) for kind in ("IRET", "JMP", "CALL")]}
    assert " of " not in sentences(failing)[0].partition(" (")[0]


def test_a_record_too_many_has_the_kind_that_a_trace_gives_its_address():
    trace = [f"# trace: {n} - 0x{HIGH + n:x} 0x10 - 0>0 RET" for n in range(3)]
    other = "# trace: 3 = 0x7 0x8 0x0 3>3 JMP"
    failing = {f"{TABLE}.{SETTINGS[0]}": [*trace, other, *(extra(HIGH + n) for n in range(3))]}
    assert "of RET" in sentences(failing)[0]


def test_records_that_only_moved_are_not_held_against_the_processor():
    """A buffer that wrapped elsewhere has good records missing here and too many there."""
    shifted = [
        "# 7 records expected, 7 got; number, expected | got:",
        missing("JMP"),
        extra(0x1000),
    ]
    failing = iret_lost() | {f"{TABLE}.{SETTINGS[0]}": shifted}
    said = sentences(failing)
    assert said[0] == "branch records missing: 4, of IRET (2 results of 1 test)"
    separate = ["# 7 records expected, 6 got; number, expected | got:", missing("JMP")]
    separate += ["# 7 records expected, 8 got; number, expected | got:", extra(0x1000)]
    (first, *_) = sentences(iret_lost() | {f"{TABLE}.{SETTINGS[0]}": separate})
    assert first.startswith("branch records missing: 5, of IRET, JMP")


def test_values_are_told_where_they_are_alike():
    (said,) = sentences(general_dead())
    assert said == (
        "counts too low: 2, at 'the count' x2, all 0 instead of 20, only with general"
        " counters (2 results of 1 test)"
    )
    lines = [value("index", n, n + 1, f"place {n}") for n in (4, 7)]
    said = sentences({f"{COUNTING}.fixed0_48_bits": lines})[0]
    assert "all 1 too high" in said and "at 'place …' x2" in said


def test_circumstances_of_all_findings_are_told():
    name, smi = f"{TABLE}.{SETTINGS[0]}", " under=crossing,smi"
    said = sentences({name: [extra(0x1000, under=smi), extra(0x1004, under=" under=smi")]})[0]
    assert "all with an SMI asked for" in said and "ring changes" not in said


def test_causes_come_in_the_order_of_what_they_explain():
    """What no failure has alone is no cause of its own."""
    both = off_os_ignored() | general_dead() | iret_lost()
    for said in both.values():
        said.insert(0, "# finding: stray-write")
    kinds = [cause.kind for cause in diagnose(log_of(both)).causes]
    assert kinds == ["stray-write"]
    for said in [*general_dead(), *iret_lost()]:
        both[said].remove("# finding: stray-write")
    kinds = [cause.kind for cause in diagnose(log_of(both)).causes]
    assert kinds[0] == "record.extra" and set(kinds[1:]) == {"record.missing", "count.low"}


def test_a_failure_without_a_finding_is_one():
    (said,) = sentences({f"{TABLE}.{SETTINGS[0]}": ["# it did not end"]})
    assert said.startswith("failures without a finding: 1, only with ")


def test_claims_are_ranked_by_what_they_explain():
    failing = off_os_ignored() | iret_lost() | general_dead()
    failing[f"{TABLE}.{SETTINGS[0]}"] = [missing(), "# claims: BTS-1 BTS-8"]
    ranked = rank_claims(read_cases(log_of(failing)))
    assert ranked[0] == ("BTS-1", 3) and ("BTS-8", 0) == ranked[-1]
    assert {claim for claim, number in ranked if number} == {"BTS-1", "PM-1", "T17-6.4", "T17-6.8"}
    lines = diagnose(log_of(failing)).lines()
    assert any(line.startswith("claim BTS-1 (3 of 7 failures): a record for ev") for line in lines)
    assert "may follow from it: BTS-8" in [line.replace("T17-6.8 ", "") for line in lines]


def test_a_claim_named_alone_and_in_many_tests_counts_more():
    parts = {f"{TABLE}.{name}": [extra(), "# claims: T17-6.3"] for name in SETTINGS[:4]}
    several = {f"{KINDS}.{name}": [extra(), "# claims: DS-1 BTS-1"] for name in BRANCHES[:5]}
    ranked = rank_claims(read_cases(log_of(parts | several)))
    assert ranked == [("T17-6.3", 4), ("DS-1", 5), ("BTS-1", 0)]
    wider = {f"{name}.x": ["one"] for name in "abc"}
    failing = parts | {f"{name}.x.one": [extra(), "# claims: PM-2"] for name in "abc"}
    ranked = rank_claims(read_cases(log_of(failing, tests=TESTS | wider)))
    assert ranked == [("PM-2", 3), ("T17-6.3", 4)], "three tests, one test with four parts"


def test_places_are_named_where_nothing_else_is_alike():
    name = f"{TABLE}.{SETTINGS[0]}"
    both = [extra(HIGH), extra(0x1000), extra(HIGH + 1), extra(0x1001)]
    assert "often from a " in sentences({name: both})[0].replace(",", " ")
    assert "often from" not in sentences({name: both[:1] * 4})[0]


def test_a_claim_that_the_table_does_not_know_has_no_text():
    failing = {f"{TABLE}.{SETTINGS[0]}": [extra(), "# claims: NEW-1"]}
    assert diagnose(log_of(failing)).claims == [("NEW-1", 1, "")]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("t.a.tr1_bts0_btint1", {"TR": "1", "BTS": "0", "BTINT": "1"}),
        ("t.a.off_os0_off_usr1", {"BTS_OFF_OS": "0", "BTS_OFF_USR": "1"}),
        (
            "t.kinds_of_one_ring.user_jmp_bts_off_usr_btint0",
            {"BTS_OFF_OS": "0", "BTS_OFF_USR": "1", "BTINT": "0", "programs in ring": "3"},
        ),
        ("t.a.pmc12_48_bits", {"counter": "PMC12", "sort": "general counters"}),
        ("t.a.fixed1", {"counter": "fixed 1", "sort": "fixed counters"}),
        (
            "t@E2.a.timer_in_ring3",
            {"processor": "E2", "interrupts by": "timer", "programs in ring": "3"},
        ),
        ("t.a.processor_1", {"processor": "1"}),
        ("t.comes_in_ring_3", {"programs in ring": "3"}),
        ("t.a.btf1_lbr0", {"BTF": "1", "LBR": "0"}),
        ("t.a.bytes", {}),
    ],
)
def test_settings_are_read_from_names(name, settings):
    assert settings_of(name) == settings


def test_a_number_of_debugctl_has_all_bits():
    found = settings_of("t.a.timer_debugctl_240")
    assert {bit for bit in BITS if found[bit] == "1"} == {"TR", "BTS_OFF_OS"}


def test_one_test_alone_is_no_evidence_of_what_it_has_in_common_with_itself():
    """Nothing else of it passed, and other tests pass either way."""
    failed = [f"a.in_ring_3.part{n}" for n in range(9)]
    passed = [f"b.t{n}.kernel_x" for n in range(9)] + [f"b.t{n}.user_x" for n in range(9)]
    assert common_conditions(failed, passed) == []
    many = [f"a.t{n}.user_x" for n in range(9)]
    assert [str(each) for each in common_conditions(many, passed)] == ["programs in ring 3"]


def test_every_kind_and_circumstance_has_words():
    text = (ROOT / "kernel/report/findings.def").read_text(encoding="utf-8")
    assert set(WORDS) == set(re.findall(r'^FINDING\(\w+, "([^"]+)"', text, re.M))
    assert set(CIRCUMSTANCES) <= set(re.findall(r'^CIRCUMSTANCE\(\w+, "([^"]+)"', text, re.M))


def test_the_judgement_begins_with_what_is_broken_and_is_short():
    out = io.StringIO()
    print_judgement(judged(off_os_ignored() | iret_lost() | general_dead()), out=out)
    lines = out.getvalue().splitlines()
    assert lines[1].startswith("  broken: branch records too many: 46") and len(lines) <= 25
    assert "user_jcc" not in out.getvalue(), "what passed, or is named by chance"
    assert "as with" not in out.getvalue(), "there is no dictionary here"
