# SPDX-License-Identifier: GPL-2.0-or-later
"""The matrix judges faults and healthy processors; a small part of it is run for real."""

import fnmatch
import io
import json
import sys

import pytest
from changed import head
from conftest import ROOT, execute
from judge import Status, judge
from machine import LabError, load_profiles
from judge_logs import EXIT, FAILING, GOOD, TO_BE_COUNTED, changed, raw

sys.path.insert(0, str(ROOT / "tools/trust"))

import plan  # noqa: E402
import silicon  # noqa: E402
from claim_table import load_claims  # noqa: E402
from declarations import Declaration  # noqa: E402
from outcome import Outcome, beyond, judge_fault, judge_healthy, read_outcome, worst  # noqa: E402
from silicon import (  # noqa: E402
    Erratum,
    Fault,
    Variation,
    applicable_faults,
    hidden_by,
    load_faults,
    load_variations,
    own_errata,
)
from summary import errata_rows, is_good, print_errata  # noqa: E402

MATRIX = str(ROOT / "tools/matrix")
PROFILES = {name: {"cpu": f"model-{name}"} for name in ("skylake", "haswell", "no-ds")}
VARIATIONS = {
    "wrap": Variation("wrap", ("lazy", "eager"), ""),
    "late": Variation("late", ("0", "1", "3"), ""),
}
PLAIN = plan.Case("skylake")
TESTS = {"table17_6.encodings": Declaration("table17_6", "encodings", ("X-1",), (), False, "f", 1)}
BROKEN = changed(("# totals:", "# broken claims: X-1 X-2\n# totals:"), text=FAILING)


def a_fault(*claims, errata=()):
    return Fault("broken", claims, errata, "breaks")


def outcome_of(text, exit_code):
    return read_outcome(judge(raw(text), exit_code), TESTS)


@pytest.mark.parametrize(
    ("claims", "text", "exit_code", "verdict"),
    [
        (["X-2"], BROKEN, EXIT["FAIL"], "caught"),
        (["X-3", "X-1"], BROKEN, EXIT["FAIL"], "caught"),
        (["X-3"], BROKEN, EXIT["FAIL"], "caught elsewhere"),
        ([], BROKEN, EXIT["FAIL"], "caught"),
        (["X-1"], GOOD, EXIT["PASS"], "missed"),
        (["X-1"], GOOD, 0, "broke off"),
        (["X-1"], GOOD[:200], 0, "broke off"),
        ([], GOOD[:200], 0, "broke off"),
        ([], BROKEN, 0, "caught"),
        (["X-1"], BROKEN, 0, "caught"),
        (["X-3"], BROKEN, 0, "caught elsewhere"),
    ],
)
def test_verdict_on_a_fault(claims, text, exit_code, verdict):
    assert judge_fault(a_fault(*claims), outcome_of(text, exit_code)) == verdict


def test_worst_verdict_among_processors_counts():
    assert worst(["caught", "caught elsewhere"]) == "caught elsewhere"
    assert worst(["broke off", "caught", "caught elsewhere"]) == "broke off"
    assert worst(["broke off", "missed", "caught"]) == "missed"


@pytest.mark.parametrize("verdict", ["caught elsewhere", "broke off", "missed"])
def test_only_what_was_caught_is_good(verdict):
    caught, other = {"verdict": "caught"}, {"verdict": verdict}
    assert is_good({"faults": [caught], "healthy": []})
    assert not is_good({"faults": [caught, other], "healthy": []})


def test_claims_are_those_that_the_failures_name():
    text = changed(
        ("    not ok 2 tr1_bts1", "    # claims: X-5\n    # breaks X-6\n    not ok 2 tr1_bts1"),
        text=BROKEN,
    )
    outcome = outcome_of(text, EXIT["FAIL"])
    assert outcome.broken == ["X-1", "X-2", "X-5", "X-6"]
    assert outcome.failed == ["table17_6.encodings"]


def test_claims_before_an_xfail_are_not_broken():
    text = changed(
        ("    ok 1 tr0_bts0", "    # claims: X-4\n    ok 1 tr0_bts0 # XFAIL HSD53"), text=BROKEN
    )
    outcome = outcome_of(text, EXIT["FAIL"])
    assert (outcome.status, outcome.broken) == ("FAIL", ["X-1", "X-2"])
    assert judge_fault(a_fault("X-4"), outcome) == "caught elsewhere"


def test_crash_breaks_the_claims_of_the_test_it_came_in():
    text = GOOD[: GOOD.index("    ok 1 tr0")]
    text += "# test: table17_6.encodings, subtest tr0_bts0\nBail out! unexpected #GP\n"
    text += "# totals: planned=3 run=3 pass=0 fail=0 skip=0 xfail=0 timeout=0\n"
    text += f"{TO_BE_COUNTED}\n# verdict: CRASH\n"
    outcome = outcome_of(text, EXIT["CRASH"])
    assert outcome.status == "CRASH"
    assert outcome.broken == ["X-1"]
    assert judge_fault(a_fault("X-1"), outcome) == "caught"


def test_what_fails_without_the_fault_too_proves_nothing():
    healthy, worse = outcome_of(BROKEN, EXIT["FAIL"]), outcome_of(BROKEN, EXIT["FAIL"])
    assert judge_fault(a_fault("X-1"), beyond(worse, healthy)) == "missed"
    worse.failed.append("another.test")
    worse.broken.append("X-4")
    assert judge_fault(a_fault("X-1"), beyond(worse, healthy)) == "caught elsewhere"
    assert judge_fault(a_fault("X-4"), beyond(worse, healthy)) == "caught"
    crashed = outcome_of(GOOD[:200], 0)
    assert judge_fault(a_fault("X-1"), beyond(crashed, healthy)) == "broke off"


def test_healthy_processor_that_fails_is_a_false_alarm():
    assert judge_healthy(PLAIN, outcome_of(GOOD, EXIT["PASS"])) == "healthy"
    assert judge_healthy(PLAIN, outcome_of(BROKEN, EXIT["FAIL"])) == "false alarm"
    assert judge_healthy(PLAIN, outcome_of(GOOD, 0)) == "false alarm"


SANDY_BRIDGE = {"signature": "06_2AH stepping 7 (CPUID.01H:EAX = 0x000206a7)"}
HEADER = {"signature": "06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3)"}


def test_what_a_processor_can_show():
    cpu = load_profiles()["skylake"]["cpu"]
    skylake = applicable_faults(cpu, HEADER)
    assert skylake >= {"off-os-ignored", "ctr-frz-hidden", "pebs-no-reload", "lbr-top-stuck"}
    assert not skylake & {"off-bits-extra", "global-ctrl-kept", "ctr-frz-misses-upper"}
    without = applicable_faults(cpu.replace("+ds-cpl,", ""), HEADER)
    assert "off-bits-extra" in without and "off-os-ignored" not in without
    legacy = applicable_faults(cpu.replace("version=4", "version=3"), HEADER)
    assert "global-ctrl-kept" in legacy and "ctr-frz-hidden" not in legacy
    with pytest.raises(LabError, match="family 6"):
        applicable_faults(cpu, {})


def test_what_cannot_be_enumerated_cannot_be_shown():
    """PEBS without its format, TR without the Debug Store."""
    cpu = load_profiles()["skylake"]["cpu"]
    whole = applicable_faults(cpu, HEADER)
    assert {"pebs-overflow-kept", "db-breakpoint-clears-tr"} <= whole
    without = applicable_faults(cpu.replace(",+pdcm", ""), HEADER)
    assert "pebs-overflow-kept" not in without and "off-os-ignored" in without
    assert "pebs-threshold-pmc0-only" in whole - without
    no_ds = applicable_faults(cpu.replace(",+ds,", ","), HEADER)
    assert not no_ds & {"db-breakpoint-clears-tr", "unavailable-writable"}


def test_what_format_0_leaves_open_is_shown_by_the_other_formats():
    cpu = load_profiles()["core2-45nm"]["cpu"]
    header = {"signature": "06_17H stepping 10 (CPUID.01H:EAX = 0x0001067a)"}
    open_there = applicable_faults(cpu.replace("=0x10c2", "=0x11c2"), header)
    assert open_there - applicable_faults(cpu, header) == {"ovfbuf-needs-freeze", "pebs-late"}


def test_what_reduced_skid_makes_legal_is_shown_by_the_others():
    cpu = load_profiles()["goldmont"]["cpu"]
    header = {"signature": "06_5FH stepping 1 (CPUID.01H:EAX = 0x000506f1)"}
    open_there = applicable_faults(cpu.replace(",x-ds-pdist-period=1", ""), header)
    assert open_there - applicable_faults(cpu, header) == {"pebs-early"}


def test_faults_and_open_points_named_by_hand_are_there():
    """A name that has changed would bring a missed fault back, or leave a fault out in silence."""
    faults, variations = load_faults(load_claims()), load_variations()
    named = silicon.FORMAT_0_FAULTS | silicon.DS_FAULTS | silicon.STATUS_FAULTS
    named |= silicon.REDUCED_SKID_FAULTS
    assert named | set(plan.FAULT_OF_CHOICE) <= set(faults)
    assert set(plan.FAULT_OF_CHOICE.values()) | plan.NOT_CONTRARY <= set(variations)


def test_a_fault_like_an_erratum_of_the_processor_is_hidden():
    """By its own name, by the name on another model, and by the fault that the erratum is."""
    faults = load_faults(load_claims())
    skylake = own_errata(load_profiles()["skylake"]["cpu"], HEADER)
    hidden = {name for name, fault in faults.items() if hidden_by(fault, skylake)}
    assert {"pebs-disable-late", "lbr-top-duplicated"} <= hidden
    assert not hidden & {"lbr-top-from-stale", "off-os-ignored", "from-repeated"}


def test_a_fault_that_an_erratum_excuses_is_shown_by_another_processor():
    """Else nothing would show it on a processor that the kernel takes for a board."""
    faults, profiles = load_faults(load_claims()), load_profiles()
    skylake, haswell, bonnell = (
        own_errata(profiles[name]["cpu"], {"signature": signature})
        for name, signature in (
            ("skylake", "06_5EH stepping 3"),
            ("haswell", "06_3CH stepping 3"),
            ("bonnell", "06_1CH stepping 10"),
        )
    )
    effects = {each.effect for each in haswell + bonnell}
    assert set(silicon.EXCUSED) <= effects
    for glob in (glob for globs in silicon.EXCUSED.values() for glob in globs):
        names = fnmatch.filter(faults, glob)
        assert names
        for name in names:
            hidden = [hidden_by(faults[name], errata) for errata in (skylake, haswell, bonnell)]
            assert any(hidden) and not all(hidden)


def test_what_breaks_now_and_then_may_pass_where_no_register_counts_smis():
    faults = load_faults(load_claims())
    penryn = {"signature": "06_17H stepping 10"}
    assert silicon.retried_as_board(faults["bts-freeze-irregular"], penryn)
    assert not silicon.retried_as_board(faults["bts-freeze-irregular"], HEADER)
    assert not silicon.retried_as_board(faults["off-os-ignored"], penryn)


def test_what_errata_a_processor_has():
    """Those of its model, as far as it can show them; what is no fault there is no fault."""
    cpu = load_profiles()["haswell"]["cpu"]
    haswell = {each.name: each for each in own_errata(cpu, {"signature": "06_3CH stepping 3"})}
    assert "HSM54" in haswell["HSD53"].further and "SKL186" not in haswell
    effects = {each.effect for each in haswell.values()}
    assert effects & set(load_faults(load_claims())) and "ler-changes" in effects
    without = own_errata(cpu.replace("+ds,", ""), {"signature": "06_3CH stepping 3"})
    assert {each.name for each in without} < set(haswell)
    assert own_errata(cpu, {"signature": "06_6AH stepping 0"}) != list(haswell.values())


def test_microcode_decides_what_errata_there_are():
    old, new = (
        {each.name for each in own_errata(load_profiles()[name]["cpu"], SANDY_BRIDGE)}
        for name in ("sandybridge-old", "sandybridge")
    )
    assert old - new == {"BJ106"} and new < old


def test_faults_go_where_they_can_be_seen():
    able = {
        "core2": {"any", "legacy"},
        "skylake": {"any"},
        "haswell": {"any", "legacy"},
        "no-ds-cpl": {"any", "extra"},
    }
    assert plan.where("any", able) == ["skylake", "haswell"]
    assert plan.where("legacy", able) == ["haswell"]
    assert plan.where("extra", able) == ["no-ds-cpl"]
    assert plan.where("any", able, everywhere=True) == list(able)
    assert plan.where("none", able) == []


def test_variations_alone():
    alone = [case.name for case in plan.varied_cases(PROFILES, VARIATIONS)]
    assert alone == [
        f"{profile},{change}"
        for change in ("wrap=eager", "late=1", "late=3")
        for profile in ("skylake", "haswell")
    ]
    for name, families in plan.SHOWN_BY.items():
        one = {name: Variation(name, ("off", "on"), "")}
        profiles = dict.fromkeys([*PROFILES, *families])
        assert [case.profile for case in plan.varied_cases(profiles, one)] == list(families)
    slow = {name: Variation(name, ("no", value), "") for name, value in plan.SLOW}
    assert len(plan.varied_cases(PROFILES, slow)) == len(slow)


ABLE = {
    "core2": {"any", "legacy", "rare", "again"},
    "haswell": {"any", "legacy", "again", "third"},
    "skylake": {"any", "again", "third"},
}


BARE = dict.fromkeys(ABLE, plan.BARE)


def test_faults_on_bare_identities():
    """Each fault once, each identity with its share; the same ones for the same seed."""
    faults = {name: Fault(name, (), (), "") for name in ("any", "legacy", "rare", "again", "third")}
    for seed in range(20):
        cases = plan.identity_fault_cases(faults, ABLE, BARE, seed)
        assert sorted(case.fault for case in cases) == sorted(faults)
        assert all(case.fault in ABLE[case.profile] for case in cases)
        shares = [sum(case.profile == name for case in cases) for name in ABLE]
        assert sorted(shares) == [1, 2, 2]
        assert cases == plan.identity_fault_cases(faults, ABLE, BARE, seed)
    chosen = {tuple(plan.identity_fault_cases(faults, ABLE, BARE, seed)) for seed in range(20)}
    assert len(chosen) > 1
    everywhere = plan.identity_fault_cases(faults, ABLE, BARE, 1, everywhere=True)
    assert len(everywhere) == sum(map(len, ABLE.values())) == len(set(everywhere))
    none = {"none": Fault("none", (), (), "")}
    assert plan.identity_fault_cases(none, ABLE, BARE, 1) == []


def test_contrary_identities():
    """Each open point otherwise than the plain processor; what makes another one is left out."""
    ((slow, _),) = plan.SLOW
    (family,) = plan.SHOWN_BY["lbr-with-tr"]
    variations = VARIATIONS | {
        name: Variation(name, ("off", "some", "most"), "")
        for name in ("lbr-with-tr", "lbr-freeze", "lbr-format", slow)
    }
    (case,) = plan.contrary_cases(["skylake"], variations)
    assert case.name == "skylake,wrap=eager,late=3"
    assert dict(plan.contrary(family, variations))["lbr-with-tr"] == "most"
    assert plan.without_choice((("bts-freezes", "off"), ("late", "3")), "bts-freeze-irregular") == (
        ("late", "3"),
    )
    properties = {name: plan.contrary(name, VARIATIONS) for name in ABLE}
    faults = {"any": Fault("any", (), (), "")}
    (broken,) = plan.identity_fault_cases(faults, ABLE, properties, 1)
    assert broken.healthy() in plan.contrary_cases(ABLE, VARIATIONS)


def test_table_with_an_erratum():
    faults = {
        name: Fault(name, claims, (), "")
        for name, claims in (("any", ("T17-6.4",)), ("legacy", ("BTS-1",)), ("rare", ("T17-6.1",)))
    }
    (case,) = plan.table_cases(faults, ABLE)  # no other of the table can be shown there
    assert case.name == "haswell,errata=HSD53:1/30,hypervisor=off,fault=any"
    assert plan.table_cases(faults, {"skylake": {"any"}}) == []


def test_which_errata_were_seen():
    """By whichever of its names; the kernel may know some that the processor was not told of."""
    case, table = plan.bare_cases(["haswell"])
    errata = [Erratum("HSD53", ("HSM54",), "a"), Erratum("HSD1", (), "b"), Erratum("HSD4", (), "c")]
    outcome = Outcome("PASS", [], [], [], excused={"HSM54": 3, "HSD4": 1, "SKL1": 2})
    told = {case: errata, table: [each for each in errata if table.has(each.name)]}
    rows = errata_rows(told, {case: outcome, table: outcome})
    assert [row["unseen"] for row in rows] == [[], ["HSD1"]]
    assert [row["case"] for row in rows] == [table.name, case.name]
    assert rows[1]["seen"] == outcome.excused
    out = io.StringIO()
    print_errata(rows[1], out)
    print_errata({"case": "x", "seen": {}, "unseen": ["HSD1"]}, out)
    print_errata({"case": "y", "seen": {}, "unseen": []}, out)
    assert out.getvalue() == (
        f"errata: {case.name}: seen HSD4 x1 HSM54 x3 SKL1 x2; not seen HSD1\n"
        "errata: x: seen none; not seen HSD1\n"
    )


def test_bare_identity_on_the_command_line():
    case = plan.Case("skylake", plan.BARE, "broken")
    assert case.name == "skylake,errata=own,hypervisor=off,fault=broken"
    assert case.cpu(PROFILES) == "model-skylake,x-ds-errata=own,hypervisor=off,x-ds-fault=broken"
    assert case.command_line() == "exit=qemu smi=allow"
    assert [case.healthy()] == plan.bare_cases(["skylake"])
    assert plan.Case("skylake", (("wrap", "eager"),), "broken").command_line() == ""


def test_processor_on_the_command_line():
    case = plan.Case("skylake", (("wrap", "eager"),), "broken", 5)
    assert case.cpu(PROFILES) == "model-skylake,x-ds-wrap=eager,x-ds-fault=broken:1/5"
    assert plan.matching([case], ["skylake,*"]) == [case] == plan.matching([case], ["bro*"])
    assert plan.matching([case], ["haswell*"]) == []
    assert plan.unmatched([case], ["haswell*", "bro*", "broken2"]) == ["haswell*", "broken2"]


def test_outcome_survives_its_file():
    outcome = outcome_of(BROKEN, EXIT["FAIL"])
    assert Outcome(**json.loads(json.dumps(outcome.as_dict()))) == outcome
    assert outcome.status == Status.FAIL.name


def test_every_fault_breaks_a_claim_of_the_table_or_has_an_erratum():
    claims = load_claims()
    faults, variations = load_faults(claims), load_variations()
    assert len(faults) >= 60 and len(variations) >= 12
    for fault in faults.values():
        assert fault.claims or fault.errata, fault.name
        assert not [name for name in fault.errata if "-" in name], f"{fault}: unknown claim"


@pytest.mark.parametrize(
    "options",
    [
        ["--elf", "/nonexistent"],
        ["--iso", "/nonexistent"],
        ["--qemu", "/nonexistent"],
        ["--qemu", "no-such-qemu"],
        ["--output", "/dev/null/result.json"],
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_told(options, iso):
    elf = ["--elf", str(iso.with_suffix(".elf"))]
    answer = execute(MATRIX, "--qemu", "/bin/true", *elf, *options)
    assert answer.returncode == 2, answer.stderr
    assert answer.stderr.startswith("matrix: ") and "Traceback" not in answer.stderr


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_jobs_are_at_least_one(number):
    answer = execute(MATRIX, "--jobs", number)
    assert answer.returncode == 2
    assert "--jobs" in answer.stderr and "Traceback" not in answer.stderr


@pytest.mark.timeout(1800)
def test_a_part_of_the_matrix(iso, emulator, tmp_path):
    """Processors of every kind of fault, and healthy ones; nothing missed, no false alarm."""
    command = [MATRIX, "--smoke", "--qemu", emulator, "--jobs", "2"]
    command += ["--iso", str(iso), "--elf", str(iso.with_suffix(".elf"))]
    command += ["--output", str(tmp_path / "matrix/result.json")]
    answer = execute(*command)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    result = json.loads((tmp_path / "matrix/result.json").read_text())
    assert len(result["faults"]) >= 10 and len(result["healthy"]) >= 6


DRAWN_FOR = 60  # seconds


@pytest.mark.timeout(900)
def test_faults_that_the_commit_draws(iso, emulator, tmp_path):
    """One at a time, beside another worker's test."""
    seed = int(head(ROOT) or "1", 16) % 10**6
    command = [MATRIX, "--draw", str(DRAWN_FOR), "--seed", str(seed), "--jobs", "1"]
    command += ["--qemu", emulator, "--iso", str(iso), "--elf", str(iso.with_suffix(".elf"))]
    command += ["--output", str(tmp_path / "drawn.json")]
    answer = execute(*command)
    assert answer.returncode == 0, f"seed {seed}\n{answer.stdout}{answer.stderr}"
    assert json.loads((tmp_path / "drawn.json").read_text())["faults"]


@pytest.mark.parametrize(
    "other", [["--smoke"], ["--pairs", "1"], ["--only", "*"], ["--neighbours"]]
)
def test_drawing_stands_alone(other):
    answer = execute(MATRIX, "--draw", "1", *other)
    assert answer.returncode == 2 and "--draw chooses what it boots" in answer.stderr


def test_what_is_drawn_depends_on_the_seed_alone():
    names = [f"fault-{number}" for number in range(100)]
    assert plan.drawn(names, 3) == plan.drawn(reversed(names), 3) != plan.drawn(names, 4)
    assert sorted(plan.drawn(names, 3)) == sorted(names)
