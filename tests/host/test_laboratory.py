# SPDX-License-Identifier: GPL-2.0-or-later
"""Booting the cases of a matrix with a fake emulator: what is kept, what is reported."""

import fcntl
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import plan
import pytest
from conftest import execute, hollow_image
from machine import LabError, load_profiles
from runs import Laboratory
from summary import build_result, is_good, print_summary
from judge_logs import CRASHED, GOOD, SKIPPED, raw
from test_matrix import BROKEN, MATRIX, PROFILES, TESTS, a_fault


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
    hollow_image(tmp_path / "image.iso")
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


def test_none_is_begun_when_time_is_up(laboratory):
    """What runs then ends, and counts."""
    laboratory.jobs = 2
    cases = [plan.Case(str(number)) for number in range(20)]
    told = []

    def slow():
        time.sleep(0.5)
        return "done"

    found = laboratory.run_all(
        dict.fromkeys(cases, slow), lambda case, outcome: told.append(case), seconds=0.7
    )
    assert list(found) == told and 3 <= len(told) < 10
    assert set(found.values()) == {"done"}


@pytest.mark.parametrize("changed_file", ["image.iso", "kernel.elf", "judge.py"])
def test_results_of_another_kernel_or_judge_are_booted_again(
    laboratory, tmp_path, monkeypatch, changed_file
):
    path, image = tmp_path / changed_file, (tmp_path / "image.iso").read_bytes()
    path.write_bytes(image + b"one")
    monkeypatch.setattr("runs.JUDGES", [tmp_path / "judge.py"])
    (tmp_path / "judge.py").touch()
    (tmp_path / "kernel.elf").touch()

    def run():
        replace(laboratory, elf=tmp_path / "kernel.elf").run(plan.Case("skylake"))
        return len(boots(laboratory)), sorted(laboratory.folder.iterdir())

    old = laboratory.folder / "0123-snapshots"
    old.mkdir()
    first = run()
    assert run() == first and not old.exists()
    path.write_bytes(image + b"other")
    number, files = run()
    assert number == first[0] + 1
    assert len(files) == len(first[1]) == 2 and not set(files) & set(first[1])


def test_two_at_once_are_refused(run_matrix, tmp_path):
    with open(tmp_path / "lock", "w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        answer = run_matrix()
    assert answer.returncode == 2
    assert "another program works in" in answer.stderr


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


@pytest.mark.parametrize("silent_after", ["sys.exit(code)", "name, code ="])
def test_timeout_of_a_busy_host_is_not_kept(laboratory, silent_after):
    """Nor does it end the matrix, though nothing at all has come."""
    laboratory.limits.silence = 0.5
    fake = Path(laboratory.qemu)
    pause = f"import time; time.sleep(30)\n{silent_after}"
    fake.write_text(fake.read_text().replace(silent_after, pause))
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
    assert not laboratory.results.values


def test_only_the_tests_of_the_claim_run_where_they_suffice(laboratory):
    case = plan.Case("skylake", fault="broken")
    healthy = laboratory.run(plan.Case("skylake"))
    (laboratory.folder.parent / "count").unlink()
    laboratory.run_fault(case, a_fault("X-1"), healthy)
    (line,) = boots(laboratory)
    assert "btscheck:test=table17_6.encodings" in line
    laboratory.run_fault(case, a_fault("X-9"), healthy)
    assert " test=" not in boots(laboratory)[-1].replace("btscheck:", "btscheck: ")


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
    assert "faults: 1 on 2 processors: 1 caught, 0 caught elsewhere, 0 broke off, 0 missed" in text
    assert "healthy processors: 3: 3 pass, 0 false alarms, 0 not read back" in text


def test_a_miss_and_a_false_alarm_are_told(laboratory, capsys):
    result = a_result(laboratory, a_fault("X-9"))
    assert not is_good(result) and result["faults"][0]["verdict"] == "caught elsewhere"
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


@pytest.fixture
def run_matrix(iso, laboratory, tmp_path):
    """run_matrix(options): the whole program, with the fake emulator."""
    head = "KTAP version 1\n# signature: 06_5EH stepping 3\n# trait: wrap=eager"
    for name, text in (("good", GOOD), ("bad", BROKEN)):
        (tmp_path / name).write_bytes(raw(text.replace("KTAP version 1", head, 1)))

    def run(*options):
        command = [MATRIX, "--qemu", laboratory.qemu, "--output", str(tmp_path / "result.json")]
        command += ["--iso", str(iso), "--elf", str(iso.with_suffix(".elf")), *options]
        return execute(*command, timeout=200)

    return run


def test_only_what_there_is(run_matrix, tmp_path):
    """A typing error leaves the last result alone."""
    good = run_matrix("--only", "skylake,wrap=*")
    assert good.returncode == 0, good.stdout + good.stderr
    kept = (tmp_path / "result.json").read_bytes()
    settings = json.loads(kept)["settings"]
    assert settings["whole"] is False and len(settings["kernel"]) == 64
    bad = run_matrix("--only", "skylake,wrap=*", "--only", "skylake,warp=*")
    assert bad.returncode == 2
    assert "--only skylake,warp=* matches no case" in bad.stderr
    assert (tmp_path / "result.json").read_bytes() == kept


def test_emulator_is_found_by_its_name(run_matrix, laboratory, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(laboratory.qemu).parent), prepend=":")
    answer = run_matrix("--qemu", "qemu", "--only", "skylake,wrap=*")
    assert answer.returncode == 0, answer.stderr


def test_a_choice_that_does_not_read_back_fails_the_matrix(run_matrix, tmp_path):
    text = (tmp_path / "good").read_text(encoding="utf-8")
    (tmp_path / "good").write_text(text.replace("wrap=eager", "wrap=lazy"), encoding="utf-8")
    answer = run_matrix("--only", "skylake,wrap=*")
    assert answer.returncode == 1, answer.stdout + answer.stderr
    line = "not read back: skylake,wrap=eager: x-ds-wrap=eager: log says wrap=lazy, expected eager"
    counts = f"{len(load_profiles())} pass, 0 false alarms, 1 not read back"
    assert line in answer.stdout and counts in answer.stdout


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signal_leaves_nothing_behind(iso, laboratory, tmp_path, monkeypatch, number, status):
    """Machines end with the matrix, and no temporary folder stays."""
    fake = Path(laboratory.qemu)
    fake.write_text(fake.read_text().replace("sys.exit(code)", "import time; time.sleep(99)"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    command = [MATRIX, "--qemu", laboratory.qemu, "--output", str(tmp_path / "result.json")]
    command += ["--iso", str(iso), "--elf", str(iso.with_suffix(".elf"))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as matrix:
        while not boots(laboratory):
            assert matrix.poll() is None, matrix.stderr.read()
            time.sleep(0.05)
        matrix.send_signal(number)
        _, messages = matrix.communicate(timeout=60)
    assert matrix.returncode == status
    assert "goes on from here" in messages and "Traceback" not in messages
    assert not list(temporary.iterdir())
