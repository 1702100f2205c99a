# SPDX-License-Identifier: GPL-2.0-or-later
"""A dry run touches no debug facility, and cannot be taken for a pass."""

import re

import pytest
from conftest import ROOT
from judge import Status, judge
from machine import Machine
from judge_logs import DRY, EXIT, GOOD, raw
from test_touches import in_words, numbers_of
from traced import short_folder, traced

COUNTERS_ENTRY, ICR, SMI_COMMAND, EXIT_PORT = 0x340, 0x300, 0xB2, 0xF4
DEBUGCTL, DS_AREA, PEBS_ENABLE = 0x1D9, 0x600, 0x3F1


def writes_of(emulator, iso, command_line):
    machine = Machine(qemu=emulator, iso=iso, command_line=command_line)
    with short_folder() as folder:
        return traced(machine, iso.with_suffix(".elf"), folder)


def check_untouched(trace):
    """What it writes is any kernel's (docs/touches.md), but for the counters' LVT entry."""
    assert set(trace.msrs) <= numbers_of("MSRs of the kernel itself"), in_words(trace.msrs)
    assert not {COUNTERS_ENTRY, ICR} & set(trace.apic), in_words(trace.apic)
    usual = numbers_of("ports", "ports, when asked") | {EXIT_PORT}
    assert set(trace.ports) <= usual, in_words(trace.ports)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("apic", ["auto", "x2apic"])
def test_it_writes_to_no_debug_facility(iso, emulator, apic):
    """Nor a message to another processor, or the port of SMIs."""
    trace = writes_of(emulator, iso, f"dry-run console=screen test=probe smi=allow apic={apic}")
    assert trace.exit_code == EXIT["DRY_RUN"]
    check_untouched(trace)
    assert 0xC0000101 in trace.msrs and 0x320 in trace.apic and 0x43 in trace.ports


@pytest.mark.timeout(600)
def test_the_trace_sees_what_a_run_writes(iso, emulator):
    """Otherwise it would prove nothing of a dry run."""
    names = "probe.ds_area_exists,processors.registers_are_its_own,smm.freeze_on_pmi_bits_stay"
    command_line = f"console=screen smi=allow apic=x2apic test={names}"
    trace = writes_of(emulator, iso, command_line)
    assert {DEBUGCTL, DS_AREA, PEBS_ENABLE} <= set(trace.msrs), trace.msrs
    assert {COUNTERS_ENTRY, ICR} <= set(trace.apic), trace.apic
    assert SMI_COMMAND in trace.ports, trace.ports


def test_what_would_run(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, command_line="dry-run lab=none smi=never", profile="no-pebs")
    assert boot.judgement.status == Status.DRY_RUN, boot.explain()
    assert "nothing was tested" in boot.judgement.meaning()[0]
    assert "# would run: circular.laps" in boot.text
    unavailable = r"IA32_MISC_ENABLE\[12\]\.PEBS_UNAVAILABLE = 1"
    assert re.search(rf"^# would skip: pebs\.\w+: {unavailable}", boot.text, re.M)
    assert re.search(rf"^# would not be checked: .*PEBS-\* \({unavailable}", boot.text, re.M)
    assert re.search(r"^# would skip: smm\.freeze_on_pmi_bits_stay: smi=never", boot.text, re.M)
    assert re.search(
        r"^# would skip: machine_check\.\w+: nobody injects .*no lab=", boot.text, re.M
    )
    assert re.search(r"^# not tried, so taken to be there: BTS, LBR, BTF$", boot.text, re.M)
    run, skipped = (
        len(re.findall(rf"^# would {w}: \w+\.\w+", boot.text, re.M)) for w in ("run", "skip")
    )
    assert f"# dry run: at most {run} of {run + skipped} tests would run" in boot.text


PARTS = ("probe", "smm", "machine_check", "arch_lbr", "counters", "init", "pebs", "traits")


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("profile", "cpu"), [("skylake", "kinds"), ("no-pebs", "kinds"), ("skylake", "each")]
)
def test_the_plan_is_that_of_the_run(boot_machine, emulator, profile, cpu):
    """What a run skips the dry run has named and counted, with the reason, and nothing else."""
    line = f"lab=none smi=never cpu={cpu} test=" + ",".join(f"{name}.*" for name in PARTS)
    machine = {"qemu": emulator, "profile": profile}
    dry = boot_machine(command_line=f"dry-run {line}", **machine)
    run = boot_machine(command_line=line, **machine)
    tests = {name: test for name, test in run.judgement.log.tests() if "@" not in name}
    begun = {name for name, test in tests.items() if test.outcome != "skip"}
    told = dict(re.findall(r"^# would skip: (\w+\.\w+): (.*)", dry.text, re.M))
    assert told == {name: tests[name].reason for name in tests.keys() - begun}, run.explain()
    assert set(re.findall(r"^# would run: (\w+\.\w+)", dry.text, re.M)) == begun
    assert f"# dry run: at most {len(begun)} of {len(tests)} tests would run" in dry.text


def test_where_options_are_wrong_nothing_is_touched_either(iso, emulator):
    trace = writes_of(emulator, iso, "dryrun console=screen test=probe")
    assert trace.exit_code == EXIT["ERROR"]
    check_untouched(trace)


def test_the_lab_takes_it_for_neither_pass_nor_failure():
    judgement = judge(raw(DRY), EXIT["DRY_RUN"])
    assert judgement.status == Status.DRY_RUN == 8, judgement.reasons
    assert judge(raw(DRY)).status == Status.DRY_RUN


@pytest.mark.parametrize(
    ("log", "exit_code"),
    [
        (DRY, EXIT["PASS"]),
        (DRY.replace("DRY_RUN", "PASS"), EXIT["PASS"]),
        (DRY.replace("DRY_RUN", "LISTED"), EXIT["LISTED"]),
        (GOOD.replace("verdict: PASS", "verdict: DRY_RUN"), EXIT["DRY_RUN"]),
        (DRY.replace("DRY_RUN", "FAIL"), EXIT["FAIL"]),
    ],
)
def test_logs_that_lie(log, exit_code):
    assert judge(raw(log), exit_code).status == Status.DISAGREE


def test_the_menu_offers_it():
    menu = (ROOT / "iso/grub.cfg").read_text()
    entry = re.search(r'menuentry "btscheck: dry run[^"]*" {\n\s+multiboot2 \S+ (.*)\n', menu)
    assert entry and "dry-run" in entry[1].split()
