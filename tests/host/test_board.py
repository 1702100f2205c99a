# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards that misbehave: what small guests see of them, and what is refused."""

import pytest

REFUSED = 0xBAD  # #GP, as guests/registers.S has it
HALF_A_SECOND = 1 / 2
TICKS_A_SECOND = 3579545


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
    at_most = numbers["time"] / (TICKS_A_SECOND / 200) + 2
    assert 10 < numbers["mine"] <= at_most and 10 < numbers["others"] <= at_most, numbers


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (properties(smi_rate=1001), "x-ds-smi-rate is at most 1000"),
        (properties(smi_rate="-1"), "x-ds-smi-rate"),
        (properties(smi_length=10001), "x-ds-smi-length is at most 10000"),
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
