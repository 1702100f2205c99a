# SPDX-License-Identifier: GPL-2.0-or-later
"""A soak: tests drawn until the time is over, on one processor or on all of them."""

import re

import pytest
from judge import Status, judge
from log_notes import lost_processors, read_soak, soak_failures

HEAD = "KTAP version 1\n# btscheck: v1\n1..2\n"
BEATS = """\
# soak: 60 s: records=1000 interrupts=20 programs=3 runs=40 failed=0
# soak@cpu1: 60 s: records=500 interrupts=10 programs=1 runs=20 failed=0
# soak: 3720 s: records=5000000000 interrupts=20 programs=3 runs=40 failed=0
"""
FAILED = """\
  # soak@E2: after 49 s circular.laps failed:
  # finding: index expected=0x2 got=0x1
  # rerun: make run TEST=circular.laps ARGS='repeat=7 seed=0x9'
"""
LOST = (
    "# processor 3, APIC id 6, hung in isr.causes and could not be called back: it is left behind\n"
)


def test_log_that_was_cut_off_says_what_it_has():
    judgement = judge((HEAD + BEATS).encode())
    assert judgement.status == Status.CUT_OFF
    soak = read_soak(judgement.log)
    assert (soak.seconds, soak.records) == (3720, 5_000_000_000)
    assert any("1:02:00: 5,000,000,000 records checked" in each for each in judgement.remarks)


@pytest.mark.parametrize(
    ("lines", "name"),
    [(FAILED, "circular@E2.laps after 49 s"), (LOST, "processor 3, APIC id 6, hung in isr.causes")],
)
@pytest.mark.parametrize("timed_out", [False, True])
def test_what_failed_before_it_was_cut_off_is_a_failure(lines, name, timed_out):
    judgement = judge((HEAD + lines + BEATS).encode(), timed_out=timed_out)
    assert judgement.status == Status.FAIL
    assert judgement.reasons[0].startswith(f"not ok: {name}")


def test_log_of_no_soak_is_cut_off_as_ever():
    judgement = judge((HEAD + FAILED).encode())
    assert judgement.status == Status.CUT_OFF and not judgement.remarks


@pytest.fixture
def soak(boot_machine, emulator):
    def run(command_line, variation="", processors=2):
        return boot_machine(
            qemu=emulator, variation=variation, processors=processors, command_line=command_line
        )

    return run


def failed(boot):
    return [name for name, test in boot.judgement.log.tests() if not test.ok]


def test_nothing_is_found_on_good_silicon(soak):
    boot = soak("test=circular.*,geometry.*,lbr.*,isr.* repeat=12s cpu=all")
    assert boot.judgement.status == 0, boot.explain()
    names = [suite.name for suite in boot.judgement.log.root.results]
    assert {"soak@cpu0", "soak@cpu1"} < set(names)
    found = read_soak(boot.judgement.log)
    assert 12 <= found.seconds < 40 and found.runs > 20 and found.records and found.interrupts
    # What passes leaves no line.
    assert boot.text.count("choice: wrap=") == 2, boot.explain()


def test_a_failure_is_told_once_and_comes_back(soak):
    boot = soak("test=selftest.deliberate_failure_in_a_soak repeat=4s")
    assert boot.judgement.status == 1, boot.explain()
    assert failed(boot) == ["soak.drawn_tests"]
    assert soak_failures(boot.judgement.log)[0].startswith("selftest.deliberate_failure_in_a_soak")
    assert boot.text.count("as it is made to") == 1
    assert "# soak: executed 3 times more, it failed 3 times" in boot.text
    assert int(re.search(r"# soak: selftest\S+ failed (\d+) times", boot.text)[1]) > 1
    words = re.search(r"# rerun: make run TEST=(\S+) ARGS='(.*)'", boot.text)
    again = soak(f"test={words[1]} {words[2]}")
    assert failed(again) == [words[1]], again.explain()


def test_first_failure_ends_it_for_all(soak):
    boot = soak(
        "test=selftest.deliberate_failure_in_a_soak,circular.laps cpu=all"
        " repeat=1d,first-failure"
    )
    assert boot.judgement.status == 1, boot.explain()
    assert read_soak(boot.judgement.log).seconds < 60


def test_one_that_hangs_in_the_middle_is_left_behind(soak):
    test = "selftest.deliberate_deafness_in_a_soak"
    boot = soak(f"test={test},circular.laps repeat=15s cpu=all timeout=2", processors=3)
    assert boot.judgement.status == 1, boot.explain()
    assert failed(boot) == ["soak@cpu1.drawn_tests", "soak@cpu2.drawn_tests"], boot.explain()
    line = f"processor 1, APIC id 1, hung in {test} and could not be called back: it is left behind"
    assert line in lost_processors(boot.judgement.log) and line in boot.judgement.reasons
    assert read_soak(boot.judgement.log).seconds >= 15


def test_in_turn_each_has_its_part(soak):
    boot = soak("test=circular.laps repeat=6s cpu=each", processors=3)
    assert boot.judgement.status == 0, boot.explain()
    ends = re.findall(r"^ok \d+ soak(?:@cpu\d)?$", boot.text, re.M)
    assert len(ends) == 3 and 6 <= read_soak(boot.judgement.log).seconds < 12


@pytest.mark.parametrize("which", ["all", "each"])
def test_who_has_nothing_to_draw_has_no_soak(soak, which):
    """What is for the processor that booted alone is drawn by it alone."""
    boot = soak(f"test=smm.* repeat=3s cpu={which}")
    assert boot.judgement.status == 0, boot.explain()
    names = [suite.name for suite in boot.judgement.log.root.results]
    assert names == ["smm", "soak", "traits"], boot.explain()
    assert read_soak(boot.judgement.log).runs > 0
