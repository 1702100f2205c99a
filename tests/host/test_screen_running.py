# SPDX-License-Identifier: GPL-2.0-or-later
"""The screen while tests run: what goes on, what has failed, the grid of Table 17-6, a soak."""

import re

import pytest
from seen_screen import DELIBERATE, HANG, HANGS, SCREENS, marks_of


@pytest.mark.parametrize("name", SCREENS)
def test_dashboard_says_what_goes_on(see, name):
    seen = see(name, f"test=probe.*,real_mode.*,{DELIBERATE},{HANG}", pattern=HANGS)
    log, header, rows = seen.log, seen.log.header(), seen.rows
    assert log.verdict is None
    assert re.fullmatch(rf" btscheck {header['btscheck']} +QEMU Standard PC .*", rows[0])
    assert rows[1] == f" {header['cpu']}, hypervisor: {header['hypervisor']}"
    assert rows[2] == f" {header['signature']}, microcode {header['microcode']}"
    assert rows[3].startswith(f" {header['firmware']}: ")
    plans = dict(re.findall(r"# Subtest: (\w+)\n  1\.\.(\d+)", "\n".join(log.lines)))
    plans = {suite: int(count) for suite, count in plans.items()}
    assert marks_of(rows) == {
        "probe": ("ok", plans["probe"], plans["probe"]),
        "real_mode": ("skip", plans["real_mode"], plans["real_mode"]),
        "selftest": (">>", 2, 3),
    }
    start = next(y for y, row in enumerate(rows) if "failed so far: 2" in row)
    column = rows[start].index("failed")
    below = " ".join(row[column:] for row in rows[start + 1 : -2])
    assert re.findall(r"selftest\.\S+", below) == DELIBERATE.split(","), rows
    n = sum(plans.values())
    assert re.fullmatch(rf" +{n - 1} of {n} tests: \d+ ok, 2 failed, \d+ skipped", rows[-1]), rows[
        -1
    ]


def test_each_encoding_has_its_cell(see, emulator):
    """As its subtest ended: the grid of the screen is that of the log."""
    fault = {"qemu": emulator, "variation": "x-ds-fault=off-os-ignored"}
    seen = see("text", f"test=table17_6.encodings,{HANG}", pattern=HANGS, **fault)
    subtest = re.compile(r"    (not ok|ok) \d+ (tr\d_bts\d_bts_off_os\d_bts_off_usr\d_btint\d)")
    told = {
        int(re.sub(r"\D", "", match[2]), 2): "ok" if match[1] == "ok" else "FAIL"
        for line in seen.log.lines
        if (match := subtest.match(line))
    }
    grid = [row[:52].split() for row in seen.rows if re.match(r" +[01]  [01] ", row)]
    shown = {
        int(row[0] + row[1], 2) * 8 + i: cell for row in grid for i, cell in enumerate(row[2:])
    }
    assert shown == told and len(told) == 32
    assert set(told.values()) == {"ok", "FAIL"}, "the fault was to break some of them"


def test_soak_has_a_row_for_each_processor(see, emulator):
    test = "selftest.deliberate_failure_in_a_soak"
    seen = see(
        "text",
        f"test=circular.laps,{test} cpu=all repeat=300s",
        pattern=rf"^ failed last: {test.replace('.', '(@cpu[12])?.')}: as it is made to",
        qemu=emulator,
        processors=3,
    )
    rows = [row.split() for row in seen.rows]
    table = {row[0]: row[1:6] for row in rows if row and re.fullmatch("all|cpu[0-9]", row[0])}
    assert list(table) == ["all", "cpu0", "cpu1", "cpu2"]
    assert all(int(records) > 0 for records, *_ in table.values())
    assert int(table["all"][1]) >= 1, "it has failed"
    assert any(
        re.fullmatch(r" 0:00:\d\d past, 0:04:\d\d left, \d+ records checked", row)
        for row in seen.rows
    ), seen.rows


def test_repetitions_are_counted(see):
    pattern = r"^ selftest\.\w+, repetition [1-9]\d* of 1000(, began after \d+ s)?$"
    seen = see("text", "test=selftest.comparison_finds_every_difference repeat=1000", pattern)
    assert marks_of(seen.rows) == {"selftest": (">>", 0, 1)}


@pytest.mark.parametrize("name", ["text", "bios-1920x1080"])
def test_log_stays_on_the_screen_where_it_is_wanted(see, name):
    tests = f"probe.*,selftest.deliberate_failure,{HANG}"
    pattern = r"^selftest\.deliberate_hang$"
    seen = see(name, f"test={tests} console=serial,log", pattern)
    assert seen.log.verdict is None
    assert re.fullmatch(
        r"suite 2 of 2, test 2 of 2, failed so far: 1; this one began after \d+ s", seen.rows[-2]
    ), seen.rows
    assert "  not ok 1 deliberate_failure" in seen.rows[:-2]
