# SPDX-License-Identifier: GPL-2.0-or-later
"""The tools that a rack runs: what they say and how they end, and that nothing of them is left."""

import asyncio
import os
import re
import signal
import time
from pathlib import Path

import commands
import pytest
from racks import BRIEF, SLOW, wait_for

BOARD_IS_LEFT = "the board may still be on: power off: '.*' ended with status 1: fuse"


def said(text, limit=10 * SLOW):
    return asyncio.run(commands.run_command(text, limit, shell=True))


def runs(path):
    """Does the process run whose number is in the file? One that has ended and waits is gone."""
    try:
        state = Path(f"/proc/{int(path.read_text())}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return False
    return state not in "ZX"


def test_daemon_that_a_command_leaves_behind_does_not_hold_it_up(tmp_path):
    """It has the command's output, too, as a daemon of careless people does."""
    begin = time.monotonic()
    assert said(f"sleep 600 & echo $! > {tmp_path}/pid; echo on") == "on"
    assert time.monotonic() - begin < 8 * SLOW and runs(tmp_path / "pid")
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_command_that_takes_too_long_leaves_nothing(tmp_path):
    with pytest.raises(commands.CommandFailed, match="did not end in 2 s"):
        said(f"sleep 600 & echo $! > {tmp_path}/pid; sleep 600", limit=2)
    wait_for(lambda: not runs(tmp_path / "pid"))


def test_of_what_is_said_without_end_the_last_words_are_kept():
    with pytest.raises(commands.CommandFailed) as error:
        said("head -c 50000000 /dev/zero | tr '\\0' 'x'; echo; echo fuse blown; false")
    assert str(error.value).endswith("fuse blown") and len(str(error.value)) < 500
    assert len(said("head -c 50000000 /dev/zero | tr '\\0' 'x'")) <= commands.OUTPUT_MOST


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_console_started_ends_with_the_rack(lab, number):
    """A pipe, whose middle neither reads nor writes: it would hold the line for the next run."""
    pid = lab.folder / "pid"
    command = f"sh -c 'echo $$ > {pid}; exec sleep 600' | cat"
    text = f'store = "s"\n{BRIEF}[[bays]]\nname = "a"\nconsole = {{ kind = "command", '
    rack = lab.write(text + f'command = "{command}" }}\n')
    running = lab.start("run", rack)
    wait_for(lambda: runs(pid))
    running.send_signal(number)
    running.communicate(timeout=30 * SLOW)
    wait_for(lambda: not runs(pid), what="the end of the console's process")


def test_that_a_board_may_still_be_on_is_told_with_whatever_else_was_the_matter(lab):
    """In the row of the store too: who looks at it later has not seen the messages."""
    off = f"[ ! -e {lab.folder}/on ] || {{ echo fuse; false; }}"
    power = f'power = {{ kind = "command", on = "touch {lab.folder}/on", off = "{off}" }}'
    line = 'console = { kind = "command", command = "exec sleep 600" }'
    rack = lab.write(f'store = "s"\n{BRIEF}[[bays]]\nname = "a"\n{line}\n{power}\n')
    running = lab.start("run", rack)
    wait_for((lab.folder / "on").exists)
    running.send_signal(signal.SIGTERM)
    assert running.communicate(timeout=60 * SLOW) and running.returncode == 143
    assert re.search(BOARD_IS_LEFT, lab.rack("history", "a", "--store", rack).stdout)
