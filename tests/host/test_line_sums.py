# SPDX-License-Identifier: GPL-2.0-or-later
"""log=sum: each damaged line is named, and it is the line that is blamed."""

import random
import re

import pytest
from damage import PREFIXES, with_prefix
from judge import Status, judge
from judge_logs import FAILING, GOOD, raw
from line_sums import NUMBERS, line_sum, number_of
from reception import LINE_IS_BAD


def summed(text):
    """As the kernel sends it with log=sum; from its first line on."""
    lines = raw(text).decode().replace("\r\n", "\n").split("\n")
    start = lines.index("KTAP version 1")
    end = len(lines) - 1
    return lines[:start] + [
        f"{line} ~{line_sum(number, line):04x}" for number, line in enumerate(lines[start:end])
    ]


GOOD_LINES = summed(GOOD)
PASSED = "\n".join(GOOD_LINES) + "\n"
NOTES = [n for n, line in enumerate(GOOD_LINES, 1) if re.match(r" *# (?:a |time|btscheck)", line)]
FIRST = next(n for n, line in enumerate(GOOD_LINES, 1) if line.startswith("KTAP"))


def judged(lines):
    return judge(("\n".join(lines) + "\n").encode())


def said(judgement):
    return " ".join(judgement.reasons + judgement.remarks)


def test_number_is_found_from_the_checksum():
    chance = random.Random(1)
    for _ in range(500):
        number = chance.randrange(1 << 16)
        text = "".join(chr(chance.randrange(32, 127)) for _ in range(chance.randrange(80)))
        assert number_of(text, line_sum(number, text)) == number


@pytest.mark.parametrize("name", PREFIXES)
def test_whole_log_passes(name):
    judgement = judge(with_prefix(name, PASSED).encode())
    assert judgement.status == Status.PASS, judgement.reasons
    assert f"checksums: {len(GOOD_LINES) - FIRST + 1} lines, all good" in judgement.remarks


def test_failing_log_fails():
    judgement = judged(summed(FAILING))
    assert judgement.status == Status.FAIL
    assert judgement.reasons == ["not ok: table17_6.encodings.tr1_bts1"]


@pytest.mark.parametrize("number", range(FIRST, len(GOOD_LINES) + 1))
@pytest.mark.parametrize("place", [0, 3, -8, -2])
def test_every_damaged_line_is_named(number, place):
    """One bit of a line; that of a checksum too."""
    lines = list(GOOD_LINES)
    line = bytearray(lines[number - 1].encode())
    line[place] ^= 1
    lines[number - 1] = line.decode()
    judgement = judged(lines)
    if number in NOTES:
        assert judgement.status == Status.PASS, judgement.reasons
        assert f"line {number}; notes alone" in said(judgement)
    else:
        assert judgement.status in (Status.DISAGREE, Status.CUT_OFF)
        if judgement.status == Status.DISAGREE:
            assert judgement.reasons[0].endswith(f": line {number}"), judgement.reasons
            assert judgement.meaning()[1] == LINE_IS_BAD


@pytest.mark.parametrize("number", range(FIRST + 1, len(GOOD_LINES) - 1))
def test_lost_line_and_line_that_came_twice(number):
    lost = judged(GOOD_LINES[: number - 1] + GOOD_LINES[number:])
    assert f"lost before line {number}: 1" in said(lost)
    assert (lost.status == Status.PASS) == (number in NOTES)
    twice = judged(GOOD_LINES[:number] + GOOD_LINES[number - 1 :])
    assert f"came twice: line {number + 1}" in said(twice)


@pytest.mark.parametrize("before", [-1, 0, 1, 500])
def test_numbers_that_began_again(before):
    """A line behind so many lines, and 65536 more, is lost, or comes twice."""
    notes = "".join(f"# a note {number}\n" for number in range(NUMBERS + 1000))
    lines = summed(GOOD.replace("# time", f"{notes}# time", 1))
    at = FIRST - 1 + NUMBERS + before
    assert f"lost before line {at + 1}: 1" in said(judged(lines[:at] + lines[at + 1 :]))
    twice = judged(lines[: at + 1] + lines[at:])
    assert f"came twice: line {at + 2}" in said(twice)
    assert "damaged" not in said(twice)


def test_damaged_note_is_not_read():
    text = GOOD.replace("# time", "# coverage: 5 of 5 claims checked\n# time")
    lines = summed(text)
    at = next(n for n, line in enumerate(lines) if "coverage" in line)
    assert "# coverage: 5 of 5 claims checked" in judged(lines).log.lines
    lines[at] = lines[at].replace("5 of 5", "9 of 9")
    judgement = judged(lines)
    assert judgement.status == Status.PASS and judgement.log.lines[at] == ""


def test_line_that_the_watchdog_cut_off_is_no_damage():
    """It comes once more, behind a sentence; the rest of its checksum may be there or not."""
    lines = summed(GOOD)
    at = next(n for n, line in enumerate(lines) if "tr0_bts0" in line)
    start = lines.index(next(line for line in lines if line.startswith("KTAP")))
    whole = [line[:-6] for line in lines]
    sentence, number = "# cut off: this line once more:", at - start
    for cut in range(1, len(lines[at]) + 1):
        again = [sentence, *whole[at:]]
        numbered = [f"{text} ~{line_sum(n, text):04x}" for n, text in enumerate(again, number + 1)]
        judgement = judged(lines[:at] + [lines[at][:cut]] + numbered)
        assert judgement.status == Status.PASS, (cut, judgement.reasons)
        assert "all good" in said(judgement), (cut, said(judgement))


@pytest.mark.parametrize("line", ["SeaBIOS (version 1.16)", "# a note", "# a note ~0000"])
def test_line_behind_the_verdict_is_told_as_without_checksums(line):
    """The machine may have started again."""
    judgement = judged([*GOOD_LINES, line])
    assert judgement.status == Status.DISAGREE
    assert any("lines follow the verdict" in each for each in judgement.reasons)


def test_notes_that_a_terminal_wrapped_are_joined():
    """Nothing else is that long; the check value is right either way."""
    text = GOOD.replace("# time", f"# command line: {'x' * 190}\n# coverage: {'y' * 190}\n# time")
    lines = summed(text)
    wrapped = [line[at : at + 80] for line in lines for at in range(0, len(line) or 1, 80)]
    judgement = judged(wrapped)
    assert judgement.status == Status.PASS and "all good" in said(judgement)
    assert f"# command line: {'x' * 190}" in judgement.log.lines


def test_two_logs_of_one_board_are_a_restart():
    judgement = judged(GOOD_LINES[:-4] + GOOD_LINES)
    assert judgement.status == Status.CUT_OFF
    assert "started again" in judgement.reasons[0]


def test_much_damage_takes_no_longer():
    chance = random.Random(2)
    lines = [GOOD_LINES[1]] + [f"# {chance.random()} ~{n % 65536:04x}" for n in range(30000)]
    assert judged(lines).status == Status.CUT_OFF
