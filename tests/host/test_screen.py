# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person sees at the machine: the screen is read back and held against the log."""

import os
import re
import struct
import subprocess
import tempfile
from pathlib import Path

import ktap
import pytest
from conftest import ROOT
from machine import Machine
from screen import load_font, read_framebuffer, screen_of

# A screen: firmware, and the size of its framebuffer; None for the VGA's text of 80 by 25.
SCREENS = {
    "text": ("bios", None),
    "bios-640x480": ("bios", (640, 480)),
    "bios-1920x1080": ("bios", (1920, 1080)),
    "uefi-800x600": ("uefi", (800, 600)),
    "uefi-2560x1440": ("uefi", (2560, 1440)),
}
END = r"^the run is over: "  # the foot of the screen, which comes last
FAILED = re.compile(
    r"failed: (\S+); claims:((?: \S+?)+)(?:; (\d+) subtests? failed, first: (\S+))?"
)
FRAMEBUFFER_TAG = struct.pack("<HHIIII", 5, 1, 20, 0, 0, 32)  # boot/multiboot2_header.S
UNKNOWN_TAG = 0x7F05


@pytest.fixture(scope="session")
def text_iso(iso, tmp_path_factory):
    """The image, but that it asks GRUB for no framebuffer: GRUB leaves the screen in text mode."""
    folder = tmp_path_factory.mktemp("text")
    elf = (iso.parent / "btscheck.elf").read_bytes()
    assert elf.count(FRAMEBUFFER_TAG) == 1
    other = struct.pack("<H", UNKNOWN_TAG) + FRAMEBUFFER_TAG[2:]
    (folder / "btscheck.elf").write_bytes(elf.replace(FRAMEBUFFER_TAG, other))
    command = [str(ROOT / "iso/build"), str(folder / "btscheck.elf"), str(folder / "text.iso")]
    subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return folder / "text.iso"


@pytest.fixture
def see(iso, text_iso, tmp_path):
    """see(screen, command line, …): (rows of the screen once the pattern is there, the log)."""

    def run(name, command_line, pattern=END, ending="halt", **fields):
        firmware, size = SCREENS[name]
        machine = Machine(iso=iso, firmware=firmware, command_line=f"exit={ending} {command_line}")
        if size is None:
            machine.iso = text_iso
        else:
            machine.extra += ["-global", f"VGA.xres={size[0]}", "-global", f"VGA.yres={size[1]}"]
        machine.extra += fields.pop("extra", [])
        for field, value in fields.items():
            setattr(machine, field, value)
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        log = folder / "log"
        with screen_of(machine, folder, size, f"file,path={log}") as screen:
            rows = screen.wait_for(pattern)
        return rows, ktap.read(log.read_bytes())

    return run


def unwrapped(rows):
    """The lines of a page: what is wrapped goes on behind four blanks."""
    return "\n".join(rows).replace("\n    ", " ").split("\n")


def claims_of(log, test):
    """What the log says, before its `not ok`, that the test has broken."""
    line = test.line - 1
    while log.lines[line - 1].startswith("  #"):
        line -= 1
        if match := re.fullmatch(r"  # claims:((?: \S+)+)", log.lines[line]):
            return match[1]
    return " none"


def failures_of(log):
    """(name, claims, number of subtests that failed or None, the first of them) of each."""
    found = []
    for name, test in log.tests():
        if test.ok:
            continue
        parts = [child.name for child in test.children if not child.ok]
        count, first = (str(len(parts)), parts[0]) if parts else (None, None)
        found.append((name, claims_of(log, test), count, first))
    return found


def check_head(lines, log):
    """Verdict, version, processor and totals, each once and as in the log."""
    header = log.header()
    assert [line for line in lines if "verdict" in line] == [
        f"verdict: {log.verdict}        btscheck {header['btscheck']}"
    ]
    assert lines.count(f"cpu: {header['cpu']}, hypervisor: {header['hypervisor']}") == 1, lines
    signature = f"signature: {header['signature']}, microcode {header['microcode']}"
    assert lines.count(signature) == 1, lines
    n = log.totals
    totals = (
        f"tests: {n['planned']} planned, {n['run']} run: {n['pass']} passed, {n['fail']} failed,"
        f" {n['skip']} skipped, {n['xfail']} known errata"
    )
    assert lines.count(totals) == 1 and "totals" not in "\n".join(lines), lines


def check_page(rows, log):
    """The whole of a page but a crash's: returns how many failures it shows."""
    lines = unwrapped(rows)
    check_head(lines, log)
    shown = [match.groups() for line in lines if (match := FAILED.fullmatch(line))]
    more = [
        int(match[1]) for line in lines if (match := re.fullmatch(r"\.\.\. and (\d+) more", line))
    ]
    failures = failures_of(log)
    assert shown == failures[: len(shown)], lines
    assert len(shown) + sum(more) == len(failures) == log.totals["fail"]
    skipped = [int(n) for n in re.findall(r"^skipped: (\d+),", "\n".join(lines), re.M)]
    assert more or sum(skipped) == log.totals["skip"], lines
    return len(shown)


@pytest.mark.parametrize("name", SCREENS)
def test_last_screen_says_what_failed_on_what(see, name):
    tests = "probe.*,selftest.deliberate_failure,selftest.deliberate_subtest_failure"
    rows, log = see(name, f"test={tests}")
    assert log.verdict == "FAIL" and check_page(rows, log) == 2
    assert "failed: selftest.deliberate_failure; claims: BTS-1" in unwrapped(rows)


@pytest.mark.parametrize("name", ["text", "bios-640x480", "bios-1920x1080"])
def test_more_failures_than_rows_are_counted(see, emulator, name):
    suites = "probe,table17_6,circular,threshold,ring3,isr"
    fault = {"qemu": emulator, "variation": "x-ds-fault=ds-area-missing"}
    rows, log = see(name, f"test={suites}", **fault)
    shown = check_page(rows, log)
    assert shown >= 5, rows
    assert shown == log.totals["fail"] or len([row for row in rows if not row]) <= 3, rows
    assert shown < log.totals["fail"] or name != "text", "too few failures to try that"


@pytest.mark.parametrize("name", ["text", "bios-640x480"])
def test_last_screen_of_a_pass_counts_what_was_skipped(see, emulator, name):
    rows, log = see(name, "", qemu=emulator)
    assert log.verdict == "PASS" and check_page(rows, log) == 0
    rows, log = see(name, "")
    assert log.verdict == "SKIP" and check_page(rows, log) == 0
    assert any(re.match(r"skipped: \d+, BTS: CPUID", row) for row in rows), rows


@pytest.mark.parametrize("name", ["text", "bios-640x480"])
def test_crash_leaves_reason_test_backtrace_and_registers(see, name):
    rows, log = see(name, "test=selftest.deliberate_page_fault")
    lines = unwrapped(rows)
    check_head(lines, log)
    assert lines.count(f"crash: {log.bail_out}") == 1 and "CR2 0x7ffffff123" in log.bail_out
    assert "test: selftest.deliberate_page_fault" in lines
    start = log.lines.index("# backtrace:") + 1
    trace = [line[2:].strip() for line in log.lines[start:] if line.startswith("#     ")]
    assert [line.split()[-1] for line in lines if re.match("at |called by ", line)] == trace != []
    values = {
        name: value
        for line in log.lines
        for name, value in re.findall(r"(r\w+|cr\d) +([0-9a-f]{16})", line)
    }
    seen = dict(re.findall(r"(r\w+|cr\d) +([0-9a-f]{16})", "\n".join(lines)))
    assert seen == values and len(seen) == 22


@pytest.mark.parametrize("name", ["text", "bios-1920x1080"])
def test_progress_stands_below_the_log(see, name):
    tests = "probe.*,selftest.deliberate_failure,selftest.deliberate_hang"
    rows, log = see(name, f"test={tests} timeout=100", pattern=r"^selftest\.deliberate_hang$")
    assert log.verdict is None
    assert re.fullmatch(
        r"suite 2 of 2, test 2 of 2, failed so far: 1; this one began after \d+ s", rows[-2]
    ), rows
    assert "  not ok 1 deliberate_failure" in rows[:-2]


def test_progress_counts_repetitions(see):
    pattern = r"^selftest\.\w+, repetition [1-9]\d* of 1000$"
    rows, _ = see(
        "text", "test=selftest.comparison_finds_every_difference repeat=1000", pattern=pattern
    )
    assert rows[-2].startswith("suite 1 of 1, test 1 of 1, failed so far: 0; ")


@pytest.mark.parametrize("command_line", ["tset=probe", "list test=probe.ds_area_exists"])
def test_where_no_test_ran_the_log_stays(see, command_line):
    rows, log = see("text", command_line)
    lines = [line for line in log.lines if line]
    told = "".join(rows)
    assert "".join(lines[-5:]).replace(" ", "") in told.replace(" ", ""), rows
    assert told.count("# verdict: ") == 1


def test_machine_that_stays_on_is_told_beside_the_page(see):
    """Its ACPI tables do not say how. The log ends with its verdict all the same."""
    tests = "test=selftest.deliberate_failure"
    extra = ["-machine", "acpi=off"]
    rows, log = see(
        "text",
        tests,
        pattern="^the DSDT has no package _S5 of constants$",
        ending="acpi",
        extra=extra,
    )
    assert rows[-2] == "still on", rows
    assert check_page(rows[:-2], log) == 1
    assert f"# power: still on: {rows[-1]}" in log.lines and rows[-1]
    assert not log.problems and not log.goes_on


def test_serial_port_that_is_not_there_is_told_on_the_screen(see):
    rows, log = see(
        "bios-1920x1080",
        "console=serial:com4,9600 test=selftest.deliberate_hang timeout=100",
        r"^selftest\.deliberate_hang$",
    )
    assert not [line for line in log.lines if "KTAP" in line]
    told = "# console without serial: no UART at port 0x2e8; console=serial:PORT names another"
    assert told in rows


def test_screen_changes_nothing_in_the_log(boot_machine):
    """But for what is measured, and the line that says so."""
    tests = "test=probe.*,selftest.deliberate_failure,selftest.deliberate_subtest_failure repeat=3"
    other = re.compile(r"# (tsc|time|smi count|command line): ")
    logs = [
        [line for line in boot.judgement.log.lines if not other.match(line)]
        for console in ("serial", "serial,screen")
        for boot in [boot_machine(command_line=f"{tests} console={console}")]
    ]
    assert logs[0] == logs[1]


def test_reader_of_the_screen_finds_what_is_wrong():
    """A letter that lacks a pixel is unreadable, and nothing reads as something."""
    font = load_font()
    shape = next(shape for shape, letter in font.items() if letter == "A")
    ink = [[0] * 8] + [list(shape[i : i + 8]) for i in range(0, len(shape), 8)] + [[0] * 8] * 2

    def picture(rows):
        return b"P6\n8 16\n255\n" + b"".join(bytes([dot * 200] * 3) for row in rows for dot in row)

    assert read_framebuffer(picture(ink), font) == ["A"]
    row = next(y for y in range(16) if any(ink[y]))
    ink[row] = [0] * 8
    assert read_framebuffer(picture(ink), font) == ["\ufffd"]
    assert read_framebuffer(picture([[0] * 8] * 16), font) == [""]
