# SPDX-License-Identifier: GPL-2.0-or-later
"""The lab's named boards: what they add to the machine, and which of them cannot be."""

import contextlib
import re
import subprocess
import time

import boards
import machine
import pytest
from conftest import ROOT, RUN, execute, hollow_image, make
from judge import Status
from qmp import Monitor

BOARDS = boards.load_boards()
SHORT = "test=selftest.format_string"
LOOK = 60.0  # seconds until the firmware has given addresses


@pytest.fixture
def words(tmp_path, monkeypatch):
    """words(board, …): QEMU's command line; fields as machine.Machine."""
    hollow_image(tmp_path / "iso")
    monkeypatch.setattr(machine, "has_debug_store", lambda qemu: True)

    def command(board, **fields):
        fields.setdefault("iso", tmp_path / "iso")
        return machine.Machine(board=board, **fields).arguments("null")

    return command


@pytest.mark.parametrize("name", BOARDS)
def test_log_goes_to_one_device_of_each_board(words, name):
    command = words(name)
    (device,) = [x for x in command if re.search(r"\bchardev[=:]com1\b", x)]
    assert device == command[command.index(BOARDS[name].serial[1])]
    assert "null,id=com1" in command
    assert all(f"-smp {BOARDS[name].smp}" in " ".join(command) for _ in BOARDS[name].smp)


def test_properties_follow_the_profiles_and_the_variation_has_the_last_word(words):
    command = words("smi-storm", profile="core2", variation="x-ds-smi-rate=5")
    cpu = command[command.index("-cpu") + 1]
    profile = machine.find_profile("core2")["cpu"]
    assert cpu == f"{profile},{BOARDS['smi-storm'].cpu},x-ds-smi-rate=5"


def test_more_processors_are_of_the_same_model(words):
    command = words("ids-above-255", cpu="Some,+thing")
    assert [x for x in command if x.startswith("Some-x86_64-cpu,socket-id=")]
    assert len([x for x in command if "-x86_64-cpu," in x]) == len(
        BOARDS["ids-above-255"].processors
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("", "btscheck:console=debugcon,,screen"),
        ("test=a seed=3", "btscheck:test=a seed=3 console=debugcon,,screen"),
        ("console=screen", "btscheck:console=screen"),
    ],
)
def test_kernel_is_told_where_the_log_goes_unless_somebody_else_says(words, given, told):
    assert f"type=11,value={told}" in words("no-serial", command_line=given)


@pytest.mark.parametrize("name", [name for name, board in BOARDS.items() if board.needs_emulator()])
def test_board_of_our_emulator_is_no_other_ones(words, monkeypatch, name):
    with pytest.raises(machine.LabError, match=f"board '{name}' needs our emulator, and not KVM"):
        words(name, accelerator="kvm")
    monkeypatch.setattr(machine, "has_debug_store", lambda qemu: False)
    with pytest.raises(machine.LabError, match=f"board '{name}' needs our emulator: "):
        words(name)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--board", "no-such"], "no board 'no-such'; there are: plain, smi-storm"),
        (["--board", "sparse", "--smp", "4"], "--smp has no effect: the board 'sparse' has 6,"),
        (["--board", "sparse", "--serial", "/dev/null"], "--board has no effect with --serial"),
    ],
)
def test_options_that_do_not_go_together_are_refused(tmp_path, options, told):
    options = options if "--serial" in options else [*options, "--qemu", "true"]
    answer = execute(RUN, "--log", tmp_path / "log", *options, timeout=60)
    assert answer.returncode == Status.ERROR and told in answer.stderr, answer.stderr


@pytest.mark.parametrize(
    "text", ["", "boards = 3", "[boards.a]\ncolour = 'red'", "[boards.a]\ncpu = 'x'", "[boards"]
)
def test_table_that_is_wrong_is_told(tmp_path, text):
    (tmp_path / "table").write_text(text)
    with pytest.raises(machine.LabError, match="the boards cannot be read: .*table"):
        boards.load_boards(tmp_path / "table")


NO_OWNER = "owner is firmware, or system: no UHCI, and not stubborn"
NO_CONTROLLER = "kind is uhci, ehci or xhci, rate from 1 to 10000"


@pytest.mark.parametrize(
    ("device", "told"),
    [
        ("mmio-uart,stride=2", "stride is 1 or 4"),
        ("mmio-uart,stride=1,width=4", "width is 1, or 4 with stride=4"),
        ("mmio-uart,addr=0xfe030010", "addr is no page"),
        ("usb-by-smi,kind=uhci,owner=system", NO_OWNER),
        ("usb-by-smi,kind=ehci,stubborn=on,owner=system", NO_OWNER),
        ("usb-by-smi,kind=ehci,owner=me", NO_OWNER),
        ("usb-by-smi,kind=ohci", NO_CONTROLLER),
        ("usb-by-smi,rate=5", NO_CONTROLLER),
        ("usb-by-smi,kind=ehci,rate=0", NO_CONTROLLER),
    ],
)
def test_devices_that_cannot_be_are_refused(emulator, device, told):
    words = ["-machine", "q35", "-display", "none", "-device", device]
    answer = execute(emulator, *words, timeout=60)
    assert answer.returncode == 1 and told in answer.stderr


def test_make_lists_them():
    answer = make("boards")
    lines = [line for line in answer.stdout.splitlines() if not line.startswith("make")]
    assert answer.returncode == 0 and [line.split()[0] for line in lines] == list(BOARDS)


# ---- what the tables say ---------------------------------------------------------------------


def table_numbers(run_guest, name):
    options = ["-chardev", "null,id=com1", "-vga", "std"]
    return run_guest("spcr", options=[*options, *BOARDS[name].arguments("bios", "any")]).numbers


def test_memory_uart_is_named_by_both_tables(run_guest):
    numbers = table_numbers(run_guest, "mmio-uart")
    spcr = {"sum": 0, "length": 80, "type": 0x12, "space": 0, "bits": 32, "access": 3}
    spcr |= {"address": 0xFE030000, "upper": 0, "rate": 7, "device": 0xFFFF, "vendor": 0xFFFF}
    assert {name: numbers[f"spcr_{name}"] for name in spcr} == spcr
    dbg2 = {"sum": 0, "ports": 1, "addresses": 1, "type": 0x8000, "subtype": 0x12, "size": 32}
    dbg2 |= {"space": 0, "access": 3, "address": 0xFE030000, "name": 0x42535F5C}  # "\_SB"
    assert {name: numbers[f"dbg2_{name}"] for name in dbg2} == dbg2


def test_pci_uart_is_named_by_its_place(run_guest):
    numbers = table_numbers(run_guest, "no-com1")
    spcr = {"sum": 0, "type": 0, "space": 1, "bits": 8, "access": 1, "address": 0xC060}
    spcr |= {"device": 2, "vendor": 0x1B36}
    assert {name: numbers[f"spcr_{name}"] for name in spcr} == spcr
    assert numbers["bar"] == numbers["spcr_address"] | 1, "where the firmware has put it"
    assert numbers["dbg2"] == 0


def test_other_boards_have_no_such_table(run_guest):
    numbers = table_numbers(run_guest, "plain")
    assert (numbers["spcr"], numbers["dbg2"]) == (0, 0)


@contextlib.contextmanager
def started(command):
    """The machine, for as long as it is looked at."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    with subprocess.Popen(command, **streams, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("medium", ["cd", "usb"])
@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_firmware_gives_the_address_that_the_table_has(emulator, iso, tmp_path, firmware, medium):
    path = tmp_path / "monitor"
    board = machine.Machine(
        qemu=emulator,
        iso=iso,
        board="no-com1",
        firmware=firmware,
        medium=medium,
        monitor=path,
        command_line="list",
    )
    address = BOARDS["no-com1"].port["address"][firmware]
    with started(board.arguments("null")):
        end, found = time.monotonic() + LOOK, None
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.05)
        monitor = Monitor(path)
        while not found and time.monotonic() < end:
            function = monitor.ask("info pci").split("1b36:0002")[1]
            found = re.search(r"BAR0: I/O at 0x([0-9a-f]{4}) ", function.split("id ")[0])
            time.sleep(0.2)
        monitor.close()
    assert found and int(found[1], 16) == address


# ---- whole machines --------------------------------------------------------------------------

WITH_COM1 = [name for name, board in BOARDS.items() if board.serial[0] == "-serial"]


@pytest.mark.parametrize("name", [*WITH_COM1, "no-serial"])
def test_kernel_comes_up(boot_machine, emulator, name):
    boot = boot_machine(qemu=emulator, board=name, command_line=SHORT)
    assert boot.judgement.status == Status.PASS, boot.explain()


def test_each_board_is_described():
    assert all(board.description and len(board.description) < 80 for board in BOARDS.values())
    assert BOARDS[boards.PLAIN] == boards.Board(boards.PLAIN, BOARDS[boards.PLAIN].description)
    assert "boards.toml" in (ROOT / "tools/lab/README.md").read_text(encoding="utf-8")
