# SPDX-License-Identifier: GPL-2.0-or-later
"""line=test: the bytes that the line lost are counted, and the judgement says it."""

import random

import pytest
from damage import PREFIXES, with_prefix
from judge import Status, judge
from line_test import pattern_line, read_line_test
from judge_logs import GOOD, changed, raw

LINES = 128
HEAD, END = f"# line test: {LINES} lines of 64 bytes", "# line test: all sent"
SENT = [HEAD, *map(pattern_line, range(LINES)), END]
# tests/host/unit/test_line_test.c has the same two.
PATTERNS = {
    0: "# line: 00000 9v8Do)X;sf(2R}xS{~p!Ymam8?~?}*9_Ry(ERE=;+<#7B[$G",
    16383: '# line: 16383 cfoE!;hUC"]eOm.5ApgbrI8VK//\\)lPy9!u^!Vb1ozk!>A7{',
}


def bad(lines):
    return read_line_test(lines).bad


@pytest.mark.parametrize("number", PATTERNS)
def test_lines_are_those_of_the_kernel(number):
    assert pattern_line(number) == PATTERNS[number]
    assert len(PATTERNS[number]) == 62


def test_whole_test_has_nothing_bad():
    assert str(read_line_test(SENT)) == "line: 8 KB, 0 bad"
    assert read_line_test(SENT[:3] + [""] + SENT[3:]).bad == 0
    assert read_line_test(["# line: x", *SENT[1:]]) is None


@pytest.mark.parametrize("number", [1, 2, 7, 60])
def test_so_many_bytes_are_counted(number):
    chance = random.Random(number)
    lines = list(SENT)
    for at in chance.sample(range(1, LINES), number):
        place = chance.randrange(20, 60)
        lines[at] = lines[at][:place] + lines[at][place + 1 :]
    assert bad(lines) == number
    lines = list(SENT)
    for at in chance.sample(range(1, LINES), number):
        lines[at] = lines[at][:30] + "\ufffd" + lines[at][31:]
    assert bad(lines) == number


def test_line_on_which_nothing_comes_whole():
    """A byte of each line is not all of them."""
    assert bad([HEAD, *(line[:30] + "\ufffd" + line[31:] for line in SENT[1:-1]), END]) == LINES
    assert bad([HEAD, *(line[:30] + line[31:] for line in SENT[1:-1]), END]) == LINES


def test_lost_repeated_and_foreign_lines():
    assert bad(SENT[:5] + SENT[6:]) == 62
    assert bad(SENT[:5] + SENT[4:]) == 62
    assert bad(SENT[:5] + ["[  12.3] usb"] + SENT[5:]) == len("[  12.3] usb")
    assert bad(SENT[:-1]) == 0
    assert bad(SENT[:1]) == LINES * 62


@pytest.mark.parametrize("name", PREFIXES)
def test_judgement_says_it(name):
    text = changed(("# btscheck: v1\n", "# btscheck: v1\n" + "\n".join(SENT) + "\n"))
    text = raw(text).decode().replace("\r\n", "\n")
    judgement = judge(with_prefix(name, text).encode())
    assert judgement.status == Status.PASS and "line: 8 KB, 0 bad" in judgement.remarks
    damaged = with_prefix(name, text.replace("BLhj", "BLh").replace(")X;", ")X"))
    judgement = judge(damaged.encode())
    assert judgement.status == Status.PASS and "line: 8 KB, 1 bad" in judgement.remarks


def test_log_without_one_says_nothing_of_it():
    assert not any("line:" in each for each in judge(raw(GOOD)).remarks)
