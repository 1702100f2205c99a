# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine with two kinds of processor: each has its own run of the tests, and its own choices."""

import machine
import pytest
from log_notes import other_places, read_coverage

SOCKETS = "1,maxcpus=2,sockets=2,cores=1,threads=1"
PROFILE = "skylake"
CORE, ATOM = "x-ds-core-kind=0x40000001", "x-ds-core-kind=0x20000001"


def boot_two(boot_machine, emulator, other, command_line, variation=CORE):
    """other: properties of the second processor; it has the profile's and the variation's too."""
    model = machine.find_profile(PROFILE)["cpu"].split(",")[0]
    place = f"{model}-x86_64-cpu,socket-id=1,core-id=0,thread-id=0"
    return boot_machine(
        qemu=emulator,
        profile=PROFILE,
        variation=variation,
        processors=SOCKETS,
        extra=["-device", ",".join(filter(None, [place, other]))],
        command_line=command_line,
    )


def suites(boot):
    return [suite.name for suite in boot.judgement.log.root.results]


def test_each_kind_is_held_to_its_own(boot_machine, emulator):
    other = f"{ATOM},x-ds-wrap=eager,x-ds-perf-capabilities=0x23c5"
    boot = boot_two(boot_machine, emulator, other, "test=circular,smm,probe")
    assert boot.judgement.status == 0, boot.explain()
    assert suites(boot) == ["probe", "circular", "smm", "probe@E1", "circular@E1", "traits"]
    lines = boot.text.splitlines()
    assert "# trait: wrap=lazy" in lines and "# trait@E1: wrap=eager" in lines
    assert "# not on E1: FREEZE_WHILE_SMM" in lines
    kinds = [line for line in lines if line.startswith("# kind: ")]
    assert [kind.split(":")[1] for kind in kinds] == [
        " P0, APIC id 0",
        " E1, APIC id 1",
    ]
    log = boot.judgement.log
    assert other_places(log) == ["E1"]
    assert read_coverage(log, "E1").claims < read_coverage(log).claims


def test_a_fault_of_one_kind_names_it(boot_machine, emulator):
    other = f"{ATOM},x-ds-fault=wrap-to-second"
    boot = boot_two(boot_machine, emulator, other, "test=circular.laps")
    assert boot.judgement.status == 1, boot.explain()
    failed = [name for name, test in boot.judgement.log.tests() if not test.ok]
    assert failed == ["circular@E1.laps"], boot.explain()
    assert any("BTS-3" in line for line in boot.text.splitlines() if "# broken claims:" in line)


def test_two_of_a_kind_decide_alike(boot_machine, emulator):
    boot = boot_two(boot_machine, emulator, "x-ds-wrap=eager", "test=processors.decide_alike")
    assert boot.judgement.status == 1, boot.explain()
    assert "# finding: trait.differs" in boot.text and "# breaks MP-1" in boot.text
    boot = boot_two(boot_machine, emulator, "", "test=processors.decide_alike")
    assert boot.judgement.status == 0, boot.explain()


@pytest.mark.parametrize(
    ("option", "other", "expected"),
    [
        ("boot", ATOM, ["geometry"]),
        ("kinds", ATOM, ["geometry", "geometry@E1", "traits"]),
        ("kinds", "", ["geometry"]),
        ("each", "", ["geometry", "geometry@P1", "traits"]),
    ],
)
def test_which_processors_take_part(boot_machine, emulator, option, other, expected):
    boot = boot_two(boot_machine, emulator, other, f"test=geometry cpu={option}")
    assert boot.judgement.status == 0, boot.explain()
    assert suites(boot) == expected


def test_what_goes_wrong_there_ends_one_test(boot_machine, emulator):
    """An exception, a hang, a refused access: the run goes on, and the next test is itself."""
    tests = ["crash_if_not_booted", "hang", "refused_wrmsr"]
    named = ",".join(f"selftest.deliberate_{name}" for name in tests)
    boot = boot_two(
        boot_machine, emulator, "", f"test={named},circular.laps cpu=each timeout=5", ""
    )
    assert boot.judgement.status == 1, boot.explain()
    results = {name: test.ok for name, test in boot.judgement.log.tests()}
    assert results["circular@cpu1.laps"] and results["selftest.deliberate_crash_if_not_booted"]
    assert not any(results[f"selftest@cpu1.deliberate_{name}"] for name in tests)
    assert "on processor 1" in boot.text and "processor 1" in boot.text
