# SPDX-License-Identifier: GPL-2.0-or-later
"""Firmware of 32 bits under a processor of 64: early Macs, small tablets."""

import shutil
from pathlib import Path

import pytest
from judge import Status

FIRMWARE = Path("/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd")  # Debian's package ovmf-ia32
VARIABLES = Path("/usr/share/OVMF/OVMF32_VARS_4M.fd")
LOADER = Path("/usr/lib/grub/i386-efi/moddep.lst")  # grub-efi-ia32-bin
MEGABYTES = 512

pytestmark = [
    pytest.mark.skipif(not FIRMWARE.exists(), reason="no 32-bit UEFI firmware (ovmf-ia32)"),
    pytest.mark.skipif(not LOADER.exists(), reason="no GRUB for it (grub-efi-ia32-bin)"),
]


@pytest.fixture
def firmware(tmp_path):
    """The options that put it in the place of the usual one; no key is enrolled in it."""
    variables = tmp_path / "variables"
    shutil.copy(VARIABLES, variables)
    flash = "if=pflash,format=raw"
    return [
        *("-global", "driver=cfi.pflash01,property=secure,value=on"),
        *("-drive", f"{flash},unit=0,readonly=on,file={FIRMWARE}"),
        *("-drive", f"{flash},unit=1,file={variables}"),
    ]


@pytest.mark.parametrize("medium", ["cd", "usb"])
def test_it_starts(boot_machine, emulator, firmware, medium):
    boot = boot_machine(
        qemu=emulator,
        medium=medium,
        memory=MEGABYTES,
        extra=firmware,
        command_line="test=probe,circular,processors.traces_are_its_own",
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert "# firmware: UEFI" in boot.text


def test_a_processor_of_32_bits_is_told(boot_machine, firmware):
    boot = boot_machine(cpu="coreduo", memory=MEGABYTES, extra=firmware)
    assert boot.judgement.status == Status.ERROR, boot.explain()
    assert "no long mode" in boot.text or "64-bit" in boot.text
