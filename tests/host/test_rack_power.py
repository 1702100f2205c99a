# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards switched and booted through what labs have: commands, and LAVA's daemon for PDUs."""

import json

from judge import Status
from racks import BOARD, BRIEF, SLOW, free_port, wait_for


def one_bay(lab, console, *lines):
    more = "\n".join(lines)
    text = f'store = "s.sqlite"\n{BRIEF}[[bays]]\nname = "a"\nconsole = "{console}"\n{more}\n'
    return lab.write(text)


def test_pdudaemon(lab):
    """LAVA's daemon for PDUs, by its HTTP interface; it runs the board's switch as a command."""
    board, port = lab.board("a"), free_port()
    switch = {word: f"{BOARD} {board.folder} {word} # %s" for word in ("on", "off")}
    config = {
        "daemon": {"hostname": "127.0.0.1", "port": port, "listener": "http"},
        "pdus": {
            "pdu1": {
                "driver": "localcmdline",
                "cmd_on": switch["on"],
                "cmd_off": switch["off"],
            }
        },
    }
    lab.write(json.dumps(config), "pdudaemon.conf")
    log = lab.folder / "pdudaemon.log"
    lab.servers.start(
        "pdudaemon", f"--conf={lab.folder}/pdudaemon.conf", f"--logfile={log}", "--listener=http"
    )
    wait_for(lambda: log.exists() and "Listening" in log.read_text(), what="pdudaemon")
    power = f'{{ kind = "pdudaemon", daemon = "http://127.0.0.1:{port}", port = 3'
    console = lab.ser2net(board)["a"]
    status, rows, _ = lab.run(one_bay(lab, console, f'power = {power}, hostname = "pdu1" }}'))
    assert status == Status.PASS, (rows, log.read_text())
    assert board.words() == ["on", "off"]
    status, rows, _ = lab.run(one_bay(lab, console, f'power = {power}, hostname = "none" }}'))
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "power")


def test_preparation_is_told_which_board_it_is_for(lab):
    board = lab.board("a")
    told, kept = lab.folder / "told", lab.folder / "kept"
    prepare = f"env | grep ^BTSCHECK_B | tee {told} > {kept}; echo $PWD"
    boot = f'boot = {{ prepare = "{prepare}", undo = "rm {told}" }}'
    console = lab.ser2net(board)["a"]
    rack = one_bay(lab, console, boot)
    rack.write_text(rack.read_text() + f"power = {board.power()}\n")
    assert lab.run(rack)[0] == Status.PASS
    assert "BTSCHECK_BAY=a\n" in kept.read_text() and not told.exists()
    rack.write_text(rack.read_text().replace("echo $PWD", "echo no such host; false"))
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "boot")
    assert "no such host" in rows["a"]["told"]
    assert board.words() == ["on", "off"]


def test_switch_that_never_answers_is_named(lab):
    board = lab.board("a")
    console = lab.ser2net(board)["a"]
    power = f'power = {{ kind = "command", on = "sleep 1000", off = "{board.command("off")}" }}'
    rack = one_bay(lab, console, power, f"limits.power = {2 * SLOW:g}")
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "power")
    assert f"did not end in {2 * SLOW:g} s" in rows["a"]["told"]
