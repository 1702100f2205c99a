# SPDX-License-Identifier: GPL-2.0-or-later
"""A PASS says what it did not check: the lines of the log, and what the lab makes of them."""

import pytest
from log_notes import Coverage, Group, other_places, read_coverage
from claim_table import load_claims
from judge import Status
from judgement_text import GROUPS_SHOWN, UNKNOWN
from test_findings import log_of, shown
from judge_logs import FAILING, GOOD, LISTED, changed

# What the emulated processor that has everything of its generation still lacks: claims -> why.
OTHER_KINDS = {
    "FRZ-2 FRZ-3 FRZ-4 FRZ-6 FRZ-7": "perfmon version 4 or later: the freeze is the streamlined",
    "ALBR-*": "no architectural LBRs",
    "APEBS-*": "(PEBS record format) = 3, not 15",
    "PEBS-6": "PEBS is on PMC0 to PMC3 alone",
    "PEBS-7": "(PEBS record format) = 3",
    "DS-5": "no lab=machine-check",
}
FIGURE = "# coverage: 3 of 6 claims checked, 1 of them in part"
NOT_CHECKED = """\
# not checked: PEBS-* (no PEBS (F1.2))
# not checked: DS-4 (smi=allow was not given)
"""
SAID = f"""\
{FIGURE}
{NOT_CHECKED}# checked in part: BTS-1 (no AVX)
# totals:"""


def with_lines(said, text=GOOD):
    return changed(("# totals:", said), text=text)


def test_coverage_is_read():
    assert read_coverage(log_of(with_lines(SAID), "PASS")) == Coverage(
        claims=6,
        checked=3,
        in_part=1,
        not_checked=[Group("PEBS-*", "no PEBS (F1.2)"), Group("DS-4", "smi=allow was not given")],
        partly=[Group("BTS-1", "no AVX")],
    )
    whole = read_coverage(
        log_of(with_lines("# coverage: 6 of 6 claims checked\n# totals:"), "PASS")
    )
    assert whole == Coverage(claims=6, checked=6)


@pytest.mark.parametrize(
    "lie",
    [
        ("3 of 6", "7 of 6"),
        ("3 of 6", "6 of 6"),
        ("3 of 6", "0 of 6"),
        (", 1 of them in part", ""),
        ("# checked in part: BTS-1 (no AVX)\n", ""),
        (NOT_CHECKED, ""),
        (FIGURE + "\n", ""),
        (FIGURE, FIGURE[:-3]),
    ],
)
def test_a_figure_that_cannot_be_is_none(lie):
    """A line was lost or changed: the log does not say, and a pass says so."""
    text = with_lines(SAID.replace(*lie))
    assert read_coverage(log_of(text, "PASS")) is None
    assert UNKNOWN in shown(text, "PASS").splitlines()[0]


def test_verdict_says_what_was_not_checked():
    first, *rest = shown(with_lines(SAID), "PASS").splitlines()
    assert first.endswith("; 3 of 6 claims checked")
    assert "  not checked: PEBS-* (no PEBS (F1.2))" in rest
    assert "  not checked: DS-4 (smi=allow was not given)" in rest
    assert not any("BTS-1" in line for line in rest)
    first, *rest = shown(with_lines(SAID, FAILING)).splitlines()
    assert first.endswith("; 3 of 6 claims checked")
    assert not any("not checked" in line for line in rest)


def test_many_groups_are_counted():
    groups = "".join(f"# not checked: DS-{i} (reason {i})\n" for i in range(GROUPS_SHOWN + 2))
    said = shown(with_lines(f"# coverage: 1 of 9 claims checked\n{groups}# totals:"), "PASS")
    assert said.count("  not checked: DS-") == GROUPS_SHOWN
    assert "for 2 other reasons" in said


ELSEWHERE = """\
# coverage@E2: 2 of 3 claims checked
# not checked@E2: DS-7 (no DTES64)
# totals:"""


def on_two_kinds(said, text=GOOD):
    """The second suite is the first one's of another processor."""
    return with_lines(said, text.replace("table17_6", "probe@E2"))


def test_each_kind_of_processor_has_its_own():
    text = on_two_kinds(SAID.replace("# totals:", ELSEWHERE))
    log = log_of(text, "PASS")
    assert other_places(log) == ["E2"] and other_places(log_of(GOOD, "PASS")) == []
    assert read_coverage(log).claims == 6
    assert read_coverage(log, "E2") == Coverage(
        claims=3, checked=2, not_checked=[Group("DS-7", "no DTES64")]
    )
    first, *rest = shown(text, "PASS").splitlines()
    assert first.endswith("; 3 of 6 claims checked")
    assert "  on E2: 2 of 3 claims checked" in rest
    assert "  not checked on E2: DS-7 (no DTES64)" in rest


def test_a_kind_that_does_not_say_what_was_checked():
    assert f"  on E2: {UNKNOWN}" in shown(on_two_kinds(SAID), "PASS").splitlines()


def test_a_list_claims_nothing():
    assert "claims" not in shown(LISTED, "LISTED") and UNKNOWN not in shown(LISTED, "LISTED")


def test_every_claim_of_this_processor_is_checked(boot_machine, emulator):
    """On the emulated processor that has everything only what its kind lacks is left."""
    boot = boot_machine(qemu=emulator, command_line="lab=none")
    assert boot.judgement.status == Status.PASS, boot.explain()
    coverage = read_coverage(boot.judgement.log)
    assert coverage.claims == len(load_claims()), "a claim that no test names, or too many of them"
    left = {group.claims: group.reason for group in coverage.not_checked}
    assert set(left) == set(OTHER_KINDS), left
    assert all(why in left[claims] for claims, why in OTHER_KINDS.items()), left


@pytest.mark.parametrize(
    ("fields", "claims", "reason"),
    [
        (
            {"profile": "no-ds-cpl", "command_line": "test=table17_6"},
            "T17-6.4 T17-6.5 T17-6.6 T17-6.8 T17-6.9",
            "CPUID.01H:ECX[4].DS-CPL = 0",
        ),
        (
            {"profile": "no-pebs", "command_line": "test=pebs,circular"},
            "PEBS-*",
            "PEBS_UNAVAILABLE",
        ),
        (
            {"variation": "hypervisor=off", "command_line": "exit=qemu test=smm,circular"},
            "DS-4",
            "smi=allow permits it",
        ),
    ],
)
def test_what_a_processor_lacks_is_named(boot_machine, emulator, fields, claims, reason):
    boot = boot_machine(qemu=emulator, **fields)
    assert boot.judgement.status == Status.PASS, boot.explain()
    coverage = read_coverage(boot.judgement.log)
    found = [each.reason for each in coverage.not_checked if f" {claims} " in f" {each.claims} "]
    assert found and reason in found[0], coverage
    assert any(group.reason == "not selected" for group in coverage.not_checked), coverage
