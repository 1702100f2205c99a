# SPDX-License-Identifier: GPL-2.0-or-later
"""Interrupts and NMIs that nobody claims: named, counted, no harm; a storm of them ends the run."""

import contextlib
import re
import threading

import pytest
import transport
from conftest import LIMITS
from judge import Status, judge
from machine import LabError, Machine
from qmp import Monitor, MonitorGone

STORM = "a storm of interrupts that nobody claims"
APIC_OFF = "came during counters.interrupts_come_again_after_the_apic_was_off, "
TOLD = re.compile(r"# interrupts that nobody claims that came during (\S+), which failed: \d+; ")
HARMLESS = ["they_are_ended_and_counted", "they_are_counted_on_another_processor"]


def names(*tests):
    return "test=" + ",".join(f"unclaimed.{test}" for test in tests)


@pytest.mark.parametrize("apic", ["", " apic=x2apic"])
def test_they_are_named_once_and_counted(boot_machine, emulator, apic):
    boot = boot_machine(qemu=emulator, command_line=names(*HARMLESS) + apic)
    assert boot.judgement.status == Status.PASS, boot.explain()
    lines = boot.judgement.log.lines
    total = "# unclaimed: NMI x6, vector 0x31 x6, vector 0x39 x6, vector 0xf3 x6"
    assert lines.count(total) == 1, boot.explain()
    for what in ("NMI", "vector 0x31", "vector 0x39", "vector 0xf3"):
        told = f"  # unclaimed: {what} came during unclaimed.they_are_ended_and_counted, at "
        assert len([line for line in lines if line.startswith(told)]) == 1, boot.explain()


def test_interrupts_of_the_board_come_in_ring_3(boot_machine):
    boot = boot_machine(command_line=names("ring_3_goes_on_behind_them"))
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert not re.search(r"# SKIP", boot.text), boot.explain()
    told = re.findall(r"^# unclaimed: vector 0x31 x(\d+)$", boot.text, re.M)
    assert len(told) == 1 and int(told[0]) >= 5, boot.explain()


def test_quiet_machine_says_nothing_of_them(boot_machine):
    boot = boot_machine(command_line="test=selftest.interrupts_arrive_once,probe.*")
    assert "unclaimed" not in boot.text, boot.explain()


def test_failure_with_one_in_it_is_tried_again(boot_machine):
    boot = boot_machine(command_line=names("deliberate_failure", "deliberate_subtest_failure"))
    assert boot.judgement.status == Status.PASS, boot.explain()
    for name in ("deliberate_failure", "deliberate_subtest_failure"):
        told = f"# interrupts that nobody claims that came during unclaimed.{name}, which failed: 1"
        assert f"  {told}; once more" in boot.judgement.log.lines, boot.explain()
    assert "  # failed as if the interrupt had disturbed it" in boot.judgement.log.lines


@pytest.fixture
def log_beside(boot_machine, emulator):
    """log_beside(stray, profile, command line) -> the log of a processor that passes though the
    board interrupts it: NAME:TIMES-A-SECOND."""

    def boot(stray, profile, command_line):
        variation, command_line = f"x-ds-stray={stray}", f"timeout=60 {command_line}"
        boot = boot_machine(
            qemu=emulator, profile=profile, variation=variation, command_line=command_line
        )
        assert boot.judgement.status == Status.PASS, boot.explain()
        return boot.text

    return boot


def test_nmis_of_the_board_are_no_performance_interrupts(log_beside):
    """Whether they come ahead of the overflow, in the routine that looks for it, or behind it."""
    words = "repeat=4 test=circular.*,counters.interrupt_as_nmi,freeze.*as_nmi"
    assert "# unclaimed: NMI x" in log_beside("nmi:100", "core2-65nm", words)


def test_run_that_is_longer_than_the_board_is_quiet_is_left_out(log_beside):
    """Of 70,000 turns none is undisturbed; short runs beside them are judged."""
    words = "test=circular.many_thousand_records,circular.room_for_one_record"
    text = log_beside("nmi:300", "core2-65nm", words)
    why = "# SKIP an SMI or an interrupt that nobody claims came amid each of its runs"
    assert f"ok 1 in_ring_0 {why}" in text
    assert re.search(r"^  ok \d+ room_for_one_record$", text, re.M)


def test_runs_are_judged_though_one_comes_in_each_repetition(log_beside):
    """But for the last-exception record, which the interrupt has changed."""
    words = "retest=0 test=freeze.not_by_a_general_counter_without_pmi"
    text = log_beside("0x51:100", "alderlake-p", words)
    assert "since an interrupt that nobody claims came amid them" in text


@pytest.mark.parametrize("name", ["", "_of_nmis", "_elsewhere"])
def test_storm_ends_the_run(boot_machine, name):
    boot = boot_machine(command_line=names(f"deliberate_storm{name}"))
    assert boot.judgement.status == Status.CRASH, boot.explain()
    assert STORM in " ".join(boot.judgement.reasons), boot.explain()
    counted = re.search(r"^# unclaimed: (NMI|vector 0x31) x(\d+)$", boot.text, re.M)
    assert counted and int(counted[2]) > 1000, boot.explain()


class Presser:
    """Does something to a machine, again and again, from its log's first bytes on."""

    def __init__(self, socket, press):
        self.socket, self.press = socket, press
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.work)
        self.count = 0

    def heard(self, data):
        if data and not self.thread.ident:
            self.thread.start()

    def work(self):
        with contextlib.suppress(MonitorGone, LabError):
            monitor = Monitor(self.socket)
            while not self.done.wait(0.05):
                self.press(monitor)
                self.count += 1

    def stop(self):
        self.done.set()
        if self.thread.ident:
            self.thread.join()


@pytest.fixture
def boot_pressed(iso, tmp_path):
    """boot_pressed(what is done, fields of the machine): the judgement, how often it was done."""

    def run(press, **fields):
        socket = tmp_path / "pressed"
        words = ["-qmp", f"unix:{socket},server=on,wait=off"]
        presser = Presser(socket, press)
        machine = Machine(iso=iso, extra=words, **fields)
        try:
            outcome = transport.boot(machine, tmp_path / "log.ktap", LIMITS, show=presser.heard)
        finally:
            presser.stop()
        return judge(outcome.raw, outcome.exit_code, outcome.timed_out), presser.count

    return run


def press_key(monitor):
    monitor.execute("send-key", keys=[{"type": "qcode", "data": "a"}])


def test_nmi_of_the_board_is_named(boot_pressed):
    """Its keyboard's interrupt is delivered as an NMI, as that of a button may be."""
    judgement, _ = boot_pressed(press_key, command_line=names("nmi_of_the_board"))
    text = "\n".join(judgement.log.lines)
    assert judgement.status == Status.PASS and "SKIP" not in text, text
    assert "# unclaimed: NMI came during unclaimed.nmi_of_the_board, at " in text
    assert re.search(r"^# unclaimed: NMI x\d+$", text, re.M), text


def test_nmi_pin_is_masked(boot_pressed, emulator):
    """What reaches the local APIC by its own pin disturbs no test, but while that APIC is off."""
    judgement, count = boot_pressed(
        lambda monitor: monitor.execute("inject-nmi"),
        qemu=emulator,
        command_line="test=circular.*,lbr.*,counters.*",
    )
    text = "\n".join(judgement.log.lines)
    assert judgement.status == Status.PASS and count > 5, text
    told = [line for line in judgement.log.lines if "unclaimed" in line]
    during = [line for line in told if "came during" in line]
    assert len(during) == len([line for line in told if line.startswith("  ")]) <= 1, text
    assert all(APIC_OFF in line for line in during), text
    assert not told or during, text


@pytest.mark.timeout(600)
def test_ticks_of_the_board_come_in_the_middle_of_tests(boot_machine, emulator):
    """No crash; and a test that fails has been tried again, or says what it may fail for."""
    tests = "deliberate_ticks_from_here_on"
    suites = ["ring3", "threshold", "lbr", "pebs", "freeze", "isr", "processors"]
    command_line = names(tests) + "".join(f",{suite}.*" for suite in suites)
    boot = boot_machine(qemu=emulator, command_line=command_line)
    assert boot.judgement.status in (Status.PASS, Status.FAIL), boot.explain()
    failed = {test for test, result in boot.judgement.log.tests() if not result.ok}
    assert failed <= set(TOLD.findall(boot.text)), boot.explain()
    told = re.findall(r"^# unclaimed: vector 0x31 x(\d+)$", boot.text, re.M)
    assert len(told) == 1 and int(told[0]) > 20, boot.explain()


def test_a_boards_first_nmi_is_no_second_interrupt(boot_machine, emulator):
    """It comes behind one of the processor's, which is an NMI as well."""
    name = "selftest.deliberate_failure_by_an_nmi"
    boot = boot_machine(qemu=emulator, command_line=f"test={name}")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert f"# NMIs that may be the board's that came during {name}, which failed: 1;" in boot.text
    assert "2 interrupts came; expected" in boot.text
