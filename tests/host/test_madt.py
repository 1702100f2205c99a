# SPDX-License-Identifier: GPL-2.0-or-later
"""
Whole machines whose MADT lists other processors than there are: GRUB puts a table of ours into the
place of the firmware's.
"""

import pytest
from patched import build_image
from judge import Status

DEAF = "it executed nothing after INIT and four start-up messages"
EVERYBODY = 0xFF

IOAPIC = bytes([1, 12, 0, 0]) + (0xFEC00000).to_bytes(4, "little") + bytes(4)
TIMER_TO_PIN_2 = bytes([2, 10, 0, 0]) + (2).to_bytes(4, "little") + bytes(2)
NMI_OF_X2APIC = bytes([10, 12, 0, 0]) + b"\xff\xff\xff\xff" + bytes([1, 0, 0, 0])
WAKE_UP = bytes([16, 16, 0, 0]) + bytes(4) + (0x7F000000).to_bytes(8, "little")


def processor(apic_id, flags=1):
    return bytes([0, 8, apic_id & 0xFF, apic_id]) + flags.to_bytes(4, "little")


def x2apic(apic_id, flags=1):
    return bytes([9, 16, 0, 0]) + b"".join(n.to_bytes(4, "little") for n in (apic_id, flags, 7))


def madt(*entries):
    body = (0xFEE00000).to_bytes(4, "little") + (1).to_bytes(4, "little") + b"".join(entries)
    head = b"APIC" + (36 + len(body)).to_bytes(4, "little") + b"\3\0BTSCHKMADETEST"
    table = bytearray(head.ljust(36, b"\0") + body)
    table[9] = -sum(table) % 256
    return bytes(table)


@pytest.fixture
def boot_madt(boot_machine, emulator, iso, tmp_path):
    """boot_madt([entry, …], more of Machine): the judgement, and the head of its log."""

    def run(entries, **fields):
        commands = ["acpi --exclude=APIC /boot/madt"]
        table = madt(*entries, IOAPIC, TIMER_TO_PIN_2)
        kernel = iso.with_suffix(".elf")
        image = build_image(kernel, tmp_path, ["acpi"], commands, {"madt": table})
        fields.setdefault("command_line", "test=processors.traces_are_its_own,probe.*")
        return boot_machine(qemu=emulator, iso=image, **fields)

    return run


def head_of(boot, status=Status.PASS):
    assert boot.judgement.status == status, boot.explain()
    return boot.judgement.log.header()


def not_used(boot):
    """APIC id -> why, as the log says it."""
    key = "# processor with APIC id "
    lines = [line[len(key) :] for line in boot.text.splitlines() if line.startswith(key)]
    return {int(line.split()[0]): line.split(": ", 1)[1] for line in lines}


def outcome(boot, test):
    leaf = dict(boot.judgement.log.leaves()).get(test)
    return leaf and leaf.outcome


def test_processors_that_do_not_answer_are_named_and_the_others_used(boot_madt):
    """Of two sockets of three processors: the nearest is not there, nor is the farthest."""
    listed = [processor(n) for n in (0, 3, 4, 5, 6, 7)]
    names = ["processors.traces_are_its_own", "selftest.every_processor_comes"]
    boot = boot_madt(
        listed, processors="6,sockets=2,cores=3,threads=1", command_line="test=" + ",".join(names)
    )
    assert head_of(boot)["processors"] == "6, those with APIC id 0, 4, 5, 6 are used"
    assert not_used(boot) == {3: DEAF, 7: DEAF}
    assert [outcome(boot, names[0] + f".processor_{n}") for n in (1, 2, 3)] == ["pass"] * 3
    assert outcome(boot, names[1]) == "pass"


def test_no_other_answers(boot_madt):
    boot = boot_madt([processor(n) for n in (0, 2, 3)], processors=1)
    assert head_of(boot)["processors"] == "3, those with APIC id 0 are used"
    assert not_used(boot) == {2: DEAF, 3: DEAF}
    assert "second processor" in boot.judgement.log.header()["features absent"]
    assert f"# SKIP needs a second processor: that with APIC id 2: {DEAF}" in boot.text


def test_many_that_do_not_answer_take_some_seconds(boot_madt):
    """A second each, more where the host is busy; ten in all, whoever has not been called then."""
    boot = boot_madt([processor(n) for n in (0, 1, *range(100, 250))], processors=2)
    head = head_of(boot)
    assert head["processors"] == "152, those with APIC id 0, 1 are used"
    assert 1 <= len(not_used(boot)) <= 8 and set(not_used(boot).values()) == {DEAF}
    assert head["processors that were not called"] == "those behind them, the time was up"


def test_no_other_is_started_when_told(boot_machine, emulator):
    words = "test=probe.*,processors.traces_are_its_own cpu=one"
    boot = boot_machine(qemu=emulator, processors=4, command_line=words)
    head, why = head_of(boot), "cpu=one on the command line: no other is started"
    assert head["processors"] == "4, those with APIC id 0 are used"
    assert head["other processors"] == why and "starting for a trial" not in head
    assert f"SKIP needs a second processor: {why}" in boot.text


ODD_LISTS = {
    "in_both_kinds_of_entry": [processor(0), x2apic(1), processor(1), x2apic(0), x2apic(2)],
    "in_the_wrong_order": [x2apic(2), processor(1), NMI_OF_X2APIC, processor(0)],
    "without_the_one_that_booted": [processor(1), processor(2)],
    "beside_those_that_may_come_later": [
        *(processor(n, flags=2 * (n % 2)) for n in range(3, 200)),
        *(processor(n) for n in range(3)),
        *(x2apic(n, flags=2) for n in range(300, 400)),
    ],
    "beside_everybody": [processor(n) for n in (0, 1, 2, EVERYBODY)] + [x2apic(0xFFFFFFFF)],
}


@pytest.mark.parametrize("name", ODD_LISTS)
def test_processors_that_are_there_are_used_however_they_are_listed(boot_madt, name):
    boot = boot_madt(ODD_LISTS[name], processors=3)
    assert head_of(boot)["processors"] == "3" and not not_used(boot), boot.explain()
    assert outcome(boot, "processors.traces_are_its_own.processor_2") == "pass"


BAD_LISTS = {
    "wake_up": ([processor(0), processor(1), WAKE_UP], "the MADT has a wake-up mailbox"),
    "short": ([processor(0), b"\0\7" + bytes(5)], "a processor entry of the MADT is too short"),
    "endless": ([processor(0), processor(1), bytes(2)], "an entry of the MADT has an impossible"),
}


@pytest.mark.parametrize("name", BAD_LISTS)
def test_list_that_cannot_be_used_is_named(boot_madt, name):
    entries, why = BAD_LISTS[name]
    boot = boot_madt(entries, processors=2)
    head = head_of(boot)
    assert why in head["other processors"]
    assert "second processor" in head["features absent"]
    assert why in boot.text.split("# other processors")[1].split("traces_are_its_own", 1)[1]


def test_who_shares_a_core_and_a_package_is_told(boot_machine, emulator):
    boot = boot_machine(
        qemu=emulator,
        processors="6,sockets=2,cores=2,threads=2,maxcpus=8",
        command_line="test=probe.*",
    )
    assert head_of(boot)["topology"] == (
        "APIC id 0; 1 in the same core, 2 in the same package, 5 in another package (CPUID.0BH)"
    )
