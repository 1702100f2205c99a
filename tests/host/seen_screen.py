# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines whose screen is looked at; the fixtures are for every file."""

import os
import re
import struct
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import ktap
import pytest
from conftest import ROOT
from machine import Machine
from screen import letters_of, screen_of

# A screen: firmware, and the size of its framebuffer; None for the VGA's text of 80 by 25.
SCREENS = {
    "text": ("bios", None),
    "bios-640x480": ("bios", (640, 480)),
    "bios-1024x768": ("bios", (1024, 768)),
    "bios-1920x1080": ("bios", (1920, 1080)),
    "uefi-800x600": ("uefi", (800, 600)),
    "uefi-3840x2160": ("uefi", (3840, 2160)),
}
# A large one wants memory, and a rate that the monitor's description has room for.
VGA = ["vgamem_mb=64", "refresh_rate=50000"]
END = r"^ ?the run is over: "  # comes last
DELIBERATE = "selftest.deliberate_failure,selftest.deliberate_subtest_failure"
HANG = "selftest.deliberate_hang timeout=100"
HANGS = r"^ selftest\.deliberate_hang, began after \d+ s$"
FRAMEBUFFER_TAG = struct.pack("<HHIIII", 5, 1, 20, 0, 0, 32)  # boot/multiboot2_header.S
UNKNOWN_TAG = 0x7F05


def build_other_iso(iso, folder, tag):
    """The image, but that it asks GRUB for another framebuffer."""
    elf = (iso.parent / "btscheck.elf").read_bytes()
    assert elf.count(FRAMEBUFFER_TAG) == 1
    (folder / "btscheck.elf").write_bytes(elf.replace(FRAMEBUFFER_TAG, tag))
    command = [str(ROOT / "iso/build"), str(folder / "btscheck.elf"), str(folder / "other.iso")]
    subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return folder / "other.iso"


@pytest.fixture(scope="session")
def text_iso(iso, tmp_path_factory):
    """The image, but that it asks GRUB for none: GRUB leaves the screen in text mode."""
    tag = struct.pack("<H", UNKNOWN_TAG) + FRAMEBUFFER_TAG[2:]
    return build_other_iso(iso, tmp_path_factory.mktemp("text"), tag)


@dataclass
class Seen:
    rows: list = field(default_factory=list)  # of the screen once the pattern is there
    cells: list = field(default_factory=list)  # of the same, or of the first page
    pages: list = field(default_factory=list)  # at the end, the rows of each
    log: ktap.Log = None


@pytest.fixture
def see(iso, text_iso, tmp_path):
    """see(screen, command line, …): what is seen once the pattern is there, then the pages, where
    they are asked for; then what `then` does with the screen."""

    def run(name, command_line, pattern=END, ending="halt", pages=False, then=None, **fields):
        firmware, size = SCREENS[name]
        machine = Machine(iso=iso, firmware=firmware, command_line=f"exit={ending} {command_line}")
        if size is None:
            machine.iso = text_iso
        else:
            for setting in (f"xres={size[0]}", f"yres={size[1]}", *VGA):
                machine.extra += ["-global", f"VGA.{setting}"]
        machine.extra += fields.pop("extra", [])
        for key, value in fields.items():
            setattr(machine, key, value)
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        log = folder / "log"
        seen = Seen()
        with screen_of(machine, folder, size, f"file,path={log}") as screen:
            seen.rows = screen.wait_for(pattern)
            seen.cells = screen.read_cells()
            if pages:
                seen.cells, *_ = cells = screen.read_pages()
                seen.pages = [letters_of(page) for page in cells]
            if then:
                then(screen)
        seen.log = ktap.read(log.read_bytes())
        return seen

    return run


def marks_of(rows):
    """Suite -> (mark, tests run, tests planned) as the screen has them."""
    entry = re.compile(r" +(ok|FAIL|skip|time|>>|\.) ([a-z]\w+) +(\d+)/(\d+)\b")
    return {
        match[2]: (match[1], int(match[3]), int(match[4]))
        for row in rows
        for match in entry.finditer(row)
    }


def unwrapped(pages):
    """The lines that flow over the pages: what is wrapped goes on behind four blanks, and all of
    it stands a column off the edge."""
    rows = [row[1:] for page in pages for row in page[1:-1]]
    return re.sub(r"\n {4}(?=\S)", " ", "\n".join(rows)).split("\n")
