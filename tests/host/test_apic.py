# SPDX-License-Identifier: GPL-2.0-or-later
"""The local APIC in both modes: asked for, left so by the firmware, needed by ids above 254.

What the emulator itself does not offer is skipped, by the bit that says so.
"""

import machine
import pytest
from judge import Status
from outcomes import PATIENT, differences
from patched import build_image, patched

# They start processors and send messages, with or without a Debug Store.
ROUNDS = ["interrupts_arrive_once", "other_processor_works", "every_processor_comes"]
ROUNDS += ["nmi_to_itself_comes"]
ALL_ROUNDS = "test=" + ",".join(f"selftest.{name}" for name in ROUNDS)
SUITE = "processors.*"

ON, OFF, X2APIC = "0xfee00900", "0xfee00100", "0xfee00d00"  # IA32_APIC_BASE of processor 0
FIRMWARE_FOR_MANY = ["-smp", "2,maxcpus=288"]  # it leaves every processor in x2APIC mode

# What GRUB writes to IA32_APIC_BASE, more of the machine, options, the mode that there must be.
# The other processors are where the firmware left them.
STATES = {
    "on_from_the_start": ([X2APIC], [], "", "x2APIC"),
    "on_and_asked_for": ([X2APIC], [], "apic=x2apic", "x2APIC"),
    "off": ([OFF], [], "", "xAPIC"),
    "off_and_asked_for": ([OFF], [], "apic=x2apic", "x2APIC"),
    "all_on": ([], FIRMWARE_FOR_MANY, "", "x2APIC"),
    "others_on": ([OFF, ON], FIRMWARE_FOR_MANY, "", "xAPIC"),
    "others_on_and_asked_for": ([OFF, ON], FIRMWARE_FOR_MANY, "apic=x2apic", "x2APIC"),
}


@pytest.fixture
def boot_x2apic(boot_machine, emulator):
    """
    boot_machine with an emulator whose processor has x2APIC mode; one that has it not may refuse
    what else is asked, so it is asked that alone.
    """
    head = boot_machine(qemu=emulator, command_line="list").judgement.log.header()
    if "x2APIC" not in head["features"].split(", "):
        pytest.skip("the emulator's processor has CPUID.01H:ECX[21].x2APIC = 0")

    def run(**fields):
        return boot_machine(qemu=emulator, **fields)

    return run


@pytest.fixture
def image(iso, tmp_path):
    """image([value, …]): one whose GRUB writes them to IA32_APIC_BASE, one after another."""

    def build(values):
        commands = [f"wrmsr 0x1b {value}" for value in values]
        return build_image(iso.with_name("btscheck.elf"), tmp_path, ["wrmsr"], commands)

    return build


OF_ONE_MODE = ("counters.delivery_status_is_not_written", "processors.interrupts_in_x2apic_mode")


def expect_rounds(boot, mode):
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert boot.judgement.log.header()["apic"] == mode, boot.explain()
    outcomes = {path: leaf.outcome for path, leaf in boot.judgement.log.leaves()}
    for name in ROUNDS:
        assert outcomes[f"selftest.{name}"] == "pass", boot.explain()


def test_every_suite_says_the_same_in_both_modes(boot_x2apic):
    xapic, x2apic = (
        boot_x2apic(processors=4, command_line=f"apic={mode} {PATIENT}")
        for mode in ("auto", "x2apic")
    )
    assert xapic.judgement.status == Status.PASS, xapic.explain()
    assert xapic.judgement.log.header()["apic"] == "xAPIC"
    assert x2apic.judgement.log.header()["apic"] == "x2APIC"
    assert x2apic.judgement.status == Status.PASS, x2apic.explain()
    assert not differences(xapic, x2apic, but=OF_ONE_MODE), x2apic.explain()


@pytest.mark.parametrize("processors", [2, 4])
@pytest.mark.parametrize("mode", ["xAPIC", "x2APIC"])
def test_processors_start_and_take_messages(boot_x2apic, mode, processors):
    asked = "apic=x2apic" if mode == "x2APIC" else ""
    expect_rounds(boot_x2apic(processors=processors, command_line=f"{ALL_ROUNDS} {asked}"), mode)


@pytest.mark.parametrize("state", STATES)
def test_processors_start_from_every_state(boot_x2apic, image, state):
    values, more, asked, mode = STATES[state]
    boot = boot_x2apic(iso=image(values), extra=more, command_line=f"{ALL_ROUNDS} {asked}")
    expect_rounds(boot, mode)


def test_every_suite_runs_with_x2apic_on_from_the_start_under_uefi(boot_x2apic, image):
    boot = boot_x2apic(iso=image([X2APIC]), firmware="uefi")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert boot.judgement.log.header()["apic"] == "x2APIC"
    skipped = {path for path, leaf in boot.judgement.log.leaves() if "x2APIC" in leaf.reason}
    assert skipped == set(OF_ONE_MODE)


# apic_mode_is_locked() says yes: MOV EAX, 1 and RET in its place.
LOCKED = ["set var *(unsigned char (*)[6])apic_mode_is_locked = {0xb8, 1, 0, 0, 0, 0xc3}"]


def test_mode_that_is_locked_is_not_left(boot_x2apic, image, iso):
    """What would switch the local APIC off is skipped, by the bit that says so."""
    off = ["counters.interrupts_come_again_after_the_apic_was_off"]
    off += ["processors.a_running_one_is_not_started.apic_off_and_on"]
    words = f"{ALL_ROUNDS},{SUITE},{off[0]}"
    with patched(iso.with_name("btscheck.elf"), LOCKED) as options:
        boot = boot_x2apic(iso=image([X2APIC]), extra=options, command_line=words)
    expect_rounds(boot, "x2APIC")
    head = boot.judgement.log.header()
    assert head["apic mode"] == "locked (IA32_XAPIC_DISABLE_STATUS[0] = 1)"
    why = "the local APIC is locked in x2APIC mode: IA32_XAPIC_DISABLE_STATUS[0] = 1"
    leaves = dict(boot.judgement.log.leaves())
    for name in off:
        assert leaves[name].reason.startswith(why), boot.explain()


def test_more_processors_than_eight_bits_can_name(boot_x2apic):
    """A test that starts them all has more time: they share the host's processors."""
    boot = boot_x2apic(processors=288, command_line=f"{ALL_ROUNDS},{SUITE} timeout=60")
    expect_rounds(boot, "x2APIC")
    told = "288, those with APIC id 0, 1, 2, 287 are used"
    assert boot.judgement.log.header()["processors"] == told


@pytest.mark.parametrize("values", [[], [OFF, ON]], ids=["as_found", "processor_0_in_xapic"])
def test_ids_above_254_among_few_processors(boot_x2apic, image, values):
    """
    Two sockets of 200: the second one's first processor has number 256. Nobody asks for x2APIC
    mode, and the firmware's may be gone.
    """
    model = machine.Machine().cpu_string().split(",")[0]
    second = f"{model}-x86_64-cpu,socket-id=1,core-id=0,thread-id=0"
    sparse = ["-smp", "2,sockets=2,cores=200,threads=1,maxcpus=400", "-device", second]
    boot = boot_x2apic(iso=image(values), extra=sparse, command_line=f"{ALL_ROUNDS},{SUITE}")
    expect_rounds(boot, "x2APIC")
    assert boot.judgement.log.header()["processors"] == "3"


def test_x2apic_that_is_not_there_is_refused(boot_machine):
    boot = boot_machine(cpu="max,-x2apic", command_line="apic=x2apic test=probe.*")
    assert boot.judgement.status == Status.ERROR, boot.explain()
    assert "x2APIC mode is asked for, but CPUID.01H:ECX[21].x2APIC = 0" in boot.text
    assert boot.judgement.log.header()["apic"] == "xAPIC"
