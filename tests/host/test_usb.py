# SPDX-License-Identifier: GPL-2.0-or-later
"""USB controllers that raise SMIs until the firmware is asked to let go: the device, the kernel."""

import pytest
from conftest import STILL_RUNS
from judge import Status

FIRMWARE, SYSTEM, LEGACY = 1 << 16, 1 << 24, 1
MOST = 2 * 1000 // 10  # SMIs in a tenth of a second, at 1000 a second; a busy host has less


def run_usb(run_guest, kind, more=""):
    device = f"usb-by-smi,kind={kind},rate=1000{more}"
    return run_guest("usb", options=["-device", device]).numbers


def test_uhci_raises_smis_until_its_enables_are_clear(run_guest):
    numbers = run_usb(run_guest, "uhci")
    assert numbers["class"] == 0x0C0300
    assert numbers["before_hand_over"] == 0 and 0 < numbers["owned"] < MOST
    assert numbers["disabled"] == 0


@pytest.mark.parametrize(("kind", "interface"), [("ehci", 0x20), ("xhci", 0x30)])
@pytest.mark.parametrize("stubborn", [False, True])
def test_owner_enables_its_smis_again(run_guest, kind, interface, stubborn):
    """Clearing the enables is no use before; the owner lets go when asked, or is made to."""
    numbers = run_usb(run_guest, kind, ",stubborn=on" if stubborn else "")
    assert numbers["class"] == 0x0C0300 | interface
    assert numbers["before_hand_over"] == 0
    assert all(0 < numbers[when] < MOST for when in ("owned", "disabled", "asked")), numbers
    assert numbers["owners"] & ~0xFF00 == FIRMWARE | LEGACY
    assert numbers["owners_asked"] & ~0xFF00 == SYSTEM | LEGACY | FIRMWARE * stubborn
    assert numbers["owners_taken"] & ~0xFF00 == SYSTEM | LEGACY
    assert (numbers["taken"], numbers["control_taken"]) == (0, 0)


@pytest.mark.parametrize("kind", ["ehci", "xhci"])
def test_machine_whose_firmware_never_had_it_is_upset_by_the_semaphore(run_guest, kind):
    """Clearing the enables is all that it takes, and does no harm."""
    device = f"usb-by-smi,kind={kind},rate=1000,owner=system"
    guest = run_guest("usb", options=["-device", device, "-smp", "2"], time=15)
    numbers = dict(guest.lines)
    assert guest.status == STILL_RUNS and list(numbers)[-1] == "owners", guest
    assert 0 < numbers["owned"] < MOST and numbers["disabled"] == 0
    assert numbers["owners"] & ~0xFF00 == LEGACY


@pytest.mark.parametrize(
    "options",
    ["kind=uhci,owner=system", "kind=ehci,stubborn=on,owner=system", "kind=ehci,owner=me"],
)
def test_owners_that_cannot_be_are_refused(run_guest, options):
    guest = run_guest("usb", options=["-device", f"usb-by-smi,{options}"])
    assert guest.status == 1 and not guest.lines
    assert "owner is firmware, or system: no UHCI, and not stubborn" in guest.messages


@pytest.mark.parametrize("options", ["kind=ohci", "rate=5", "kind=ehci,rate=0"])
def test_controllers_that_cannot_be_are_refused(run_guest, options):
    guest = run_guest("usb", options=["-device", f"usb-by-smi,{options}"])
    assert guest.status == 1 and not guest.lines
    assert "kind is uhci, ehci or xhci, rate from 1 to 10000" in guest.messages


@pytest.mark.parametrize(
    ("board", "told"),
    [
        ("usb-keyboard", "xHCI 00:14.0, EHCI 00:1d.0"),
        ("usb-keyboard-kept", "EHCI 00:1d.0 (by force), UHCI 00:1a.0"),
    ],
)
@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_kernel_takes_them_and_meets_no_smi(boot_machine, emulator, board, told, firmware):
    """Half a second of counting, where some hundred would come."""
    boot = boot_machine(
        qemu=emulator, board=board, firmware=firmware, command_line="test=counters.*"
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert f"# usb: taken from the firmware, which raises SMIs: {told}\n" in boot.text
    assert "an SMI came amid them" not in boot.text


def test_last_line_names_what_is_taken_and_an_option_leaves_it(boot_machine, emulator):
    line = "# usb: taking xHCI 00:14.0 from the firmware\n"
    for option, times in (("take", 1), ("leave", 0)):
        boot = boot_machine(
            qemu=emulator,
            board="usb-keyboard",
            command_line=f"usb={option} test=probe.ds_area_exists",
        )
        assert boot.judgement.status == Status.PASS, boot.explain()
        assert boot.text.count(line) == times and boot.text.count("# usb:") == 3 * times
