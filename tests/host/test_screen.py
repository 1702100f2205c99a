# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person sees at the machine: the screen is read back and held against the log."""

import os
import re
import struct
import time
from pathlib import Path

import pytest
from screen import (
    big_letters_of,
    columns_left_of_code,
    decode_qr,
    load_font,
    read_framebuffer,
)
from seen_screen import (
    DELIBERATE,
    FRAMEBUFFER_TAG,
    HANG,
    HANGS,
    SCREENS,
    build_other_iso,
    marks_of,
    unwrapped,
)

CODE_BESIDE_PAGE_1 = ("bios-1024x768", "bios-1920x1080", "uefi-3840x2160")
FAILED = re.compile(
    r"failed: (\S+); claims:((?: \S+?)+)(?:; (\d+) subtests? failed, first: (\S+))?"
)


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


def check_head(seen, lines):
    """Verdict, version, machine and totals, each once and as in the log."""
    log, header, n = seen.log, seen.log.header(), seen.log.totals
    for number, page in enumerate(seen.pages, 1):
        bar = re.fullmatch(
            r" verdict: (\S+)(?:   btscheck (\S+))?(?: +page (\d+) of (\d+))?", page[0]
        )
        assert bar and bar[1] == log.verdict, page[0]
        assert bar[2] == header["btscheck"] or number == len(seen.pages) > 1, page[0]
        assert (bar[3] or "1", bar[4] or "1") == (str(number), str(len(seen.pages))), page[0]
    text = "\n".join(lines)
    assert "verdict:" not in text
    assert lines.count(f"{header['cpu']}, hypervisor: {header['hypervisor']}") == 1, text
    assert lines.count(f"{header['signature']}, microcode {header['microcode']}") == 1, text
    assert len(re.findall(rf"^{header['firmware']}: \S.*\S$", text, re.M)) == 1, text
    assert lines.count("board: QEMU Standard PC (Q35 + ICH9, 2009)") == 1, text
    assert len(re.findall(rf"\b{n['run']} of {n['planned']} tests run\b", text)) == 1, text
    words = {"pass": "passed", "fail": "failed", "skip": "skipped", "xfail": "known errata"}
    for key, word in words.items():
        assert len(re.findall(rf"(?:^ *| |: |, ){n[key]} {word}(?! tests)", text, re.M)) == 1, (
            word,
            text,
        )


def check_claims(lines, log):
    """What is broken, as the log says it and in its order: kinds of finding, then claims."""
    told = [line.removeprefix("# broken: ") for line in log.lines if line.startswith("# broken: ")]
    shown = [line for line in lines if line in told]  # the code's page has some once more
    assert list(dict.fromkeys(shown)) == told, (lines, told)
    broke = {claim for _, claims, *_ in failures_of(log) for claim in claims.split()} - {"none"}
    claims = [line.split(": ")[1].split() for line in log.lines if "# broken claims: " in line]
    assert broke == set(*claims), (broke, claims)
    assert all(any(claim in line for line in told) for claim in broke), told
    unchecked = [line for line in log.lines if line.startswith("# not checked: ")]
    assert not broke & set(" ".join(unchecked).split()), "broken, so checked"


def check_pages(seen):
    """The whole of the pages but a crash's."""
    log, lines = seen.log, unwrapped(seen.pages)
    check_head(seen, lines)
    check_claims(lines, log)
    assert big_letters_of(seen.cells, load_font(), 2, 1) == log.verdict
    shown = [match.groups() for line in lines if (match := FAILED.fullmatch(line))]
    assert shown == failures_of(log)[: len(shown)], lines
    more = [int(match[1]) for line in lines if (match := re.match(r"\.\.\. and (\d+) more", line))]
    assert len(shown) + sum(more) == log.totals["fail"]
    assert not more or len(shown) == 120, lines
    skipped = [int(n) for n in re.findall(r"^skipped: (\d+),", "\n".join(lines), re.M)]
    assert sum(skipped) == log.totals["skip"], lines
    assert check_traits(lines, log)
    return lines


def check_traits(lines, log):
    """Each that is known with all values that the log has for it, and how many are not known."""
    told = {}
    for name, value in re.findall(r"^# trait: ([^=\s]+)=(\S+)", "\n".join(log.lines), re.M):
        told.setdefault(name, []).append(value)
    unknown = [name for name, values in told.items() if values == ["unknown"]]
    known = [
        f"{name}={'|'.join(dict.fromkeys(values))}"
        for name, values in told.items()
        if name not in unknown
    ]
    known = ", ".join(known) if known else "none"
    return f"traits: {known}; {len(unknown)} unknown" in lines


@pytest.mark.parametrize("name", SCREENS)
def test_last_pages_say_what_failed_on_what(see, name):
    seen = see(name, f"test=probe.*,{DELIBERATE}", pages=True)
    assert seen.log.verdict == "FAIL"
    lines = check_pages(seen)
    start = lines.index("failed: selftest.deliberate_failure; claims: BTS-1")
    assert re.fullmatch(
        r"found: tests/suites/instrument/selftest_deliberate\.c:\d+: the answer: "
        r"expected 42 \(0x2a\), got 41 \(0x29\)",
        lines[start + 1],
    ), lines
    assert [line for line in lines[start:] if line][3] == "found: failed on purpose", lines
    assert "broken claims: BTS-1 BTS-2" in lines
    has_code = columns_left_of_code(seen.cells) < len(seen.cells[0])
    assert has_code == (name in CODE_BESIDE_PAGE_1), seen.rows


@pytest.mark.parametrize("name", ["text", "bios-1024x768"])
def test_more_failures_than_rows_turn_pages(see, emulator, name):
    suites = "probe,table17_6,circular,threshold,ring3,isr"
    fault = {"qemu": emulator, "variation": "x-ds-fault=ds-area-missing"}
    seen = see(name, f"test={suites}", pages=True, **fault)
    check_pages(seen)
    assert seen.log.totals["fail"] > 40 and len(seen.pages) > 2, seen.pages


@pytest.mark.parametrize("name", ["text", "bios-640x480"])
def test_last_pages_of_a_pass_count_what_was_skipped(see, emulator, name):
    seen = see(name, "", qemu=emulator, pages=True)
    assert seen.log.verdict == "PASS"
    check_pages(seen)
    seen = see(name, "", pages=True)
    assert seen.log.verdict == "SKIP"
    assert [line for line in check_pages(seen) if re.match(r"skipped: \d+, BTS: CPUID", line)]


def test_errata_that_excuse_are_counted(see, emulator):
    command_line = "test=selftest.deliberate_deviation_fails"
    seen = see("text", command_line, pages=True)
    told = [line[2:] for line in seen.log.lines if line.startswith("# errata: ")]
    assert told and not set(told) - set(check_pages(seen)), told


@pytest.mark.parametrize("name", ["text", "bios-640x480", "bios-1920x1080", "uefi-800x600"])
def test_phone_reads_the_summary(see, name):
    """A decoder that others wrote finds it in the picture of the page that has it."""
    pytest.importorskip("zbar", reason="python3-zbar is not installed")
    codes = []

    def look(screen):
        pages = re.search(r"page 1 of (\d+)$", screen.read()[0])
        if name not in CODE_BESIDE_PAGE_1:
            screen.press("left")
            screen.wait_for(f"page {pages[1]} of {pages[1]}$")
        codes.extend(decode_qr(screen.picture()))

    log = see(name, f"test=probe.*,{DELIBERATE}", then=look).log
    failed = DELIBERATE.split(",")
    n, header = log.totals, log.header()
    signature = re.match(r"(\S+) stepping (\d+)", header["signature"])
    check = re.search(r"check=0x([0-9a-f]{8})", "\n".join(log.lines))[1]
    assert len(codes) == 1
    lines = codes[0].split("\n")
    assert lines[:4] == [
        f"btscheck {header['btscheck']}: FAIL",
        f"{signature[1]}-{signature[2]} ucode {hex(int(header['microcode'], 16))}",
        f"run {n['run']}/{n['planned']} pass {n['pass']} fail {n['fail']} skip {n['skip']}",
        f"check {check}",
    ]
    told = re.findall(r"^# broken: (.+)$", "\n".join(log.lines), re.M)
    shown = [line for line in lines[4:] if line in told]
    assert bool(shown) == (name == "uefi-800x600"), "the others have smaller codes"
    assert lines[4 : 4 + len(shown)] == shown
    assert re.fullmatch(r"claims BTS-1( BTS-2| \+1)", lines[4 + len(shown)]), lines
    named = lines[5 + len(shown) :]
    assert named in ([], ["+2 more"], [failed[0], "+1 more"], failed), lines


def test_pages_turn_by_themselves_until_a_key_is_pressed(see):
    ticks = []

    def watch(screen):
        screen.wait_for("page 2 of 4$", 20)
        screen.wait_for("page 3 of 4$", 20)
        screen.press("left")
        screen.wait_for("page 2 of 4$", 20)
        before = used_by(screen.process.pid)
        time.sleep(5)
        ticks.append(used_by(screen.process.pid) - before)
        screen.wait_for("page 2 of 4$", 1)

    see("text", f"test=probe.*,{DELIBERATE}", then=watch)
    assert ticks[0] < 2, f"{ticks[0]} s of 5: the processor does not halt"


def used_by(pid):
    """Seconds of processor time that the process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("name", ["text", "bios-640x480", "uefi-3840x2160"])
def test_crash_leaves_reason_test_backtrace_and_registers(see, name):
    """All of it on the first page: who knows whether a crashed machine can turn it."""
    seen = see(name, "test=selftest.deliberate_page_fault", pages=True)
    log, lines = seen.log, unwrapped(seen.pages[:1])
    check_head(seen, unwrapped(seen.pages))
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
    registers = dict(re.findall(r"(r\w+|cr\d) +([0-9a-f]{16})", "\n".join(lines)))
    assert registers == values and len(registers) == 22


def test_where_no_test_could_run_the_log_stays(see):
    seen = see("text", "tset=probe")
    lines = [line for line in seen.log.lines if line]
    told = "".join(seen.rows)
    assert "".join(lines[-5:]).replace(" ", "") in told.replace(" ", ""), seen.rows
    assert told.count("# verdict: ") == 1


def test_machine_that_stays_on_is_told_below_the_pages(see):
    """Its ACPI tables do not say how, or newer firmware has none of its own. The log ends with its
    verdict all the same."""
    seen = see(
        "text",
        "test=selftest.deliberate_failure",
        pattern="^ still on: ",
        ending="acpi",
        pages=True,
        extra=["-machine", "acpi=off"],
    )
    tables = "the DSDT has no package _S5 of constants", "ACPI: the loader gave no RSDP"
    told = [f"still on: {why}" for why in tables if f"# power: still on: {why}" in seen.log.lines]
    assert len(told) == 1, seen.log.lines
    assert re.fullmatch(rf" {re.escape(told[0])} {{3,}}any key: more ?", seen.rows[-1]), seen.rows
    check_pages(seen)
    assert not seen.log.problems and not seen.log.goes_on


@pytest.mark.parametrize("name", ["text", "bios-1920x1080"])
def test_serial_port_that_is_not_there_is_told_on_the_screen(see, name):
    seen = see(name, f"console=serial:com4,9600,screen test={HANG}", pattern=HANGS)
    assert not [line for line in seen.log.lines if "KTAP" in line]
    told = "console without serial: no UART at port 0x2e8; console=serial:PORT names another"
    assert told in unwrapped([seen.rows])


# What Debian 12's calls itself, and newer ones, each with its distribution before it.
OVMF = ["EFI Development Kit II / OVMF ", " distribution of EDK II "]


@pytest.mark.parametrize("firmware", ["text", "uefi-800x600"])
def test_board_is_named_as_its_tables_name_it(see, firmware):
    board = "type=2,manufacturer=Some Maker,product=Board 9"
    seen = see(firmware, f"test={HANG}", pattern=HANGS, extra=["-smbios", board])
    assert re.fullmatch(r" btscheck \S+ +Some Maker Board 9", seen.rows[0])
    makers = {"text": ["SeaBIOS "], "uefi-800x600": OVMF}
    assert any(maker in seen.rows[3] for maker in makers[firmware]), seen.rows[3]


@pytest.mark.parametrize("depth", [15, 16, 24, 32])
def test_every_depth_has_its_colours(see, iso, tmp_path, depth):
    """Of the bar at the top and of the one that says how far the run has come."""
    tag = FRAMEBUFFER_TAG[:-12] + struct.pack("<III", 640, 480, depth)
    other = build_other_iso(iso, tmp_path, tag)
    colours = []

    def look(screen):
        picture = screen.picture()
        colours.extend(colour_at(picture, *place) for place in ((2, 2), (12, 472)))

    seen = see("bios-640x480", f"test={DELIBERATE},{HANG}", pattern=HANGS, then=look, iso=other)
    assert marks_of(seen.rows) == {"selftest": (">>", 2, 3)}
    steps = {15: (8, 8, 8), 16: (8, 4, 8)}.get(depth, (1, 1, 1))
    for got, wanted in zip(colours, ((0x24, 0x50, 0x7C), (0xFF, 0x50, 0x50))):
        assert all(abs(a - b) <= step for a, b, step in zip(got, wanted, steps)), (got, wanted)
        assert (got == wanted) == (depth >= 24), f"{got}: this is no mode of {depth} bits"


def colour_at(picture, x, y):
    head = re.match(rb"P6\s+(\d+)\s+\d+\s+255\s", picture)
    return tuple(picture[head.end() + 3 * (y * int(head[1]) + x) :][:3])


def test_screen_changes_nothing_in_the_log(boot_machine):
    """But for what is measured, and the line that says so."""
    tests = f"test=probe.*,{DELIBERATE} repeat=3"
    other = re.compile(r"# (tsc|time|date|smi count|command line): ")
    logs = [
        [line for line in boot.judgement.log.lines if not other.match(line)]
        for console in ("serial", "serial,screen", "serial,log")
        for boot in [boot_machine(command_line=f"{tests} console={console}")]
    ]
    assert logs[0] == logs[1] == logs[2]


def test_reader_of_the_screen_finds_what_is_wrong():
    """A letter that lacks a pixel is unreadable, and nothing reads as something."""
    font = load_font()
    shape = next(shape for shape, letter in font.items() if letter == "A")
    ink = [list(shape[i : i + 8]) for i in range(0, len(shape), 8)]

    def picture(rows, ground=0):
        dots = (bytes([dot * 200 or ground] * 3) for row in rows for dot in row)
        return b"P6\n8 16\n255\n" + b"".join(dots)

    assert read_framebuffer(picture(ink), font) == ["A"]
    assert read_framebuffer(picture(ink, 100), font) == ["A"]
    row = next(y for y in range(16) if any(ink[y]))
    ink[row] = [0] * 8
    assert read_framebuffer(picture(ink), font) == ["\ufffd"]
    assert read_framebuffer(picture([[0] * 8] * 16), font) == [" "]
    assert read_framebuffer(picture([[1] * 8] * 16), font) == ["\u2588"]
    assert read_framebuffer(picture([[1] * 8] * 8 + [[0] * 8] * 8), font) == ["\u2580"]


def test_processor_without_long_mode_is_refused_on_the_screen(see, emulator):
    seen = see("text", "", r"^# verdict: ERROR", qemu=emulator, cpu="qemu32,-hypervisor")
    text = "".join(seen.rows[:4])
    assert seen.rows[1].startswith("# error: this processor has no long mode (CPUID.80000001H:")
    assert "; cannot run" in text and not "".join(seen.rows[5:]).strip()
