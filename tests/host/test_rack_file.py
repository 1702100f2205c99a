# SPDX-License-Identifier: GPL-2.0-or-later
"""Rack files: what they say, and the messages where they make no sense."""

import re
import shutil
from pathlib import Path

import pytest
from conftest import execute
from judge import Status
from machine import LabError
from racks import RACK

rackfile = pytest.importorskip("rackfile", reason="Debian's python3-jsonschema is missing")

ONE = '[[bays]]\nname = "a"\n'
TWO = '[[bays]]\nname = "b"\n'
PDU = 'power = { kind = "pdudaemon", daemon = "http://h", hostname = "p", port = 1 }\n'
LINE = ONE + 'console = "/dev/ttyS0"\n'


def load(tmp_path, text):
    (tmp_path / "rack.toml").write_text(text)
    return rackfile.load_rack(tmp_path / "rack.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file: 'bays' is missing"),
        ("bays = 3", "bays: wants a list, not 3"),
        ("bays = []", "bays: "),
        ("bays = [1]", "bay 1: wants a table, not 1"),
        ("x = ", "is no TOML"),
        ("colour = 1\n" + LINE, "there is no 'colour'; there are: name, store"),
        ('[[bays]]\nconsole = "/dev/ttyS0"', "bay 1: 'name' is missing"),
        ('[[bays]]\nname = "../a"', "bay 1 (../a), name: wants letters, digits"),
        (LINE + LINE, "2 bays have the name 'a'; 2 bays have the board 'a'"),
        (ONE, "bay 1 (a): wants either 'qemu' or 'console'"),
        (LINE + "qemu = {}", "bay 1 (a): wants either 'qemu' or 'console'"),
        (ONE + 'qemu = { profil = "x" }', "bay 1 (a), qemu: there is no 'profil'; there are: prof"),
        (ONE + "qemu = { smp = 0 }", "bay 1 (a), qemu, smp: wants a number of processors from 1"),
        (ONE + 'qemu = {}\nboot = { undo = "x" }', "'boot' has no effect on an emulated machine"),
        (ONE + 'console = "tty"', "console: wants /dev/…, socket://HOST:PORT"),
        (ONE + 'console = { kind = "tcp" }', "console, kind: wants one of serial, command"),
        (ONE + "console = {}", "bay 1 (a), console: 'kind' is missing"),
        (LINE + 'power = { kind = "command", on = "x" }', "bay 1 (a), power: 'off' is missing"),
        (
            LINE + 'power = { kind = "ipmi" }',
            "power, kind: wants one of command, labgrid, pdudaemon",
        ),
        (
            LINE + PDU.replace("}", ", oid = 1 }"),
            "power: there is no 'oid'; there are: kind, daemon",
        ),
        (LINE + 'boot = { kind = "pxe" }', "boot: there is no 'kind'; there are: prepare, undo"),
        (LINE + 'groups = ["g"]', "bay 1 (a): there is no group 'g'"),
        ("groups.g.on_at_once = 0\n" + LINE, "groups, g, on_at_once: wants a number of bays"),
        (LINE + "limits = { silence = 0 }", "limits, silence: wants a number of seconds above 0"),
        (LINE + "limits = { silence = nan }", "limits, silence"),
        ("parallel = true\n" + LINE, "parallel: wants a number of bays"),
        ("groups.g.on_at_once = 1.0\n" + LINE, "on_at_once: wants a number of bays"),
        (LINE.replace('"a"', '"a\\n"'), "name: wants a text of one line"),
        ('options = "a\\nb"\n' + LINE, "options: wants a text of one line"),
        ('image = "# btscheck: v1"\n' + LINE, "image: wants what stands behind '# btscheck:'"),
        (ONE + 'console = "socket://cs1:99999"', "a port is a number from 1 to 65535"),
        (LINE + 'power = { kind = "command", on = "x", off = "x" }', "'on' and 'off' are the same"),
    ],
)
def test_file_that_makes_no_sense_is_told_in_words(tmp_path, text, told):
    with pytest.raises(LabError) as error:
        load(tmp_path, text)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (*('console = "/dev/ttyS0"', 'console = "/dev/../dev/ttyS0"'), "console /dev/ttyS0"),
        (
            *('console = "socket://cs1:4001"', 'console = "rfc2217://CS1:04001"'),
            "console cs1:4001",
        ),
        (*('console = { kind = "command", command = "c" }',) * 2, "console c"),
        ('console = "/dev/ttyS0"\n' + PDU, 'console = "/dev/ttyS1"\n' + PDU, "outlet 1 of p"),
    ],
)
def test_what_belongs_to_one_board_is_named_by_one_bay(tmp_path, one, other, told):
    """A board that is dead would have the verdict of its neighbour."""
    with pytest.raises(LabError, match=re.escape(f"2 bays share the {told}")):
        load(tmp_path, ONE + one + "\n" + TWO + other)


def test_what_the_rack_says_holds_for_each_bay_that_says_nothing_else(tmp_path):
    head = 'image = "v1"\noptions = " test=a "\nlimits = { total = 5, silence = 3 }\n'
    more = '[[bays]]\nname = "b"\nboard = "sn7"\nimage = "v2"\nlimits.silence = 4\nqemu = {}\n'
    rack = load(tmp_path, head + LINE + more)
    a, b = rack.bays
    assert (a.board, a.image, a.options, a.seconds.total, a.seconds.silence) == (
        *("a", "v1", "test=a"),
        *(5, 3),
    )
    assert (b.board, b.image, b.seconds.total, b.seconds.silence) == ("sn7", "v2", 5, 4)
    assert rack.parallel == 2 and rack.name == "rack"


@pytest.mark.parametrize(
    ("console", "table"),
    [
        ("/dev/ttyUSB0", {"kind": "serial", "line": "/dev/ttyUSB0"}),
        ("rfc2217://cs1:4001", {"kind": "serial", "line": "rfc2217://cs1:4001"}),
    ],
)
def test_short_form_of_a_console(tmp_path, console, table):
    assert load(tmp_path, ONE + f'console = "{console}"').bays[0].console == table


def test_paths_are_beside_the_rack_file(tmp_path):
    rack = load(tmp_path, 'store = "s"\niso = "i"\nemulator = "./q"\n' + LINE)
    assert (rack.store, rack.iso) == (tmp_path / "s", tmp_path / "i")
    assert Path(rack.emulator) == tmp_path / "q"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ONE + 'qemu = { profile = "z80" }', "bay a: no profile 'z80'"),
        ('iso = "no.iso"\n' + ONE + "qemu = {}", "there is no image"),
        (ONE + 'qemu = { board = "chess" }', "bay a: no board 'chess'"),
        ('options = "a\'b"\n' + ONE + "qemu = {}", "bay a: the command line may hold no quotes"),
        ('store = "."\n' + LINE, "is a folder; name a file in it"),
    ],
)
def test_things_that_are_not_there_are_told(tmp_path, text, told):
    rack = load(tmp_path, text)
    assert any(told in each for each in rackfile.find_things(rack, rack.bays))


def rack(*words):
    answer = execute(RACK, *words, timeout=300)
    assert "Traceback" not in answer.stderr
    return answer


def test_check_and_run_refuse_alike(tmp_path):
    (tmp_path / "rack.toml").write_text(LINE)
    assert rack("check", tmp_path / "rack.toml").returncode == Status.PASS
    answer = rack("run", tmp_path / "rack.toml", "--bay", "b*")
    assert answer.returncode == Status.ERROR and "no bay is called 'b*'" in answer.stderr
    for words in (["check", tmp_path / "none"], ["run", tmp_path / "none"], ["walk"], []):
        answer = rack(*words)
        assert answer.returncode == Status.ERROR and len(answer.stderr.splitlines()) == 1, words


def test_what_another_bay_lacks_does_not_matter(tmp_path):
    path = tmp_path / "rack.toml"
    path.write_text(LINE + TWO + 'qemu = { profile = "z80" }\n')
    answer = rack("run", path, "--bay", "b")
    assert answer.returncode == Status.ERROR and "no profile 'z80'" in answer.stderr
    path.write_text('store = "s"\n' + path.read_text().replace("/dev/ttyS0", "/dev/none"))
    assert "could not open port /dev/none" in rack("run", path, "--bay", "a").stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_options_that_the_kernel_would_refuse_are_told_by_check(tmp_path):
    (tmp_path / "rack.toml").write_text('options = "tset=a"\n' + LINE)
    answer = rack("check", tmp_path / "rack.toml")
    assert answer.returncode == Status.ERROR and "tset" in answer.stderr
