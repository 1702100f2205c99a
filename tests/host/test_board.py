# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards that misbehave: what small guests see of them, and what is refused."""

import pytest
from conftest import ENDED, STILL_RUNS

REFUSED = 0xBAD  # #GP, as guests/registers.S has it
HALF_A_SECOND = 1 / 2


def properties(**given):
    return "".join(f",x-ds-{name.replace('_', '-')}={value}" for name, value in given.items())


@pytest.mark.parametrize("alone", ["off", "on"])
def test_smis_come_to_every_processor_once_the_firmware_is_done(run_guest, alone):
    """A busy host has less time for them; no more can come than were asked for."""
    more = properties(smi_rate=1000, smi_alone=alone)
    numbers = run_guest("smi", more=more, options=["-smp", "2"]).numbers
    assert (numbers["mine_before"], numbers["others_before"]) == (0, 0)
    assert 10 < numbers["mine"] < 1000 * HALF_A_SECOND * 1.5, numbers
    assert 10 < numbers["others"] < 1000 * HALF_A_SECOND * 1.5, numbers
    assert numbers["halts"] == 1


def test_no_smi_comes_where_none_is_asked_for(run_guest):
    numbers = run_guest("smi", options=["-smp", "2"]).numbers
    assert (numbers["mine"], numbers["others"], numbers["halts"]) == (0, 0, 1)


def test_smi_takes_its_time(run_guest):
    """5 ms each; the guest's half second becomes longer."""
    more = properties(smi_rate=1000, smi_length=5000)
    numbers = run_guest("smi", more=more, options=["-smp", "2"]).numbers
    time = HALF_A_SECOND * numbers["clock"] / numbers["clock_before"]
    at_most = 1.2 * time / 0.005 + 5  # the half second before may have been longer, too
    assert 10 < numbers["mine"] <= at_most and numbers["others"] <= at_most, numbers


def test_smi_waits_while_a_processor_is_in_init(run_guest):
    """100 ms each, though 20 a second are sent; some of them find the one before still there."""
    more = properties(smi_rate=20, smi_waits=100)
    numbers = run_guest("smi", more=more, options=["-smp", "2"]).numbers
    time = HALF_A_SECOND * numbers["clock_in_init"] / numbers["clock_before"]
    assert 1 <= numbers["mine_in_init"] <= 1.1 * time / 0.1, numbers


def test_firmware_takes_no_smi_of_the_board_for_its_own_command(run_guest):
    numbers = run_guest("smi_command", more=properties(smi_rate=200)).numbers
    assert numbers["entered"] >= 5 and numbers["returned"] >= 5


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (properties(smi_rate=1001), "x-ds-smi-rate is at most 1000"),
        (properties(smi_rate="-1"), "x-ds-smi-rate"),
        (properties(smi_length=10001), "x-ds-smi-length is at most 10000"),
        (properties(x2apic_locked="on") + ",-x2apic", "needs +x2apic"),
        (properties(deaf="1+"), "wants APIC ids with '+' between them"),
        (properties(deaf="08"), "wants APIC ids with '+' between them"),
        (properties(tsc_ahead="1"), "wants ID:TICKS with '+' between them"),
        (properties(tsc_ahead="1:5+"), "wants ID:TICKS with '+' between them"),
        (properties(transition_rate=5), "no effect without +est"),
        (properties(smi_rate=5) + ",pmu=off", "need accel=tcg and pmu=on"),
    ],
)
def test_properties_that_make_no_sense_are_refused(run_guest, more, told):
    guest = run_guest("smi", more=more)
    assert guest.status == 1 and not guest.lines and told in guest.messages


@pytest.mark.parametrize(("profile", "exists"), [("core2", False), ("nehalem", True)])
def test_smi_count_exists_from_nehalem_on_and_is_read_only(run_guest, profile, exists):
    numbers = run_guest("registers", profile).numbers
    assert numbers["smi_count_read"] == (0 if exists else REFUSED)
    assert numbers["smi_count_rewrite"] == numbers["smi_count_write"] == REFUSED


# Occasions of guests/transition.S after which FROM is another one on a processor that has AAJ122.
LOST = ("other_from", "modulated_from", "halt_from")
CLOCK = ",+est,+acpi"


def transitions(run_guest, more):
    numbers = run_guest("transition", "nehalem", CLOCK + more).numbers
    counts = [numbers.pop(name) for name in ("before", "by_itself", "without_turbo")]
    return {name for name, right in numbers.items() if not right}, counts


def test_from_is_lost_after_what_changes_the_clock(run_guest):
    """And after nothing else; TO and the branch after it are right."""
    assert transitions(run_guest, properties(errata="AAJ122")) == (set(LOST), [0, 0, 0])


def test_clock_that_changes_by_itself_does_so_with_turbo_alone(run_guest):
    more = properties(errata="own", transition_rate=5000)
    wrong, (before, by_itself, without_turbo) = transitions(run_guest, more)
    assert set(LOST) <= wrong and all(name.endswith("_from") for name in wrong)
    assert before == without_turbo == 0 and by_itself > 0


def test_other_processors_lose_nothing_when_the_clock_changes(run_guest):
    assert transitions(run_guest, properties(transition_rate=5000)) == (set(), [0, 0, 0])


# Name of guests/registers.S: what it needs, whether it can be written, its value, what is written.
REGISTERS = {
    "perf_status": (CLOCK, False, 0x1800, 0x1800),
    "perf_ctl": (CLOCK, True, 0x1800, 0x1900),
    "clock_modulation": (CLOCK, True, 0, 0x16),
    "power_ctl": ("", True, 2, 0),
}


@pytest.mark.parametrize("name", REGISTERS)
def test_registers_of_the_clock_are_where_they_are_enumerated(run_guest, name):
    needs, writable, value, written = REGISTERS[name]
    numbers = run_guest("registers", "nehalem", needs).numbers
    assert (numbers[f"{name}_read"], numbers[name]) == (0, value)
    refused = 0 if writable else REFUSED
    assert (numbers[f"{name}_rewrite"], numbers[f"{name}_write"]) == (refused, refused)
    assert numbers[f"{name}_again"] == written
    without = run_guest("registers", "core2").numbers
    if name != "perf_status":  # the emulator itself has it everywhere
        assert without[f"{name}_read"] == without[f"{name}_write"] == REFUSED


LOCKED = properties(x2apic_locked="on")


def test_x2apic_that_is_locked_is_on_and_cannot_be_left(run_guest):
    numbers = run_guest("registers", more=LOCKED).numbers
    assert numbers["leaf_7"] & 1 << 29 and numbers["arch_capabilities"] == 1 << 21
    assert (numbers["xapic_disable_status"], numbers["apic_base"]) == (1, 0xFEE00D00)
    assert (numbers["apic_base_rewrite"], numbers["apic_base_write"]) == (0, REFUSED)
    assert numbers["apic_base_again"] == 0xFEE00D00
    assert numbers["xapic_disable_status_write"] == numbers["arch_capabilities_write"] == REFUSED


def test_nothing_of_the_lock_is_there_where_it_is_not_asked_for(run_guest):
    numbers = run_guest("registers").numbers
    assert numbers["leaf_7"] & 1 << 29 == numbers["arch_capabilities"] == 0
    assert (numbers["xapic_disable_status_read"], numbers["apic_base"]) == (REFUSED, 0xFEE00900)


def call_all(run_guest, more, *options):
    """What the guest says when all others are called: name -> its numbers, in their order."""
    guest = run_guest("x2apic", more=LOCKED + more, options=["-smp", *options])
    assert guest.status == ENDED, guest
    told = {}
    for name, number in guest.lines:
        told.setdefault(name, []).append(number)
    return told


def others(run_guest, more, *options):
    """The processors that come: id -> IA32_APIC_BASE."""
    told = call_all(run_guest, more, *options)
    return dict(zip(told["id"], told["mode"]))


def test_every_processor_is_in_x2apic_mode_after_init_too(run_guest):
    assert others(run_guest, "", "3") == {1: 0xFEE00C00, 2: 0xFEE00C00}


SPARSE = "6,sockets=2,cores=3,threads=1"  # APIC ids 0 to 2 and 4 to 6


@pytest.mark.parametrize(
    ("deaf", "come"), [("4", {1, 2, 5, 6}), ("0x1+4+0x06", {2, 5}), ("3+7", {1, 2, 4, 5, 6})]
)
def test_deaf_processors_do_not_come(run_guest, deaf, come):
    assert set(others(run_guest, properties(deaf=deaf), SPARSE)) == come


@pytest.mark.parametrize(
    ("ahead", "halves"),
    [
        ("", (0, 0, 0)),
        ("1:0x5000000000", (0, 80, 0)),
        ("0:0x4000000000+2:0x2000000000", (64, 0, 32)),
    ],
)
def test_tscs_are_ahead_after_init_too(run_guest, ahead, halves):
    """The upper halves: each is a second or more, in which the guest reads all."""
    told = call_all(run_guest, properties(tsc_ahead=ahead) if ahead else "", "3")
    tscs = {0: told["own_tsc"][0], **dict(zip(told["id"], told["tsc"]))}
    passed = [tscs[number] - half for number, half in enumerate(halves)]
    assert max(passed) - min(passed) <= 1, tscs


STRAYS = ("nmis", "pic", "vectors")


def test_interrupts_come_that_nobody_has_asked_for(run_guest):
    """An NMI only where the processor has been seen to deliver something."""
    numbers = run_guest("stray", more=properties(stray="0x51:500+pic:500+nmi:500")).numbers
    assert [numbers[f"{what}_before"] for what in STRAYS] == [0, 0, 0]
    assert numbers["nmis_protected"] == 0
    come = [numbers[name] for name in ("pic_protected", "vectors_protected")]
    come += [numbers[f"{what}_long"] for what in STRAYS]
    assert all(5 < number < 500 * HALF_A_SECOND * 1.5 for number in come), numbers


@pytest.mark.parametrize("stray", ["", "0x52:500", "nmi:500"])
def test_no_other_interrupt_comes(run_guest, stray):
    """A vector that the guest has no gate for would end it; an NMI waits for another event."""
    guest = run_guest("stray", more=properties(stray=stray) if stray else "")
    if stray == "0x52:500":
        assert dict(guest.lines).keys() == {f"{what}_before" for what in STRAYS}
    else:
        assert set(guest.numbers.values()) == {0}


@pytest.mark.parametrize(
    "stray", ["15:1", "256:1", "0x51", "0x51:0", "0x51:100001", "nmi:1:", "irq:3", "", "pic:1+"]
)
def test_strays_that_make_no_sense_are_refused(run_guest, stray):
    guest = run_guest("stray", more=properties(stray=stray))
    assert guest.status == 1 and not guest.lines and "WHAT is a vector from 16" in guest.messages


BY_SMI, BY_NMI, MASKED = 0x200, 0x400, 0x10000


def thermal(run_guest, more, processors):
    guest = run_guest("thermal", more=more, options=["-smp", processors], time=15)
    return guest.status, dict(guest.lines)


@pytest.mark.parametrize(("processors", "last"), [("2", "masked"), ("1", "changed")])
def test_first_processor_that_loses_the_firmwares_thermal_smi_runs_no_more(
    run_guest, processors, last
):
    """The second one, after INIT, may do with its own what it likes."""
    status, numbers = thermal(run_guest, properties(thermal_smi="on"), processors)
    assert (status, last in numbers) == (STILL_RUNS, False), numbers
    assert [numbers[name] for name in ("before", "found", "kept")] == [MASKED, BY_SMI, BY_SMI]
    if processors == "2":
        others = [numbers[name] for name in ("others", "others_kept", "others_run")]
        assert others == [MASKED, MASKED | BY_NMI, 1]


@pytest.mark.parametrize(("processors", "last"), [("2", "masked"), ("1", "changed")])
def test_thermal_entry_is_anybodys_elsewhere(run_guest, processors, last):
    status, numbers = thermal(run_guest, "", processors)
    assert (status, numbers["found"], numbers["kept"]) == (ENDED, MASKED, BY_SMI)
    assert numbers[last] == (MASKED | BY_SMI if last == "masked" else BY_NMI)
