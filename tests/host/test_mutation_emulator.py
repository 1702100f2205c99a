# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator with the mutants in it, where that was built, and what it records of a boot."""

import json
import subprocess

import pytest
import coverage_boots
from conftest import ROOT, execute
from declarations import addresses
from judge import Status
from machine import LabError, has_debug_store

PROGRAM = ROOT / "build/mutants/qemu-system-x86_64"


def test_record_is_read_by_the_names_of_the_tests(iso, tmp_path):
    elf = iso.with_name("btscheck.elf")
    (address, name), *_ = addresses(elf).items()
    record = tmp_path / "record"
    record.write_text(f"0000000000000000 1 5\n{address:016x} 2 3\n00000000000000ff 9\nend\n")
    assert coverage_boots.read_reach(record, elf) == {"": {1, 5, 9}, name: {2, 3}}
    record.write_text(f"{address:016x} 2 3\n")
    with pytest.raises(LabError, match="not whole"):
        coverage_boots.read_reach(record, elf)
    record.write_text("0000000000000000 1 5\nend\n")
    with pytest.raises(LabError, match="another kernel"):
        coverage_boots.read_reach(record, elf)


def test_ordinary_emulator_knows_no_mutant(emulator):
    answer = execute(emulator, "-device", "Skylake-Client-x86_64-cpu,help")
    assert has_debug_store(emulator) and "x-ds-mutant" not in answer.stdout


@pytest.fixture(scope="module")
def built():
    """The emulator with the mutants, as it was last built: that takes minutes."""
    names = PROGRAM.with_name("mutants.json")
    if not PROGRAM.exists() or not names.exists():
        pytest.skip("no build/mutants: tools/mutation/build makes it")
    return {x["name"]: x for x in json.loads(names.read_text())["mutants"]}


def of(table, file, function, before, after):
    """The number of a mutant, by what it does."""
    wanted, keys = (file, function, before, after), ("file", "function", "before", "after")
    found = [x for x in table.values() if tuple(x[key] for key in keys) == wanted]
    assert found, wanted
    return found[0]["number"]


def test_mutant_fails_and_no_mutant_passes(built, boot_machine):
    common = {"qemu": str(PROGRAM), "profile": "skylake", "command_line": "test=table17_6.*"}
    number = of(built, "bts.c", "put", "+", "-")
    healthy = boot_machine(variation="x-ds-mutant=0", **common)
    assert healthy.judgement.status == Status.PASS, healthy.explain()
    broken = boot_machine(variation=f"x-ds-mutant={number}", **common)
    assert broken.judgement.status == Status.FAIL, broken.explain()


@pytest.mark.parametrize("property_of", ["x-ds-fault=no-bts", "x-ds-mutant=1000000"])
def test_what_the_mutants_build_cannot_do_is_refused(built, property_of):
    command = [str(PROGRAM), "-display", "none", "-cpu", f"Skylake-Client,pmu=on,{property_of}"]
    answer = execute(*command, timeout=30)
    assert answer.returncode == 1 and property_of.split("=")[0] in answer.stderr


def test_record_is_whole_when_the_emulator_is_told_to_end(built, tmp_path):
    record = tmp_path / "record"
    cpu = f"Skylake-Client,pmu=on,x-ds-mutants-reached={record},x-ds-mutants-word=0x1000000"
    command = [str(PROGRAM), "-display", "none", "-serial", "none", "-monitor", "none", "-cpu", cpu]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=3)
        process.terminate()
        assert process.wait(timeout=60) == 0
    assert record.read_text().splitlines()[-1] == coverage_boots.END


def test_boot_records_what_its_tests_reach(built, iso, boot_machine, tmp_path):
    elf, record = iso.with_name("btscheck.elf"), tmp_path / "record"
    boot = boot_machine(
        qemu=str(PROGRAM),
        profile="skylake",
        variation=coverage_boots.properties(record, elf),
        command_line="test=table17_6.encodings,lbr.*",
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    reached = coverage_boots.read_reach(record, elf)
    put = {x["point"] for x in built.values() if x["function"] == "write_record"}
    pushed = {x["point"] for x in built.values() if x["function"] == "lbr_push"}
    assert put <= reached["table17_6.encodings"]
    assert any(pushed <= points for name, points in reached.items() if name.startswith("lbr."))
    assert not put & reached[""]
