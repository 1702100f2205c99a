# SPDX-License-Identifier: GPL-2.0-or-later
"""The matrix judges faults and healthy processors; a small part of it is run for real."""

import fcntl
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT
from judge import Status, judge
from machine import LabError, load_profiles
from test_judge import CRASHED, EXIT, FAILING, GOOD, SKIPPED, changed, raw

sys.path.insert(0, str(ROOT / "tools/calibration"))

import plan  # noqa: E402
from claims import load_claims  # noqa: E402
from declarations import Declaration  # noqa: E402
from outcome import Outcome, beyond, judge_fault, judge_healthy, read_outcome  # noqa: E402
from runs import Laboratory  # noqa: E402
from silicon import Fault, Variation, applicable_faults, load_faults, load_variations  # noqa: E402
from summary import build_result, is_good, print_summary  # noqa: E402

MATRIX = str(ROOT / "tools/matrix")
PROFILES = {name: {"cpu": f"model-{name}"} for name in ("skylake", "haswell", "no-ds")}
VARIATIONS = {
    "wrap": Variation("wrap", ("lazy", "eager"), ""),
    "late": Variation("late", ("0", "1", "3"), ""),
}
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
        (["X-1"], GOOD, 0, "caught elsewhere"),
        (["X-1"], GOOD[:200], 0, "caught elsewhere"),
    ],
)
def test_verdict_on_a_fault(claims, text, exit_code, verdict):
    assert judge_fault(a_fault(*claims), outcome_of(text, exit_code)) == verdict


def test_claims_are_those_that_the_failures_name():
    text = changed(
        ("    not ok 2 tr1_bts1", "    # claims: X-5\n    # breaks X-6\n    not ok 2 tr1_bts1"),
        text=BROKEN,
    )
    outcome = outcome_of(text, EXIT["FAIL"])
    assert outcome.broken == ["X-1", "X-2", "X-5", "X-6"]
    assert outcome.failed == ["table17_6.encodings"]


def test_crash_breaks_the_claims_of_the_test_it_came_in():
    text = GOOD[: GOOD.index("    ok 1 tr0")]
    text += "# test: table17_6.encodings, subtest tr0_bts0\nBail out! unexpected #GP\n"
    text += "# totals: planned=3 run=3 pass=0 fail=0 skip=0 xfail=0\n# verdict: CRASH\n"
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
    assert judge_fault(a_fault("X-1"), beyond(crashed, healthy)) == "caught elsewhere"


def test_healthy_processor_that_fails_is_a_false_alarm():
    assert judge_healthy(outcome_of(GOOD, EXIT["PASS"])) == "healthy"
    assert judge_healthy(outcome_of(BROKEN, EXIT["FAIL"])) == "false alarm"
    assert judge_healthy(outcome_of(GOOD, 0)) == "false alarm"


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


def test_variations_alone_and_at_random():
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
    mixed = plan.random_cases(PROFILES, slow, 9, 7)
    assert not any(plan.SLOW & set(case.properties) for case in mixed)
    some = plan.random_cases(PROFILES, VARIATIONS, 20, 7)
    assert some == plan.random_cases(PROFILES, VARIATIONS, 20, 7)
    assert some != plan.random_cases(PROFILES, VARIATIONS, 20, 8)
    assert all(len(case.properties) == len(VARIATIONS) for case in some)
    assert {case.profile for case in some} == set(PROFILES)


def test_processor_on_the_command_line():
    case = plan.Case("skylake", (("wrap", "eager"),), "broken", 5)
    assert case.cpu(PROFILES) == "model-skylake,x-ds-wrap=eager,x-ds-fault=broken:1/5"
    assert plan.matching([case], ["skylake,*"]) == [case] == plan.matching([case], ["bro*"])
    assert plan.matching([case], ["haswell*"]) == []
    assert plan.unmatched([case], ["haswell*", "bro*", "broken2"]) == ["haswell*", "broken2"]


FAKE = """\
#!/usr/bin/python3
import os, re, sys
words = " ".join(sys.argv)
open({count!r}, "a").write(words + "\\n")
if "x-ds-fault=refused" in words:
    sys.exit("no fault has this name")
name, code = ({good!r}, 33) if "x-ds-fault=" not in words else ({bad!r}, 35)
open(re.search(r"file,path=(\\S+),id=com1", words)[1], "ab").write(open(name, "rb").read())
sys.exit(code)
"""


@pytest.fixture
def laboratory(tmp_path):
    """A laboratory whose emulator passes without a fault and fails with one."""
    names = {name: str(tmp_path / name) for name in ("good", "bad", "count")}
    (tmp_path / "good").write_bytes(raw(GOOD))
    (tmp_path / "bad").write_bytes(raw(BROKEN))
    fake = tmp_path / "qemu"
    fake.write_text(FAKE.format(**names))
    fake.chmod(0o755)
    (tmp_path / "image.iso").touch()
    return Laboratory(
        qemu=str(fake),
        iso=tmp_path / "image.iso",
        elf=tmp_path / "image.iso",
        profiles=PROFILES,
        tests=TESTS,
        folder=tmp_path / "runs",
    )


def boots(laboratory):
    log = laboratory.folder.parent / "count"
    return log.read_text().splitlines() if log.exists() else []


def test_what_was_booted_is_not_booted_again(laboratory):
    cases = plan.plain_cases(PROFILES)
    work = {case: lambda case=case: laboratory.run(case) for case in cases}
    first = laboratory.run_all(work, lambda case, outcome: None)
    assert len(boots(laboratory)) == len(PROFILES)
    assert laboratory.run_all(work, lambda case, outcome: None) == first
    assert len(boots(laboratory)) == len(PROFILES)
    laboratory.arguments = "repeat=2"
    laboratory.run(cases[0])
    assert len(boots(laboratory)) == len(PROFILES) + 1
    laboratory.fresh = True
    laboratory.run(cases[0])
    assert len(boots(laboratory)) == len(PROFILES) + 2


@pytest.mark.parametrize("changed_file", ["image.iso", "kernel.elf", "judge.py"])
def test_results_of_another_kernel_or_judge_are_booted_again(
    laboratory, tmp_path, monkeypatch, changed_file
):
    path = tmp_path / changed_file
    path.write_text("one")
    monkeypatch.setattr("runs.JUDGES", [tmp_path / "judge.py"])
    (tmp_path / "judge.py").touch()
    (tmp_path / "kernel.elf").touch()

    def run():
        replace(laboratory, elf=tmp_path / "kernel.elf").run(plan.Case("skylake"))
        return len(boots(laboratory)), sorted(laboratory.folder.iterdir())

    first = run()
    assert run() == first
    path.write_text("other")
    number, files = run()
    assert number == first[0] + 1
    assert len(files) == len(first[1]) == 2 and not set(files) & set(first[1])


def test_two_at_once_are_refused(run_matrix, tmp_path):
    with open(tmp_path / "lock", "w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        answer = run_matrix()
    assert answer.returncode == 2
    assert "another matrix works in" in answer.stderr


@pytest.mark.parametrize(
    ("text", "code", "kept"),
    [
        (GOOD, 33, True),
        (BROKEN, 35, True),
        (SKIPPED, 41, True),
        (CRASHED, 39, True),
        (CRASHED, 0, False),
        (GOOD[:200], 0, False),
        (GOOD, 0, False),
    ],
)
def test_only_what_the_kernel_itself_ended_is_kept(laboratory, text, code, kept):
    (laboratory.folder.parent / "good").write_bytes(raw(text))
    fake = Path(laboratory.qemu)
    fake.write_text(fake.read_text().replace(", 33)", f", {code})"))
    for _ in range(2):
        laboratory.run(plan.Case("skylake"))
    assert len(boots(laboratory)) == (1 if kept else 2)


def test_timeout_of_a_busy_host_is_not_kept(laboratory):
    laboratory.limits.silence = 0.5
    fake = Path(laboratory.qemu)
    fake.write_text(fake.read_text().replace("sys.exit(code)", "import time; time.sleep(30)"))
    for _ in range(2):
        assert laboratory.run(plan.Case("skylake")).status == "TIMEOUT"
    assert len(boots(laboratory)) == 2


def test_interrupt_ends_what_runs_and_keeps_nothing(laboratory):
    """The third case interrupts while the others run."""
    fake = Path(laboratory.qemu)
    fake.write_text(fake.read_text().replace("sys.exit(code)", "import time; time.sleep(30)"))
    cases = plan.plain_cases(PROFILES)
    laboratory.jobs = len(cases)

    def interrupt():
        while len(boots(laboratory)) < len(cases) - 1:
            time.sleep(0.05)
        raise KeyboardInterrupt

    work = {case: lambda case=case: laboratory.run(case) for case in cases[:-1]}
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        laboratory.run_all({**work, cases[-1]: interrupt}, lambda case, outcome: None)
    assert time.monotonic() - start < 20
    assert not list(laboratory.folder.glob("*.json"))


def test_only_the_tests_of_the_claim_run_where_they_suffice(laboratory):
    case = plan.Case("skylake", fault="broken")
    healthy = laboratory.run(plan.Case("skylake"))
    (laboratory.folder.parent / "count").unlink()
    laboratory.run_fault(case, a_fault("X-1"), healthy)
    (line,) = boots(laboratory)
    assert "btscheck:test=table17_6.encodings" in line
    laboratory.run_fault(case, a_fault("X-9"), healthy)
    assert "test=" not in boots(laboratory)[-1]


def test_emulator_that_refuses_is_no_fault_that_was_caught(laboratory):
    with pytest.raises(LabError, match="no fault has this name"):
        laboratory.run(plan.Case("skylake", fault="refused"))


def a_result(laboratory, *faults):
    faults = {fault.name: fault for fault in faults}
    plain = {case: laboratory.run(case) for case in plan.plain_cases(PROFILES)}
    healthy = laboratory.run(plan.Case("no-ds"))
    cases = plan.fault_cases(faults, {name: {"broken"} for name in ("skylake", "haswell")})
    found = {case: laboratory.run_fault(case, faults[case.fault], healthy) for case in cases}
    return build_result(faults, found, plain, 1.5, {})


def test_result_for_the_coverage_table(laboratory, capsys):
    result = a_result(laboratory, a_fault("X-1", errata=["E1"]))
    assert is_good(result)
    (row,) = result["faults"]
    assert (row["verdict"], row["claims"], row["errata"]) == ("caught", ["X-1"], ["E1"])
    assert row["broken"] == ["X-1", "X-2"] and len(row["runs"]) == 2
    print_summary(json.loads(json.dumps(result)), sys.stdout)
    text = capsys.readouterr().out
    assert "faults: 1 on 2 processors: 1 caught, 0 caught elsewhere, 0 missed" in text
    assert "healthy processors: 3: 3 pass, 0 false alarms" in text


def test_a_miss_and_a_false_alarm_are_told(laboratory, capsys):
    result = a_result(laboratory, a_fault("X-9"))
    assert is_good(result) and result["faults"][0]["verdict"] == "caught elsewhere"
    (laboratory.folder.parent / "bad").write_bytes(raw(GOOD))
    laboratory.fresh = True
    fake = laboratory.folder.parent / "qemu"
    fake.write_text(fake.read_text().replace(", 35)", ", 33)"))
    missed = a_result(laboratory, a_fault("X-1"))
    assert not is_good(missed)
    (laboratory.folder.parent / "good").write_bytes(raw(GOOD[:200]))
    alarm = a_result(laboratory, a_fault("X-1"))
    assert {row["verdict"] for row in alarm["healthy"]} == {"false alarm"}
    print_summary(alarm, sys.stdout)
    text = capsys.readouterr().out
    assert "missed: broken (X-1)" in text and "false alarm: no-ds: DISAGREE" in text


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


@pytest.mark.parametrize("options", [["--elf", "/nonexistent"], ["--iso", "/nonexistent"]])
def test_what_is_not_there_is_told(options, iso):
    elf = ["--elf", str(iso.with_suffix(".elf"))]
    command = [MATRIX, *elf, *options, "--qemu", "/bin/true"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2, answer.stderr
    assert answer.stderr.startswith("matrix: ") and "Traceback" not in answer.stderr


@pytest.fixture
def run_matrix(iso, laboratory, tmp_path):
    """run_matrix(options): the whole program, with the fake emulator."""
    head = "KTAP version 1\n# signature: 06_5EH stepping 3"
    for name, text in (("good", GOOD), ("bad", BROKEN)):
        (tmp_path / name).write_bytes(raw(text.replace("KTAP version 1", head, 1)))

    def run(*options):
        command = [MATRIX, "--qemu", laboratory.qemu, "--output", str(tmp_path / "result.json")]
        command += ["--iso", str(iso), "--elf", str(iso.with_suffix(".elf")), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)

    return run


def test_only_what_there_is(run_matrix, tmp_path):
    """A typing error leaves the last result alone."""
    good = run_matrix("--only", "skylake,wrap=*")
    assert good.returncode == 0, good.stdout + good.stderr
    kept = (tmp_path / "result.json").read_bytes()
    bad = run_matrix("--only", "skylake,wrap=*", "--only", "skylake,warp=*")
    assert bad.returncode == 2
    assert "--only skylake,warp=* matches no case" in bad.stderr
    assert (tmp_path / "result.json").read_bytes() == kept


@pytest.mark.timeout(600)
def test_a_part_of_the_matrix(iso, emulator, tmp_path):
    """Processors of every kind of fault, and healthy ones; nothing missed, no false alarm."""
    command = [MATRIX, "--smoke", "--qemu", emulator, "--jobs", "2"]
    command += ["--iso", str(iso), "--elf", str(iso.with_suffix(".elf"))]
    command += ["--output", str(tmp_path / "matrix/result.json")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    result = json.loads((tmp_path / "matrix/result.json").read_text())
    assert len(result["faults"]) >= 10 and len(result["healthy"]) >= 6
