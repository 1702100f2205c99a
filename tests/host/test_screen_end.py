# SPDX-License-Identifier: GPL-2.0-or-later
"""The last pages of the screen: Table 17-6 in small, what a list or a dry run says, the keys."""

import re

import pytest
from seen_screen import unwrapped


@pytest.mark.parametrize("command_line", ["list", "list test=probe.*", "dry-run"])
@pytest.mark.parametrize("name", ["text", "bios-1024x768"])
def test_list_and_dry_run_have_pages(see, name, command_line):
    """With all that the log has of it, and each test in one line."""
    seen = see(name, command_line, pages=True)
    log, told = seen.log, []
    start = next(i for i, line in enumerate(log.lines) if line.startswith("# seed: ")) + 1
    for line in log.lines[start : next(i for i, text in enumerate(log.lines) if "1..0" in text)]:
        if line.startswith("#     "):
            told[-1] += "; " + line.removeprefix("#     ")
        elif re.match("# (would |dry run: |[a-z0-9_]+[.])", line):
            told.append(line.removeprefix("# "))
    lines = unwrapped(seen.pages)
    shown = [line for line in lines if re.match(r"would |dry run: |[a-z0-9_]+[.][a-z]", line)]
    assert shown == told and len(told) > 10, (shown, told)
    assert seen.pages[0][0].startswith(f" verdict: {log.verdict} ")
    assert not any("tests run" in line for line in lines)


def test_grid_says_which_setting_is_wrong_in_which_ring(see, emulator):
    """BTS_OFF_OS has no effect: ring 0 is wrong where it is set, and nothing else is."""
    fault = {"qemu": emulator, "variation": "x-ds-fault=off-os-ignored"}
    seen = see("text", "test=table17_6.encodings", pages=True, **fault)
    lines = unwrapped(seen.pages)
    start = lines.index("Table 17-6: ok right, BAD wrong, . not checked, part in part")
    heads = lines[start + 1].split()[4:]
    assert heads == ["0---", *(f"1{n:03b}" for n in range(8))]
    rows = [re.split("  +", line, maxsplit=1) for line in lines[start + 2 :] if line][:3]
    rows = {name: words.split() for name, words in rows}
    bad = [head for head, word in zip(heads, rows.pop("ring 0")) if word != "ok"]
    assert bad == [f"1{encoding[:3]}" for encoding in failed_encodings(seen.log)[::2]] == ["1110"]
    assert rows == {"rings 1 to 3": ["ok"] * 9, "the rest": ["ok"] * 9}


def failed_encodings(log):
    """The digits BTS, BTS_OFF_OS, BTS_OFF_USR, BTINT of each failed one with TR."""
    names = [name for name, result in log.leaves() if not result.ok]
    digits = [re.sub(r"\D", "", name.split(".")[-1]) for name in names]
    return sorted(each[1:] for each in digits if each[0] == "1")


@pytest.mark.parametrize("pages", [2, 1])
def test_keys_are_named_and_r_restarts(see, pages):
    """The emulator ends at a restart, which -no-reboot forbids."""
    ended = []

    def restart(screen):
        foot = screen.wait_for("r: restart")[-1]
        assert ("left: back, r: restart, other keys: more" in foot) == (pages > 1), foot
        screen.press("r")
        ended.append(screen.process.wait(timeout=20))

    words = "test=probe.ds_area_exists log=full" if pages > 1 else "list test=probe.ds_area_exists"
    see("bios-1024x768" if pages == 1 else "text", words, then=restart)
    assert ended == [0]
