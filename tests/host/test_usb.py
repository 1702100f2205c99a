# SPDX-License-Identifier: GPL-2.0-or-later
"""USB controllers that raise SMIs until the firmware is asked to let go."""

import pytest
from judge import Status


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


def test_what_is_left_to_the_firmware_raises_smis(boot_machine, emulator):
    boot = boot_machine(
        qemu=emulator, board="usb-keyboard", command_line="usb=leave test=counters.*"
    )
    assert "an SMI came amid" in boot.text, boot.explain()
    assert "# usb:" not in boot.text


def test_each_that_is_taken_is_named_before(boot_machine, emulator):
    boot = boot_machine(
        qemu=emulator, board="usb-keyboard", command_line="test=probe.ds_area_exists"
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert boot.text.count("# usb: taking xHCI 00:14.0 from the firmware\n") == 1
    assert boot.text.count("# usb:") == 3
