# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards switched, booted and heard through what labs have: BMCs, PDUs, other labs' daemons."""

import itertools
import json

import pytest
from judge import Status
from racks import BOARD, BRIEF, SLOW, answers, free_port, wait_for

OID = ".1.3.6.1.4.1.318.1.1.4.4.2.1.3.1"  # the first outlet of a PDU that many labs have


def one_bay(lab, console, *lines):
    more = "\n".join(lines)
    text = f'store = "s.sqlite"\n{BRIEF}[[bays]]\nname = "a"\nconsole = "{console}"\n{more}\n'
    return lab.write(text)


def test_bmc_switches_boots_and_shows_the_console(lab):
    """ipmitool against ipmi_sim: power, next boot device and Serial over LAN, twice."""
    board = lab.board("a")
    ways = ('power = { kind = "ipmi" }', 'boot = { kind = "pxe", by = "ipmi" }')
    rack = one_bay(lab, "sol", lab.bmc(board), *ways)
    for _ in range(2):  # the first one has given its session back
        status, rows, told = lab.run(rack)
        assert status == Status.PASS, (rows, told, lab.servers.said("ipmi_sim-a"))
    words = [word for word, _ in itertools.groupby(board.words())]  # a slow BMC is asked again
    assert words == ["boot pxe", "on", "off"] * 2


def test_bmc_that_refuses_is_named(lab):
    """Wrong password: the board is not touched."""
    board = lab.board("a")
    lab.write("wrong\n", "other")
    rack = one_bay(lab, "sol", lab.bmc(board, "other"), 'power = { kind = "ipmi" }')
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "power")
    assert "ipmitool" in rows["a"]["told"] and "wrong" not in rows["a"]["told"]
    assert board.words() == []


def test_pdu_by_snmp(lab):
    """snmpset against snmpd, which hands the outlet's object to the board."""
    board, port = lab.board("a"), free_port()
    lab.write(
        f"agentAddress udp:127.0.0.1:{port}\nrwcommunity rack 127.0.0.1\n"
        f"pass {OID.rsplit('.', 1)[0]} {BOARD} {board.folder}\n",
        "snmpd.conf",
    )
    words = ["-f", "-Lo", "-C", "-c", lab.folder / "snmpd.conf", "-I", "-smux", "-r"]
    lab.servers.start("snmpd", *words, "-p", lab.folder / "snmpd.pid")
    wait_for(lambda: (lab.folder / "snmpd.pid").exists(), what="snmpd")
    power = f'host = "127.0.0.1:{port}", oid = "{OID}", on = 1, off = 2, community = "rack"'
    console = lab.ser2net(board)["a"]
    rack = one_bay(lab, console, f'power = {{ kind = "snmp", {power} }}')
    status, rows, _ = lab.run(rack)
    assert status == Status.PASS, (rows, lab.servers.said("snmpd"))
    assert board.words() == ["on", "off"]
    rack.write_text(rack.read_text().replace('"rack"', '"public"'))
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "power"), rows


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
    boot = 'boot = { kind = "pxe", prepare = "env | grep ^BTSCHECK_B > told; echo $PWD" }'
    console = lab.ser2net(board)["a"]
    rack = one_bay(lab, console, boot.replace("told", str(lab.folder / "told")))
    rack.write_text(rack.read_text() + f"power = {board.power()}\n")
    assert lab.run(rack)[0] == Status.PASS
    assert "BTSCHECK_BAY=a\n" in (lab.folder / "told").read_text()
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


def redfish_emulator(lab):
    """OpenStack's, where somebody has installed it: no package of Debian has it. Its address."""
    port = free_port()
    lab.write(
        f'SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"\nSUSHY_EMULATOR_LISTEN_PORT = {port}\n'
        "SUSHY_EMULATOR_FAKE_DRIVER = True\nSUSHY_EMULATOR_FAKE_SYSTEMS = [\n"
        '  {"uuid": "0b1f7a52-6a40-4a8e-9c70-1f2d3c4b5a69", "name": "board",\n'
        '   "power_state": "Off", "nics": []}]\n'
        f'SUSHY_EMULATOR_STATE_DIR = "{lab.folder}"\n',
        "sushy.conf",
    )
    lab.servers.start("sushy-emulator", "--config", lab.folder / "sushy.conf", "--fake")
    wait_for(lambda: answers(port), what="the emulated controller")
    return f"http://127.0.0.1:{port}"


def test_virtual_media_and_power_by_redfish(lab):
    """Against OpenStack's emulator, which fetches the image as a controller does."""
    pytest.importorskip("sushy", reason="Debian's python3-sushy is missing")
    url, port = redfish_emulator(lab), free_port()
    lab.servers.start("python3", "-m", "http.server", "--bind", "127.0.0.1", port, name="http")
    wait_for(lambda: answers(port), what="the HTTP server")
    lab.write("secret\n", "password")
    lab.write("an image\n", "some.iso")
    (lab.folder / "log").write_bytes(lab.log)
    said = (
        f'{{ kind = "command", command = "sleep {8 * SLOW:g}; cat {lab.folder}/log; sleep 1000" }}'
    )
    text = f'store = "s.sqlite"\n{BRIEF}[[bays]]\nname = "a"\nconsole = {said}\n'
    text += f'bmc = {{ user = "u", password_file = "password", redfish = "{url}" }}\n'
    text += f'boot = {{ kind = "media", url = "http://127.0.0.1:{port}/some.iso" }}\n'
    rack = lab.write(text + 'power = { kind = "redfish" }\n')
    status, rows, _ = lab.run(rack)
    assert status == Status.PASS, (rows, lab.servers.said("sushy-emulator"))
    assert "GET /some.iso" in lab.servers.said("http")
    assert "VirtualMedia.EjectMedia" in lab.servers.said("sushy-emulator")
    rack.write_text(rack.read_text().replace("some.iso", "none.iso"))
    status, rows, _ = lab.run(rack)
    assert (status, rows["a"]["trouble"]) == (Status.ERROR, "boot")
    assert "Redfish" in rows["a"]["told"]
