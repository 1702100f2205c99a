# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator as a machine: small guests (guests/) see what the kernel does not look at."""

import machine
import pytest
from conftest import ENDED, STILL_RUNS, build_guest, hollow_image, numbers_of
from judge import Status
from transport import Limits, boot


@pytest.mark.parametrize("profile", ["core2", "skylake", "icelake"])
def test_write_that_starts_a_counter_is_counted_whatever_else_counts(run_guest, profile):
    """Five instructions, and the WRMSR before them, which acts before it retires; not the last."""
    guest = run_guest("counting", profile)
    assert len(guest.lines) == 12 and set(guest.numbers.values()) == {6}, guest.lines


def test_sampling_into_two_pages_stops_core_2_for_ever(run_guest):
    stopped = run_guest("hang", "core2-45nm", time=15)
    assert (stopped.status, stopped.lines) == (STILL_RUNS, [("one_page", 1)])
    assert run_guest("hang", "core2").numbers == {"one_page": 1, "two_pages": 2}


def test_a_write_to_the_uncore_is_told(run_guest):
    guest = run_guest("uncore", "sandybridge")
    assert guest.numbers == {"kept": 5}
    assert "processor 0 writes MSR 391H of the uncore: 0x5" in guest.messages
    assert "391H" not in run_guest("uncore", "skylake").messages


def test_microcode_has_a_counter_until_it_is_taken_back(run_guest):
    numbers = run_guest("force_abort", "skylake-server").numbers
    assert (numbers["enumerated"], numbers["at_first"]) == (1 << 13, 0)
    assert (numbers["taken"], numbers["given_back"]) == (0, 1004)


def test_hybrid_core_has_more_than_it_is_told(run_guest):
    numbers = run_guest("registers", "icelake", ",x-ds-hybrid=on").numbers
    assert numbers["leaf_7"] & 1 << 15 and numbers["leaf_0xa"] == 0x08300605
    numbers = run_guest("registers", "icelake").numbers
    assert not numbers["leaf_7"] & 1 << 15 and numbers["leaf_0xa"] == 0x08300805


@pytest.mark.parametrize("profile", ["lunarlake", "hybrid", "pantherlake"])
def test_newer_leaves_are_there(run_guest, profile):
    """Leaf 0AH tells of what both kinds of core have; FRED, LASS and LAM on one of them alone."""
    numbers = run_guest("registers", profile).numbers
    newest = profile == "pantherlake"
    assert numbers["leaf_7"] & 1 << 15 and numbers["leaf_0xa"] == 0x0D300806
    assert numbers["leaf_0"] >= 0x23 and numbers["leaf_0x23"] & 0xB == 0xB
    assert numbers["leaf_0x1a"] == (0x40000004 if newest else 0x40000003)
    assert numbers["leaf_7_1"] & 0x4020140 == (0x4020140 if newest else 0x100)


@pytest.mark.parametrize("fast", ["on", "off"])
def test_records_where_memory_or_mode_is_another(run_guest, fast):
    """100 times each; and the index after 5000 records."""
    numbers = run_guest("fast_path", more=f",x-ds-fast={fast}").numbers
    assert numbers.pop("steps") == 5000
    places = ("old_ran", "new_ran", "moved", "stayed", "in_32_bits", "in_64_bits")
    assert numbers == {name: 100 for name in places}


def test_fault_of_a_processor_that_is_not_there_is_refused(run_guest):
    guest = run_guest("registers", "skylake", ",x-ds-fault=jmp-lost,x-ds-fault-cpu=1")
    assert not guest.numbers and "there is no such processor" in guest.messages


def signature_of(numbers):
    words = [numbers[f"hypervisor_{register}"] for register in ("ebx", "ecx", "edx")]
    return b"".join(word.to_bytes(4, "little") for word in words)


@pytest.mark.parametrize(
    ("given", "highest", "seen"),
    [
        ("", 0x40000001, b"TCGTCGTCGTCG"),
        (",x-ds-hypervisor=VMwareVMware", 0x40000000, b"VMwareVMware"),
        (",x-ds-hypervisor=KVMKVMKVM", 0x40000000, b"KVMKVMKVM\0\0\0"),
        (",x-ds-hypervisor= lrpepyh  vr", 0x40000000, b" lrpepyh  vr"),
        (",x-ds-hypervisor=Xen,x-ds-hypervisor=b", 0x40000000, b"b" + 11 * b"\0"),
    ],
)
def test_a_hypervisor_shows_its_signature(run_guest, given, highest, seen):
    numbers = run_guest("registers", more=given).numbers
    assert numbers["leaf_1_ecx"] & 1 << 31 and numbers["hypervisor_leaf"] == highest
    assert signature_of(numbers) == seen


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("x-ds-hypervisor=VMwareVMwareX", "wants a signature of 1 to 12 characters"),
        ("x-ds-hypervisor=", "wants a signature of 1 to 12 characters"),
        ("x-ds-hypervisor=VMwareVMware,hypervisor=off", "contradict each other"),
        ("hypervisor=off,x-ds-hypervisor=VMwareVMware", "contradict each other"),
        ("x-ds-hypervisor=VMwareVMware,pmu=off", "need accel=tcg and pmu=on"),
        ("x-ds-not-lent=bts,pmu=off", "need accel=tcg and pmu=on"),
        ("x-ds-not-lent=bt", "a facility is bts, "),
        ("x-ds-not-lent=bts:never", "after the colon comes fault or drop"),
        ("x-ds-not-lent=bts,x-ds-not-lent-way=never", "a way is fault or drop"),
        ("x-ds-not-lent-way=drop", "x-ds-not-lent-way needs x-ds-not-lent"),
    ],
)
def test_a_hypervisor_that_makes_no_sense_is_refused(run_guest, given, said):
    guest = run_guest("registers", more=f",{given}")
    assert not guest.lines and guest.status == 1 and said in guest.messages, guest


REFUSED = 0xBAD
TR, AREA = 0x40, 0x1000


@pytest.mark.parametrize(
    ("given", "debugctl", "area"),
    [
        ("", (0, 0, TR), (0, 0, AREA)),
        (",x-ds-not-lent=lbr+pmi", (0, 0, TR), (0, 0, AREA)),
        (",x-ds-not-lent=bts", (0, REFUSED, 0), (0, 0, AREA)),
        (",hypervisor=off,x-ds-not-lent=bts", (0, REFUSED, 0), (0, 0, AREA)),
        (",x-ds-not-lent-way=drop,x-ds-not-lent=bts", (0, 0, 0), (0, 0, AREA)),
        (",x-ds-not-lent=bts+ds-area,x-ds-not-lent-way=drop", (0, 0, 0), (0, 0, 0)),
        (",x-ds-not-lent=bts:drop+ds-area", (0, 0, 0), 2 * (REFUSED,)),
    ],
)
def test_what_a_hypervisor_does_not_lend(run_guest, given, debugctl, area):
    """Whether reading and writing is refused, and what is read then; CPUID tells of it as ever."""
    numbers = run_guest("registers", more=given).numbers
    names = ("read", "write", "again")
    assert tuple(numbers[f"debugctl_{name}"] for name in names) == debugctl
    assert tuple(numbers[f"ds_area_{name}"] for name in names)[: len(area)] == area
    assert numbers["leaf_1_ecx"] & 0x14 == 0x14 and numbers["leaf_0xa"] == 0x07300404


@pytest.mark.parametrize(("given", "came"), [("", 1), (",x-ds-not-lent=pmi", 0)])
def test_an_interrupt_that_a_hypervisor_does_not_lend(run_guest, given, came):
    numbers = run_guest("apic", more=given).numbers
    assert (numbers["pmis_before"], numbers["pmis_again"]) == (came, 2 * came)
    assert numbers["ipis"] == 1


LEAF_1C = {"sapphirerapids": 0x4000000B, "alderlake-p": 0x4000000B, "alderlake-e": 0xC000000B}


@pytest.mark.parametrize("profile", LEAF_1C)
def test_architectural_lbrs_are_enumerated(run_guest, profile):
    numbers = run_guest("registers", profile).numbers
    assert numbers["leaf_7"] & 1 << 19 and numbers["leaf_0"] >= 0x1C
    assert numbers["leaf_0x1c"] == LEAF_1C[profile]


XSAVES = {
    "xsavec_xsaves": 0xA,
    "supervisor": 1 << 15,
    "size": 808,
    "offset": 0,
    "kind": 1,
    "refused_by_cr4": 1,
    "enabled_size": 576 + 256 + 808,
    "refused_unaligned": 1,
    "refused_saving": 0,
    "state_bv": 0x8007,
    "comp_bv": 0x8007,
    "comp_bv_upper": 1 << 31,
    "control": 0x7F0006,
    "depth": 32,
    "upper_half": 8,
    "cleared": 0,
    "refused_loading": 0,
    "control_back": 0x7F0006,
    "upper_half_back": 8,
    "one": 1,
    "control_initial": 0,
    "refused_standard": 1,
    "control_in_handler": 0x7F0006,
    "entry_kept": 0,
}
ALIKE = {f"{name}_{when}": 0 for name in ("from", "to", "info") for when in ("differs", "back")}


def test_xsaves_holds_what_the_registers_hold(run_guest):
    numbers = run_guest("xsaves", "sapphirerapids").numbers
    assert numbers.pop("newest_from") == 0
    assert numbers == XSAVES | {name: 0 for name in ALIKE if name in numbers}
    without = run_guest("xsaves", "sapphirerapids", ",x-ds-xsaves-lbr=off").numbers
    assert (without["xsavec_xsaves"], without["refused_saving"]) == (0, 1)


@pytest.mark.parametrize(
    "fault, name", [("xsaves-lbr-reversed", "from_differs"), ("xrstors-lbr-info-kept", "info_back")]
)
def test_xsaves_that_does_not(run_guest, fault, name):
    assert run_guest("xsaves", "sapphirerapids", f",x-ds-fault={fault}").numbers[name] != 0


def test_architectural_lbrs_without_a_depth(run_guest):
    numbers = run_guest("registers", "icelake", ",x-ds-arch-lbr=on").numbers
    assert numbers["leaf_7"] & 1 << 19 and numbers["leaf_0"] >= 0x1C
    assert numbers["leaf_0x1c"] == 0
    assert not run_guest("registers", "icelake").numbers["leaf_7"] & 1 << 19


BASE = 0x10000


@pytest.mark.parametrize(("kind", "base"), [("linear", 0), ("effective", BASE), ("format", BASE)])
def test_addresses_in_a_segment_with_a_base(run_guest, kind, base):
    """Format 5 is one of offsets. The first branch begins in a segment whose base is 0."""
    numbers = run_guest("base", more=f",x-ds-lbr-address={kind}").numbers
    based = {name: number + base for name, number in numbers.items()}
    assert (based["near_from"], based["near_to"]) == (numbers["based"], numbers["near"])
    assert (numbers["far_from"], based["far_to"]) == (numbers["from_flat"], numbers["based"])
    assert based["back_from"] == numbers["near"]


AFTER_POWER_UP = {
    "svr": 0xFF,
    "lvt_pmc": 0x10000,
    "lvt_timer": 0x10000,
    "lvt_lint0": 0x10000,
    "tpr": 0,
    "ldr": 0,
    "dfr": 0xFFFFFFFF,
    "irr": 0,
    "icr": 0,
    "divide": 0,
    "timer_from": 0,
}


def test_apic_that_is_switched_on_again_starts_anew_and_delivers(run_guest):
    guest = run_guest("apic")
    numbers = guest.numbers
    assert [number for name, number in guest.lines if name == "cpuid"] == [0x200, 0, 0x200]
    assert numbers["base"] == 0xFEE00900
    assert {name: numbers[name] for name in AFTER_POWER_UP} == AFTER_POWER_UP
    interrupts = ("pmis_before", "pmis_off", "pmis_unprogrammed", "pmis_again", "pmis_kept")
    assert [numbers[name] for name in interrupts] == [1, 1, 1, 2, 3]
    assert (numbers["ipis"], numbers["ipis_kept"], numbers["svr_kept"]) == (1, 2, 0x1FF)


def test_instructions_arrive_where_they_must_in_both_rings(run_guest):
    """What a hypervisor is tried for before anything else, with as little as it takes."""
    guest = run_guest("rings")
    names = {"end", "sled", "split", "user_end", "user_sled", "user_split", "syscall"}
    assert {name for name in guest.numbers if not name.endswith(("_error_code", "_cr2"))} == names
    assert set(guest.numbers.values()) == {0}, guest.lines


@pytest.mark.parametrize("variation", ["", "x-ds-pmi-skid=5,x-ds-pmi-late=3"])
@pytest.mark.parametrize("shift", ["auto", "0", "7"])
def test_time_by_counted_instructions(boot_machine, emulator, shift, variation):
    """-icount: time is read and interrupts are raised in each way that the model has."""
    outcome = boot_machine(
        qemu=emulator,
        variation=variation,
        command_line="test=lbr.*,pebs.*,threshold.*,freeze.*,counters.* timeout=60",
        extra=["-icount", f"shift={shift}"],
    )
    assert outcome.judgement.status == Status.PASS, outcome.explain()


@pytest.mark.parametrize("ours", [True, False], ids=["ours", "stock"])
def test_machine_check_finds_a_processor_that_is_nearly_always_in_smm(emulator, tmp_path, ours):
    program = build_guest("machine_check", tmp_path)
    asking = machine.Machine(
        qemu=emulator if ours else machine.STOCK,
        iso=hollow_image(tmp_path / "image.iso"),  # a medium there must be
        processors=1,
        extra=["-kernel", str(program)],
    )
    outcome = boot(asking, tmp_path / "log", Limits(total=120, silence=60), show=lambda chunk: None)
    assert outcome.exit_code == ENDED, outcome
    ((name, smis_to_go),) = numbers_of(outcome.raw.decode())
    assert name == "smis_to_go" and smis_to_go > 0
