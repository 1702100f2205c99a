# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards behind real console servers: what hangs, is dead or wrong is named, the rest goes on."""

import asyncio
import re
import shutil
import subprocess
import time

import pytest
from judge import Status
from rackfile import Group
from racks import BOARD, BRIEF, PACE, SLOW, free_port, most_on_at_once, wait_for
from slots import wait_for_turn


def bay(name, console, more=""):
    return f'[[bays]]\nname = "{name}"\nconsole = "{console}"\n{more}\n'


def image_of(log):
    return re.search(rb"# btscheck: (.*?)\r?\n", log)[1].decode()


@pytest.fixture
def hung(probe_log):
    """A log that stops inside of a test."""
    return probe_log[: probe_log.index(b"ok 5 ")]


def test_each_trouble_is_named_and_the_others_go_on(lab, hung):
    """Behind one ser2net: a good board, one that hangs always, one that hung once, a dead console,
    one that says nothing, one with another image."""
    good, hangs = lab.board("good"), lab.board("hangs", hung)
    once, silent = lab.board("once", hung, lab.log), lab.board("silent", b"")
    wrong = lab.board("wrong", lab.log.replace(b"# btscheck: ", b"# btscheck: not-", 1))
    dead = lab.board("dead")
    boards = [good, hangs, once, silent, wrong]
    consoles = {**lab.ser2net(*boards), "dead": f"socket://127.0.0.1:{free_port()}"}
    bays = [bay(b.name, consoles[b.name], f"power = {b.power()}") for b in [*boards, dead]]
    head = f'image = "{image_of(lab.log)}"\nstore = "s.sqlite"\n' + BRIEF
    rack = lab.write(head + "".join(bays))
    status, rows, _ = lab.run(rack)
    assert {name: (row["status"], row["trouble"], row["tries"]) for name, row in rows.items()} == {
        "good": ("PASS", "", 1),
        "wrong": ("ERROR", "wrong-image", 1),
        "hangs": ("TIMEOUT", "hang", 2),
        "once": ("TIMEOUT", "hang", 2),
        "silent": ("TIMEOUT", "silent", 2),
        "dead": ("ERROR", "dead-console", 1),
    }
    assert status == Status.TIMEOUT
    assert "in 'probe'" in rows["hangs"]["told"] and "both" in rows["hangs"]["told"]
    assert "after a power cycle: PASS" in rows["once"]["told"]
    assert "expected" in rows["wrong"]["told"] and "refused" in rows["dead"]["told"]
    assert all(row["next"] for name, row in rows.items() if name != "good")
    assert [board.words().count("on") for board in [*boards, dead]] == [1, 2, 2, 2, 1, 0]
    assert most_on_at_once([*boards, dead]) > 1


def test_what_is_kept_can_be_listed_and_compared(lab):
    """Two boards, of which one was once another stepping with another decision."""
    other = lab.log.replace(b"stepping 3", b"stepping 4").replace(b"wrap=lazy", b"wrap=eager")
    boards = [lab.board("a"), lab.board("b", other)]
    consoles = lab.ser2net(*boards)
    bays = [bay(b.name, consoles[b.name], f"power = {b.power()}") for b in boards]
    rack = lab.write('store = "s.sqlite"\n' + BRIEF + "".join(bays))
    assert lab.run(rack)[0] == Status.PASS
    store = rack.with_name("s.sqlite")
    told = lab.rack("compare", "a", "b@1", "--store", rack).stdout
    assert "stepping" in told.split("The same:")[0]
    assert "brand" in told.split("The same:")[1]
    listed = lab.rack("status", "--store", rack).stdout
    assert "06_5EH stepping 4" in listed and listed.count("PASS") == 2
    assert "1 to 1" in lab.rack("compare", "a@2", "b", "--store", rack).stderr
    assert "there are: a, b" in lab.rack("history", "c", "--store", rack).stderr
    assert lab.rack("compare", rack, "a", "b@1").stdout == told
    assert lab.rack("status", rack).stdout == listed == lab.rack("status", store).stdout
    assert lab.rack("history", rack, "a").stdout == lab.rack("history", store, "a").stdout != ""
    assert lab.rack("export", rack, "b").stdout == lab.rack("export", "b", "--store", rack).stdout
    assert "history wants BOARD behind the store, not: none" in lab.rack("history", rack).stderr
    assert "status wants no board behind the store" in lab.rack("status", rack, "a").stderr


def test_group_never_has_more_boards_on_than_its_limit(lab):
    boards = [lab.board(f"b{n}") for n in range(5)]
    consoles = lab.ser2net(*boards)
    bays = [bay(b.name, consoles[b.name], f'groups = ["pdu"]\npower = {b.power()}') for b in boards]
    head = 'store = "s.sqlite"\n[groups.pdu]\non_at_once = 2\nseconds_between = 0.5\n'
    status, rows, _ = lab.run(lab.write(BRIEF + head + "".join(bays)))
    assert status == Status.PASS, rows
    assert most_on_at_once(boards) == 2
    on = sorted(at for b in boards for at, word in b.switched() if word == "on")
    assert all(later - sooner > 0.45 for sooner, later in zip(on, on[1:]))


def test_bays_that_are_due_at_once_take_turns(tmp_path):
    """Four in one group, and two of them in another one, too: each turn is as long as it says."""
    short, long = Group("short", 4, 0.2), Group("long", 4, 0.5)
    turns = []

    async def take_turn(*groups):
        await wait_for_turn(tmp_path, groups)
        turns.append((time.monotonic(), groups))

    async def take_all():
        await asyncio.gather(*(take_turn(*groups) for groups in 2 * [[short], [short, long]]))

    asyncio.run(take_all())
    for group in (short, long):
        on = [at for at, groups in turns if group in groups]
        gaps = [later - sooner for sooner, later in zip(on, on[1:])]
        assert min(gaps) > 0.9 * group.seconds_between, gaps


def test_two_racks_that_share_a_store_share_its_limits_and_its_boards(lab):
    boards = [lab.board(f"b{n}") for n in range(4)]
    consoles = lab.ser2net(*boards)
    bays = [bay(b.name, consoles[b.name], f'groups = ["pdu"]\npower = {b.power()}') for b in boards]
    rack = lab.write(BRIEF + 'store = "s.sqlite"\ngroups.pdu.on_at_once = 1\n' + "".join(bays))
    first = lab.start("run", rack, "--bay", "b0", "b1")
    second = lab.start("run", rack, "--bay", "b2", "b3")
    assert [
        each.communicate(timeout=60 * SLOW) and each.returncode for each in (first, second)
    ] == [0, 0]
    assert most_on_at_once(boards) == 1


def test_board_that_another_rack_runs_is_left_alone(lab):
    board = lab.board("a")
    board.speak(4000 / SLOW)
    console = lab.ser2net(board)["a"]
    rack = lab.write('store = "s.sqlite"\n' + BRIEF + bay("a", console, f"power = {board.power()}"))
    first = lab.start("run", rack)
    wait_for(board.is_on)
    assert "running" in lab.rack("status", "--store", rack).stdout
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "busy")
    first.communicate(timeout=60 * SLOW)
    assert first.returncode == Status.PASS and board.words() == ["on", "off"]


def test_killed_rack_is_seen_and_the_next_one_goes_on(lab):
    board = lab.board("a")
    board.speak(2000 / SLOW)
    console = lab.ser2net(board)["a"]
    rack = lab.write('store = "s.sqlite"\n' + BRIEF + bay("a", console, f"power = {board.power()}"))
    killed = lab.start("run", rack)
    wait_for(board.is_on)
    killed.kill()
    killed.communicate(timeout=20 * SLOW)
    assert board.is_on()
    assert "broken off" in lab.rack("status", "--store", rack).stdout
    board.speak(PACE)
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["run"]) == (Status.PASS, 2)
    assert board.words() == ["on", "off", "on", "off"]
    listed = lab.rack("history", "a", "--store", rack).stdout
    assert "broken-off" in listed and "PASS" in listed


@pytest.mark.parametrize(("name", "number", "status"), [("TERM", 15, 143), ("INT", 2, 130)])
def test_signal_switches_the_boards_off(lab, name, number, status):
    boards = [lab.board("a"), lab.board("b")]
    boards[0].speak(2000 / SLOW)
    consoles = lab.ser2net(*boards)
    bays = [bay(b.name, consoles[b.name], f'groups = ["one"]\npower = {b.power()}') for b in boards]
    rack = lab.write('store = "s.sqlite"\n' + BRIEF + "groups.one.on_at_once = 1\n" + "".join(bays))
    running = lab.start("run", rack)
    wait_for(boards[0].is_on)
    running.send_signal(number)
    _, told = running.communicate(timeout=30 * SLOW)
    assert running.returncode == status and "Traceback" not in told, told
    assert boards[0].words() == ["on", "off"] and boards[1].words() == [], name
    assert "interrupted" in lab.rack("history", "a", "--store", rack).stdout


def test_console_that_closes_in_the_middle_is_named(lab):
    """The tool that shows it ends, as when somebody else takes the console."""
    half = lab.folder / "half"
    half.write_bytes(lab.log[: len(lab.log) // 2])
    command = f"sleep {8 * SLOW:g}; cat {half}; echo taken by bob >&2"
    told = f'console = {{ kind = "command", command = "{command}" }}'
    rack = lab.write(f'store = "s.sqlite"\n[[bays]]\nname = "a"\n{told}\n')
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.CUT_OFF, "console-closed")
    assert "taken by bob" in rows["a"]["told"]


def test_options_that_the_board_was_not_started_with_are_named(lab):
    board = lab.board("a")
    console = lab.ser2net(board, rfc2217=True)["a"]
    more = f'options = "cpu=all test=probe.*"\npower = {board.power()}'
    status, rows, _ = lab.run(lab.write('store = "s"\n' + BRIEF + bay("a", console, more)))
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "wrong-options")
    assert "without cpu=all" in rows["a"]["told"]


def test_board_that_was_started_with_fewer_tests_is_named(lab):
    """A stick that somebody left with test=: its pass is not the one that was asked for."""
    board = lab.board("a", re.sub(rb"(# command line: .*?)\r?\n", rb"\1 log=full\n", lab.log))
    more = f'options = "log=full"\npower = {board.power()}'
    rack = lab.write('store = "s"\n' + BRIEF + bay("a", lab.ser2net(board)["a"], more))
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "wrong-options")
    assert "with test=probe.* that the rack file does not name" in rows["a"]["told"]


def test_rfc2217_and_a_switch_that_fails(lab):
    board, broken = lab.board("a"), lab.board("b")
    consoles = lab.ser2net(board, broken, rfc2217=True)
    switch = 'power = { kind = "command", on = "echo fuse blown; false", off = "true" }'
    bays = bay("a", consoles["a"], f"power = {board.power()}") + bay("b", consoles["b"], switch)
    status, rows, _ = lab.run(lab.write('store = "s"\n' + BRIEF + bays))
    assert (status, rows["a"]["status"]) == (Status.ERROR, "PASS")
    assert rows["b"]["trouble"] == "power" and "fuse blown" in rows["b"]["told"]


def test_ssh_console(lab):
    """A real sshd on loopback, whose user reads the board's line."""
    if shutil.which("sshd", path="/usr/sbin") is None:
        pytest.skip("there is no sshd; Debian's openssh-server has it")
    subprocess.run(["mkdir", "-p", "/run/sshd"], check=True)
    for key in ("host", "user"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", lab.folder / key]
        subprocess.run(words, check=True)
    port, board = free_port(), lab.board("a")
    lab.write((lab.folder / "user.pub").read_text(), "authorized")
    lab.write(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {lab.folder}/host\nStrictModes no\n"
        f"AuthorizedKeysFile {lab.folder}/authorized\nUsePAM no\nPidFile none\n",
        "sshd_config",
    )
    lab.write(
        f"IdentityFile {lab.folder}/user\nIdentitiesOnly yes\nStrictHostKeyChecking accept-new\n"
        f"UserKnownHostsFile {lab.folder}/known\n",
        "ssh_config",
    )
    lab.servers.start("/usr/sbin/sshd", "-D", "-e", "-f", lab.folder / "sshd_config", name="sshd")
    ssh = f"ssh -F {lab.folder}/ssh_config -o BatchMode=yes -p {port} 127.0.0.1"
    command = f"exec {ssh} 'echo connected; exec cat {board.tty}'"
    console = f'{{ kind = "command", command = "{command}", ready = "connected" }}'
    text = f'store = "s.sqlite"\n{BRIEF}[[bays]]\nname = "a"\nconsole = {console}\n'
    rack = lab.write(text + f"power = {board.power()}\n")
    wait_for(lambda: "listening" in lab.servers.said("sshd"), what="sshd")
    status, rows, _ = lab.run(rack)
    assert status == Status.PASS, (rows, lab.servers.said("sshd"))
    (lab.folder / "authorized").write_text("")
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "dead-console")
    assert "Permission denied" in rows["a"]["told"]
    assert board.words() == ["on", "off"], "it was switched on although nobody could listen"


def test_emulated_bay(lab, iso, emulator):
    more = f'iso = "{iso}"\nemulator = "{emulator}"\noptions = "test=probe.*"\n'
    more += '[[bays]]\nname = "q"\nqemu = { profile = "skylake", smp = 1 }\n'
    rack = lab.write(f'store = "s.sqlite"\nimage = "{image_of(lab.log)}"\n' + more)
    status, rows, _ = lab.run(rack)
    assert (status, rows["q"]["status"]) == (Status.PASS, "PASS"), rows
    assert "test=probe.*" in lab.rack("status", "--store", rack).stdout


def test_the_board_of_these_tests_says_when_it_was_switched(lab):
    board = lab.board("a")
    subprocess.run([BOARD, board.folder, "cycle"], check=True)
    assert board.words() == ["cycle", "on"] and board.is_on()
