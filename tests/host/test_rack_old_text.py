# SPDX-License-Identifier: GPL-2.0-or-later
"""Console servers that repeat what a board said in an earlier run: it passed, and never again."""

import time

import pytest
from judge import Status
from racks import BRIEF, SLOW

BEFORE, LATER = "", f"sleep {5 * SLOW:g}; "  # … than a line is given to become quiet


@pytest.fixture
def repeated(lab):
    """repeated(when) -> the console of a bay that says an old log to each who connects."""
    (lab.folder / "old").write_bytes(lab.log)

    def table(when):
        first, second = ("cat old; ", "") if when == BEFORE else ("", f"{when}cat old; ")
        command = f"cd {lab.folder}; {first}echo open >&2; {second}exec sleep 1000"
        return f'{{ kind = "command", command = "{command}", ready = "open" }}'

    return table


def bay(lab, console, *lines, head=""):
    text = f'store = "s.sqlite"\n{BRIEF}{head}[[bays]]\nname = "a"\nconsole = {console}\n'
    return lab.write(text + "\n".join(lines) + "\n")


DEAD = 'kind = "command", on = "true", off = ":"'


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (f"power = {{ {DEAD} }}",),
        (f'power = {{ {DEAD}, cycle = "true" }}',),
    ],
    ids=["by hand", "switch", "cycle"],
)
def test_what_comes_before_the_board_is_on_is_dropped(lab, repeated, lines):
    """The board is dead: whatever is heard is old, in the second try too."""
    status, rows, _ = lab.run(bay(lab, repeated(BEFORE), *lines))
    assert (status, rows["a"]["trouble"]) == (Status.TIMEOUT, "silent"), rows


def test_what_comes_while_a_board_waits_for_its_turn_is_dropped(lab, repeated):
    """Another of its group was switched on just now, and its line repeats its text meanwhile."""
    (lab.folder / "s.sqlite.locks").mkdir()
    (lab.folder / "s.sqlite.locks" / "turn-g").write_text(str(time.time() + 1e6))
    head = f"[groups.g]\non_at_once = 2\nseconds_between = {8 * SLOW:g}\n"
    rack = bay(lab, repeated(LATER), f"power = {{ {DEAD} }}", 'groups = ["g"]', head=head)
    status, rows, told = lab.run(rack)
    assert "a: not one byte in" in told, "in the first try"
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "old-log"), "in the second"
    assert "before the board was on" in rows["a"]["told"]


def test_log_that_came_sooner_than_its_kernel_can_have_run_is_old(lab, repeated):
    old = lab.log.replace(b" ms from kernel entry", b"000 ms from kernel entry")
    (lab.folder / "old").write_bytes(old)
    status, rows, _ = lab.run(bay(lab, repeated(LATER), f"power = {{ {DEAD} }}"))
    assert (status, rows["a"]["status"], rows["a"]["trouble"]) == (
        *(Status.ERROR, "ERROR"),
        "old-log",
    ), rows
    assert "sooner" in rows["a"]["told"]


def test_log_that_the_store_has_to_the_letter_is_old(lab, repeated):
    """The board has passed once; now it is dead, and its console server remembers."""
    board = lab.board("a")
    console = f'"{lab.ser2net(board)["a"]}"'
    assert lab.run(bay(lab, console, f"power = {board.power()}"))[0] == Status.PASS
    kept = next((lab.folder / "s.sqlite.logs").rglob("1-1.ktap"))
    (lab.folder / "old").write_bytes(b"firmware\r\n" + kept.read_bytes())
    status, rows, _ = lab.run(bay(lab, repeated(LATER), f"power = {{ {DEAD} }}"))
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "old-log"), rows
    assert "run 1" in rows["a"]["told"]


def test_console_that_closes_before_the_board_is_on_leaves_it_off(lab):
    board = lab.board("a")
    console = f'{{ kind = "command", command = "cat {lab.folder}/none; sleep 0.2" }}'
    status, rows, _ = lab.run(bay(lab, console, f"power = {board.power()}"))
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "dead-console")
    assert "No such file" in rows["a"]["told"] and board.words() == []


def test_old_log_in_the_first_try_alone_does_not_count(lab):
    """The server repeats it once, then the board itself is heard."""
    board = lab.board("a")
    console = f'"{lab.ser2net(board)["a"]}"'
    assert lab.run(bay(lab, console, f"power = {board.power()}"))[0] == Status.PASS
    kept = next((lab.folder / "s.sqlite.logs").rglob("1-1.ktap"))
    once = f"if [ ! -e done ]; then touch done; {LATER} cat {kept}; sleep 999; fi"
    console = f'{{ kind = "command", command = "cd {lab.folder}; {once}; exec cat {board.tty}" }}'
    status, rows, _ = lab.run(bay(lab, console, f"power = {board.power()}"))
    assert (status, rows["a"]["tries"], rows["a"]["trouble"]) == (Status.PASS, 2, ""), rows
    assert "run 1 of a" in rows["a"]["told"]
