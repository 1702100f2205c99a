# SPDX-License-Identifier: GPL-2.0-or-later
"""Prefixes and time stamps before each line: found, taken off, and never a way to a wrong pass."""

import os
import tempfile
import time
from pathlib import Path

import pytest
from damage import PREFIXES, with_prefix
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.configuration import set_hypothesis_home_dir
from judge import Status, judge
from log_lines import Follower, decode, receive, split_lines
from prefixes import LONGEST
from line_kinds import LAB
from judge_logs import COMPACT, FAILING, GOOD, LISTED, SKIPPED, raw
from transport import VerdictWatch

TEXT = raw(GOOD).decode().replace("\r\n", "\n")
NAMES = [name for name in PREFIXES if name != "none"]
COUNTING = ("numbered", "grep")  # confirmed by three lines; the others by the next one
OTHERS = [name for name in NAMES if name not in COUNTING]
HEADED = SKIPPED.replace("\n1..1", "\n# btscheck: v1\n1..1")


def received(name, text=TEXT):
    return judge(with_prefix(name, text).encode())


@pytest.mark.parametrize("name", NAMES)
def test_log_with_a_prefix_is_judged_as_without(name):
    for text in (GOOD, FAILING, COMPACT, LISTED, HEADED):
        bare = raw(text).decode().replace("\r\n", "\n")
        plain, prefixed = judge(bare.encode()), received(name, bare)
        assert (prefixed.status, prefixed.reasons) == (plain.status, plain.reasons)
        assert prefixed.log.root == plain.log.root, "not with the line numbers of the file"


@pytest.mark.parametrize("name", NAMES)
def test_live_console_with_a_prefix_is_seen_to_have_its_verdict(name):
    data = with_prefix(name, TEXT).encode()
    for step in (1, 13, 4096):
        watch = VerdictWatch()
        for at in range(0, len(data), step):
            before = watch.seen
            watch.heard(data[at : at + step])
        assert watch.seen and not before


@pytest.mark.parametrize("name", OTHERS)
def test_request_behind_a_prefix_is_heard(name):
    log = "KTAP version 1 ~5fad\n# btscheck: x ~0000\n  # lab: machine-check? ~1234\n"
    lines = Follower().heard(with_prefix(name, log).encode())
    assert [line for line in lines if LAB.fullmatch(line)] == ["  # lab: machine-check?"]


@pytest.mark.parametrize("name", OTHERS)
def test_refusal_of_the_boot_code_has_its_prefix_taken_off(name):
    text = "x\n# error: this processor has no long mode; cannot run\n# verdict: ERROR\n"
    judgement = received(name, text)
    assert judgement.status == Status.ERROR and "long mode" in judgement.reasons[0]


STAMPS = some.sampled_from(OTHERS)
CONSTANT = some.text("abcXYZ0123456789[](){}<>|:;,.-_/*+?^$\\ \t#~\u20ac", min_size=1, max_size=40)
CONSTANTS = CONSTANT.filter(lambda text: text.strip())
SLOW = [HealthCheck.too_slow]
# Nothing is kept in the tree, and each run tries the same.
settings.register_profile("tree", deadline=None, database=None, derandomize=True)
settings.load_profile("tree")
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"btscheck-hypothesis-{os.getuid()}")


@settings(max_examples=300, suppress_health_check=SLOW)
@given(CONSTANTS)
def test_any_constant_is_learnt(constant):
    judgement = judge("".join(constant + line + "\n" for line in TEXT.split("\n")[:-1]).encode())
    assert judgement.status == Status.PASS, judgement.reasons


@settings(max_examples=300, suppress_health_check=SLOW)
@given(STAMPS, CONSTANTS, some.integers(4, 26), some.integers(1, 5))
def test_prefix_that_changes_its_shape_is_named(name, constant, start, length):
    lines = with_prefix(name, TEXT).split("\n")
    counts = False
    for at in range(start, min(start + length, len(lines) - 1)):
        bare = TEXT.split("\n")[at]
        lines[at] = constant + bare
        counts |= not bare.strip().startswith(("# a", "# time"))
    judgement = judge("\n".join(lines).encode())
    assert counts == (judgement.status != Status.PASS), judgement.reasons


@settings(max_examples=200)
@given(some.binary(max_size=400), some.binary(max_size=80))
def test_any_bytes_are_judged(before, between):
    data = raw(GOOD)
    middle = data.index(b"  ok 1 encodings")
    for log in (before, before + data, data[:middle] + between + data[middle:]):
        judgement = judge(log)
        assert 0 <= judgement.status <= 8
    if between.strip(b"\r\n\0 ") and b"\x1b" not in between:
        assert judgement.status != Status.PASS or between.endswith((b"\n", b"\r"))


def test_shape_that_changes_is_named():
    lines = with_prefix("board", TEXT).split("\n")
    lines[11] = lines[11].replace("bay1: ", "[bay1] ")
    judgement = judge("\n".join(lines).encode())
    assert judgement.status == Status.DISAGREE
    assert "line 12 has not the prefix 'bay1: ' of line 3" in judgement.reasons[-1]


def two_boards():
    one, other = TEXT.split("\n"), raw(FAILING).decode().replace("\r\n", "\n").split("\n")
    pairs = zip(one, other)
    return "\n".join(f"bay1: {a}\nbay2: {b}" for a, b in pairs).encode()


def test_two_boards_in_a_file_are_no_verdict_until_one_is_chosen():
    judgement = judge(two_boards())
    assert judgement.status == Status.DISAGREE
    assert "'bay1: '" in judgement.reasons[0] and "'bay2: '" in judgement.reasons[0]
    assert judge(two_boards(), choice="bay1").status == Status.PASS
    assert judge(two_boards(), choice="bay2").status == Status.FAIL
    assert judge(two_boards(), choice="bay3").status == Status.CUT_OFF


def headless(name, text=FAILING):
    """What came of another board, or boot: its first line is not here."""
    lines = with_prefix(name, raw(text).decode().replace("\r\n", "\n")).split("\n")
    return [line for line in lines if not line.endswith("KTAP version 1")]


@pytest.mark.parametrize("name", ["none", "board", "numbered", "lava"])
@pytest.mark.parametrize("other", ["none", "bracket", "ts", "board_and_time"])
@pytest.mark.parametrize("text", [GOOD, SKIPPED])
def test_rest_of_another_log_is_no_pass(name, other, text):
    """Before this one, behind it, or between its lines."""
    lines = with_prefix(name, raw(text).decode().replace("\r\n", "\n")).split("\n")
    rest = headless(other)
    mixed = [each for pair in zip(lines, rest + [""] * len(lines)) for each in pair]
    for whole in (rest + lines, lines + rest, mixed):
        judgement = judge("\n".join(whole).encode())
        assert judgement.status in (Status.DISAGREE, Status.CUT_OFF), judgement.remarks


def test_line_of_another_log_is_shown():
    lines = with_prefix("board", TEXT).split("\n")
    judgement = judge("\n".join(["[bay2] # verdict: FAIL", *lines]).encode())
    assert judgement.status == Status.DISAGREE
    assert "--prefix TEXT chooses one" in judgement.reasons[0]
    assert "line 1 has not the prefix 'bay1: ' of line 4" in judgement.reasons[-1]
    judgement = judge(f"[bay2] # verdict: FAIL\n{TEXT}".encode())
    assert "line 1 has something before it, but looks like" in judgement.reasons[-1]
    chosen = judge("\n".join(["[bay2] # verdict: FAIL", *lines]).encode(), choice="bay1")
    assert chosen.status == Status.PASS


@pytest.mark.parametrize("line", ["# finding: setup where=x", "# rerun: make run TEST=a.b"])
def test_failure_before_the_first_line_is_another_run(line):
    judgement = judge(f"  {line}\n{TEXT}".encode())
    assert judgement.status == Status.CUT_OFF and "started again" in judgement.reasons[0]


def test_line_of_another_program_right_behind_the_first_one():
    """Linux's, with the same time stamp: the head is that of the log all the same."""
    lines = with_prefix("printk", TEXT).split("\n")
    at = next(n for n, line in enumerate(lines) if line.endswith("KTAP version 1")) + 1
    lines.insert(at, "[    0.000000] Linux version 6.1.0")
    assert judge("\n".join(lines).encode()).status == Status.PASS


@pytest.mark.parametrize("numbers", ["1 11 11 11 1:", "1 1" * 60])
def test_numbers_side_by_side_take_no_time(numbers):
    start = time.monotonic()
    judge(f"{numbers}KTAP version 1\n{'1' * 900}\n".encode())
    assert time.monotonic() - start < 10


def test_noon_passes_by():
    half = TEXT.count("\n") // 2
    stamp = ["11:59:59 AM bay1: "] * half + ["12:00:00 PM bay1: "] * (half + 1)
    lines = [made + line for made, line in zip(stamp, TEXT.split("\n"))]
    assert judge("\n".join(lines).encode()).status == Status.PASS


def test_lines_of_another_console_between_change_nothing():
    lines = with_prefix("bracket", TEXT).split("\n")
    for at in range(4, 20, 3):
        lines.insert(at, "[bay7] usb 1-1: new device")
    judgement = judge("\n".join(lines).encode())
    assert judgement.status == Status.PASS, judgement.reasons
    assert any("6 lines behind it have no such prefix" in each for each in judgement.remarks)


def test_blanks_alone_are_no_prefix():
    indented = "".join(f"  {line}\n" for line in TEXT.split("\n"))
    assert judge(indented.encode()).status == Status.CUT_OFF


def test_prefix_is_not_longer_than_a_line():
    long = "".join(f"{'x' * (LONGEST + 1)}{line}\n" for line in TEXT.split("\n"))
    assert receive(long.encode()).prefix is None


def test_firmware_in_front_of_the_first_line_is_no_prefix():
    glued = TEXT.replace("\nKTAP version 1\n#", "\nBooting from DVD...KTAP version 1\n#")
    judgement = judge(glued.encode())
    assert judgement.status == Status.DISAGREE
    assert "line 3 ends with 'KTAP version 1', but no line" in judgement.reasons[-1]


SECTION = "section_start:1764140400:boot\r\x1b[0K"


def test_markers_and_rests_of_lines_of_gitlab():
    lines = with_prefix("gitlab", TEXT).split("\n")
    at = next(n for n, line in enumerate(lines) if line.endswith("encodings"))
    start, rest = lines[at][:-6], lines[at][-6:]
    lines[at : at + 1] = [start, lines[at][:31].rstrip() + "+" + rest]
    lines[2] = lines[2].replace("00O ", "00O " + SECTION)
    lines.insert(2, lines[2][:32] + SECTION + "\x1b[0;mhead")
    assert judge("\n".join(lines).encode()).status == Status.PASS


@pytest.mark.parametrize("width", [40, 50, 60])
@pytest.mark.parametrize("name", ["none", "board"])
def test_lines_that_a_terminal_wrapped_are_joined(name, width):
    text = TEXT.replace("# time: 12 ms\n", "# time: 12 ms\n" + f"# note {'x' * 200}\n" * 2)
    wide = with_prefix(name, text).split("\n")
    wrapped = [line[at : at + width] for line in wide for at in range(0, len(line) or 1, width)]
    judgement = judge("\n".join(wrapped).encode())
    assert judgement.status == Status.PASS, judgement.reasons
    assert f"lines were wrapped at {width} columns, and are joined" in judgement.remarks
    wrapped.remove(next(line for line in wrapped if "tr0_bts0" in line))
    assert judge("\n".join(wrapped).encode()).status == Status.DISAGREE


@pytest.mark.parametrize(
    ("raw_line", "line"),
    [
        (b"\x1b]0;title\x07ok 1 a\r", "ok 1 a"),
        (b"\x1b(B\x1b[mok 1 a", "ok 1 a"),
        (b"\0\0ok 1 a\0\r\r", "ok 1 a"),
        (b"\xef\xbb\xbfok 1 a", "ok 1 a"),
        (b"ok \xef\xbb\xbf1 a", "ok \ufeff1 a"),
        (b"ok 1 \xff", "ok 1 \ufffd"),
    ],
)
def test_what_no_line_has(raw_line, line):
    assert split_lines(raw_line) == [line]


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_text_that_a_shell_wrote(name):
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(name, b"")
    data = mark + TEXT.encode(name)
    assert judge(data).status == Status.PASS
    assert decode(b"\xff\xfe").startswith("\ufffd")
