# SPDX-License-Identifier: GPL-2.0-or-later
"""A rack that watches logs as they come: which image is it, and need it run on?"""

import pytest
from judge import Status
from racks import BRIEF
from one_try import Watch

HEAD = b"firmware\r\nKTAP version 1\r\n# btscheck: v1.4\r\n# cpu: x\r\n"


def with_prefix(log, prefix):
    return b"".join(prefix + line for line in log.splitlines(keepends=True))


def with_sums(log):
    return log.replace(b"\r\n", b" ~1a2b\r\n")


@pytest.mark.parametrize("size", [1, 7, len(HEAD) * 3])
@pytest.mark.parametrize(
    "log",
    [
        HEAD,
        HEAD.replace(b"\r\n", b"\n"),
        with_prefix(HEAD, b"bay1: "),
        with_prefix(HEAD, b"[Thu Nov 26 07:00:00 2026] "),
        with_sums(HEAD),
        with_prefix(with_sums(HEAD), b"bay1: "),
    ],
    ids=["plain", "lf", "name", "time", "sums", "name and sums"],
)
def test_image_is_seen_through_whatever_it_came(log, size):
    """Prefixes of console servers and checksums (log=sum) are no part of its name."""
    right, wrong = Watch("v1.4"), Watch("v1.4-dirty")
    for at in range(0, len(log), size):
        right(log[at : at + size])
        wrong(log[at : at + size])
    assert (right.is_wrong(), right.wrong()) == (False, "")
    assert wrong.is_wrong() and "'v1.4'" in wrong.wrong()


def test_wrong_image_does_not_run_to_its_end(lab):
    """Its log would take an hour; the board is switched off as soon as the line has come."""
    board = lab.board("a", lab.log.replace(b"# btscheck: ", b"# btscheck: not-", 1) * 2000)
    board.speak(300)
    console = lab.ser2net(board)["a"]
    text = f'store = "s"\nimage = "v1"\n{BRIEF}[[bays]]\nname = "a"\nconsole = "{console}"\n'
    status, rows, _ = lab.run(lab.write(text + f"power = {board.power()}\n"))
    row = rows["a"]
    assert (status, row["status"], row["trouble"]) == (Status.ERROR, "ERROR", "wrong-image")
    assert row["tries"] == 1 and "expected 'v1'" in row["told"]
    with open(row["log"], "rb") as log:
        assert b"\n1..1" not in log.read(), "nothing behind the head was waited for"
    assert board.words() == ["on", "off"]


def test_board_that_starts_again_and_again_is_named_at_its_second_start(lab):
    """It would go on so for an hour; each start says a part of the log."""
    half = lab.log[: len(lab.log) // 2].rpartition(b"\n")[0] + b"\n\n"
    board = lab.board("a", half * 3000)
    board.speak(10000)
    console = lab.ser2net(board)["a"]
    text = f'store = "s"\n{BRIEF}[[bays]]\nname = "a"\nconsole = "{console}"\n'
    status, rows, _ = lab.run(lab.write(text + f"power = {board.power()}\n"))
    assert (status, rows["a"]["trouble"], rows["a"]["tries"]) == (Status.CUT_OFF, "restarted", 1)
    assert "started again" in rows["a"]["told"] and board.words() == ["on", "off"]
