# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the log goes: the UART and rate that console= names, or the firmware's tables, or that is
there, read as a lab would."""

import re
import struct
from dataclasses import dataclass

import pytest
import transport
from conftest import LIMITS, Boot, execute
from judge import Status, judge
from machine import Machine

TESTS = "test=selftest.format_string"
PORTS = {"0x3f8": 0, "0x2f8": 1, "0x3e8": 2, "0x2e8": 3}  # port: QEMU's number of it


@pytest.fixture
def boot_with_ports(boot_machine, tmp_path):
    """boot_with_ports(console, numbers): the boot, and number -> what came out of that port."""

    def run(console, numbers, more=(), **fields):
        paths = {number: tmp_path / f"port{number}" for number in numbers}
        extra = ["-trace", "serial_update_parameters", *more]
        for number, path in paths.items():
            extra += ["-chardev", f"file,id=port{number},path={path}"]
            extra += ["-device", f"isa-serial,index={number},chardev=port{number}"]
        boot = boot_machine(command_line=f"{TESTS} console={console}", extra=extra, **fields)
        return boot, {number: path.read_bytes() for number, path in paths.items()}

    return run


@pytest.mark.parametrize(
    "console, number, rate",
    [
        ("serial:com2", 1, 115200),
        ("serial:0x2f8,57600", 1, 57600),
        ("serial:com3,screen", 2, 115200),
        ("serial:0x2e8,9600,screen", 3, 9600),
    ],
)
def test_log_comes_out_of_the_port_that_was_named(boot_with_ports, console, number, rate):
    boot, written = boot_with_ports(console, [1, 2, 3])
    judgement = judge(written.pop(number), boot.outcome.exit_code)
    assert judgement.status == Status.PASS, judgement.reasons
    assert written == dict.fromkeys(written, b"") and boot.outcome.raw == b""
    lines = re.findall(r"baudrate=(\d+) parity=.N. data=8 stop=1", boot.outcome.messages)
    assert lines[-1:] == [str(rate)], boot.outcome.messages


# A console that is not COM1: whatever comes out of it is the log of the boot.


@dataclass
class Elsewhere(Machine):
    """A board without COM1; its one UART, if any, is what `uart` says."""

    uart: tuple = ()

    def arguments(self, serial):
        words = super().arguments(serial)
        at = words.index("-serial")
        return [*words[:at], "-serial", "none", *words[at + 2 :], *self.uart]


ISA = "isa-serial,irq=4,chardev=com1,iobase="
COM3 = ("-device", ISA + "0x3e8")
PCI = ("-device", "pci-serial,chardev=com1,addr=4")
BOTH = ("-device", "isa-serial,index=0,chardev=com1")


@pytest.fixture
def boot_elsewhere(iso, tmp_path):
    """boot_elsewhere(the UART's words for QEMU, more words, console=…): stock QEMU, or qemu=…."""

    def run(uart, *tables, console="", tests=TESTS, **fields):
        words = tests + (f" console={console}" if console else "")
        fields = {"iso": iso, "command_line": words, "uart": uart, "extra": list(tables), **fields}
        machine = Elsewhere(**fields)
        outcome = transport.boot(machine, tmp_path / "log.ktap", LIMITS, show=lambda chunk: None)
        return Boot(judge(outcome.raw, outcome.exit_code, outcome.timed_out), outcome)

    return run


def table_of(path, signature, body, revision=2):
    """What follows a table's header, as words for QEMU, which makes header and checksum."""
    path.write_bytes(body)
    return ["-acpitable", f"sig={signature},rev={revision},data={path}"]


def spcr(port, kind=0, space=1, width=8, access=1, rate=7, pci=b"\xff" * 4 + bytes(3)):
    """An SPCR's bytes behind its header."""
    place = struct.pack("<BBBBQ", space, width, 0, access, port)
    line = struct.pack("<BBIBBBBBB", 0, 0, 0, rate, 0, 1, 0, 3, 0)
    return bytes([kind, 0, 0, 0]) + place + line + pci + bytes(9)


def dbg2(port, kind=0, space=1, width=8, access=1, offset=22):
    """A DBG2's bytes behind its header, of one serial port."""
    place = struct.pack("<BBBBQ", space, width, 0, access, port)
    port = struct.pack("<BHBHHHHHHHHH", 0, 34, 1, 0, 0, 0, 0, 0x8000, kind, 0, offset, 0)
    return struct.pack("<II", 44, 1) + port + place


def assert_console(boot, told):
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert f"# console: {told}" in boot.judgement.log.lines, boot.explain()


@pytest.mark.parametrize(
    "uart, console, told",
    [
        (PCI, "", r"port 0x[0-9a-f]+ \(PCI 00:04\.0\), 115200 baud"),
        (PCI, "serial,57600", r"port 0x[0-9a-f]+ \(PCI 00:04\.0\), 57600 baud"),
        (PCI, "uart:pci:00:04.0,38400", r"port 0x[0-9a-f]+ \(PCI 00:04\.0\), 38400 baud"),
        (PCI, "uart:pci:00:04.0,keep", r"port 0x[0-9a-f]+ \(PCI 00:04\.0\), 9600 baud"),
        (COM3, "uart:io:0x3e8", r"port 0x3e8 \(console=uart\), 115200 baud"),
        (COM3, "uart:io:0x3e8,57600,screen", r"port 0x3e8 \(console=uart\), 57600 baud"),
    ],
)
def test_log_comes_out_of_a_uart_that_is_not_com1(boot_elsewhere, uart, console, told):
    boot = boot_elsewhere(uart, console=console)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert re.search(rf"^# console: 16550 at {told}$", boot.text, re.M), boot.explain()
    complaint = "# console without serial: no UART at port 0x3f8"
    assert (complaint in boot.text) == ("uart" not in console)


@pytest.mark.parametrize(
    "signature, body, told",
    [
        ("SPCR", spcr(0x3E8), "115200 baud"),
        ("SPCR", spcr(0x3E8, rate=6), "57600 baud"),
        ("SPCR", spcr(0x3E8, kind=0x12, access=3, width=32), "115200 baud"),
        ("SPCR", spcr(0x3E8, rate=0), "9600 baud"),
        ("DBG2", dbg2(0x3E8), "115200 baud"),
        ("DBG2", dbg2(0x3E8, kind=0x12, access=0), "115200 baud"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_log_comes_out_of_the_uart_that_a_table_names(
    boot_elsewhere, tmp_path, signature, body, told
):
    boot = boot_elsewhere(COM3, *table_of(tmp_path / "table", signature, body))
    assert_console(boot, f"16550 at port 0x3e8 ({signature}), {told}")


def test_table_that_names_a_pci_function_need_not_know_its_address(boot_elsewhere, tmp_path):
    place = struct.pack("<HHBBB", 0x0002, 0x1B36, 0, 4, 0)  # QEMU's own card
    table = table_of(tmp_path / "table", "SPCR", spcr(0, pci=place))
    boot = boot_elsewhere(PCI, *table)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert re.search(r"^# console: 16550 at port 0x[0-9a-f]+ \(SPCR\), 115200 b", boot.text, re.M)


@pytest.mark.parametrize(
    "signature, body, told",
    [
        ("SPCR", spcr(0x3E8)[:43], "it is too short, 79 bytes"),
        ("SPCR", spcr(0x3E8, kind=3), "its interface 0x03 is no 16550"),
        ("SPCR", spcr(0x3E8, space=5), "its address space 5 is neither memory nor ports"),
        ("SPCR", spcr(0), "its address is 0: the firmware uses none"),
        ("SPCR", spcr(0x2E8), "no UART at port 0x2e8"),
        ("SPCR", spcr(0x1000000, kind=0x12, space=0), "at 0x1000000 there is memory"),
        ("SPCR", spcr(0xFE030000, kind=0x12, space=0, access=3), "no UART at memory 0xfe030000"),
        ("SPCR", spcr(1 << 60, kind=0x12, space=0), "no physical address of this processor"),
        ("SPCR", spcr(0xFE030000, 0x12, space=0, width=0, access=0), "neither access size nor"),
        ("DBG2", dbg2(0x3E8)[:30], "a port's description has an impossible length, 34"),
        ("DBG2", dbg2(0x3E8, offset=30), "a port's address lies outside its description, at 30"),
        ("DBG2", dbg2(0x3E8, kind=0x0D), "its interface 0x0d is no 16550"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_table_that_is_of_no_use_is_named_and_the_next_uart_taken(
    boot_elsewhere, tmp_path, signature, body, told
):
    boot = boot_elsewhere(PCI, *table_of(tmp_path / "table", signature, body))
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert re.search(
        rf"^# console: {signature} not used: .*{told}", boot.text, re.M
    ), boot.explain()
    assert "(PCI 00:04.0), 115200 baud" in boot.text


def test_damaged_spcr_leaves_dbg2(boot_elsewhere, tmp_path):
    tables = table_of(tmp_path / "spcr", "SPCR", spcr(0x3E8, kind=3))
    tables += table_of(tmp_path / "dbg2", "DBG2", dbg2(0x3E8))
    boot = boot_elsewhere(COM3, *tables)
    assert_console(boot, "16550 at port 0x3e8 (DBG2), 115200 baud")


@pytest.mark.parametrize("console", ["", "serial", "screen", "uart:pci:00:16.3"])
def test_without_any_uart_the_run_goes_on(boot_elsewhere, console):
    boot = boot_elsewhere((), console=console)
    assert boot.outcome.raw == b"" and boot.outcome.exit_code == 33, boot.explain()


def test_log_comes_out_of_com1_and_of_the_uart_that_the_firmware_uses(boot_with_ports, tmp_path):
    table = table_of(tmp_path / "table", "SPCR", spcr(0x2F8, rate=6))
    boot, written = boot_with_ports("serial,screen", [1, 2], more=table)
    assert_console(boot, "16550 at port 0x3f8, 115200 baud")
    assert_console(boot, "16550 at port 0x2f8 (SPCR), 57600 baud")
    assert written == {1: boot.outcome.raw, 2: b""}


def test_named_port_is_the_only_one(boot_with_ports, tmp_path):
    table = table_of(tmp_path / "table", "SPCR", spcr(0x2F8))
    boot, written = boot_with_ports("serial:com3", [1, 2], more=table)
    assert judge(written[2], boot.outcome.exit_code).status == Status.PASS
    assert written[1] == boot.outcome.raw == b""


def test_com1_takes_over_the_rate_of_the_firmware(boot_with_ports, tmp_path):
    table = table_of(tmp_path / "table", "SPCR", spcr(0x3F8, rate=3))
    boot, _ = boot_with_ports("serial,screen", [], more=table)
    assert_console(boot, "16550 at port 0x3f8 (SPCR), 9600 baud")
    assert "# console: 9600 baud from here on (SPCR)" in boot.outcome.raw.decode()
    boot, _ = boot_with_ports("serial,38400", [], more=table)
    assert_console(boot, "16550 at port 0x3f8 (SPCR), 38400 baud")


@pytest.mark.parametrize(
    "console, told",
    [
        ("uart:pci:00:1e.0", "PCI 00:1e.0 not used: there is no such PCI function"),
        ("uart:pci:00:00.0", "PCI 00:00.0 not used: it is no 16550: class 0600"),
        ("uart:io:0x2e8", "console=uart not used: no UART at port 0x2e8"),
        ("uart:mmio32:0xfe030000", "not used: no UART at memory 0xfe030000, 32-bit accesses"),
        ("uart:mmio:0x2000000", "console=uart not used: at 0x2000000 there is memory"),
        ("uart:mmio:0x8000000000000000", "no physical address of this processor"),
    ],
)
def test_uart_that_was_named_and_is_not_there(boot_machine, console, told):
    boot = boot_machine(command_line=f"{TESTS} console={console},serial")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert re.search(rf"^# console: .*{re.escape(told)}", boot.text, re.M), boot.explain()


def test_rate_that_the_clock_cannot_make_is_told(boot_elsewhere):
    boot = boot_elsewhere(COM3, console="uart:io:0x3e8,921600")
    told = "console=uart keeps its rate: a clock of 1843200 Hz cannot make 921600 baud"
    assert_console(boot, told)


def has_device(qemu, name):
    answer = execute(qemu, "-device", "help", timeout=30)
    return f'name "{name}"' in answer.stdout


@pytest.fixture
def boot_board(boot_elsewhere, emulator):
    """boot_board(device, words…): the emulator's own UARTs, of boards without COM1."""

    def run(device, *tables, **more):
        if not has_device(emulator, device.partition(",")[0]):
            pytest.skip(f"the emulator has no {device}")
        uart = ("-device", f"{device},chardev=com1")
        return boot_elsewhere(uart, *tables, qemu=emulator, cpu="max", **more)

    return run


AMD = 0xFEDC9000  # where AMD has its UARTs


@pytest.mark.parametrize(
    "stride, width, bits, access, told",
    [
        (1, 1, 8, 1, ""),
        (1, 1, 8, 0, ""),
        (4, 1, 32, 1, ", registers 4 bytes apart"),
        (4, 4, 32, 3, ", 32-bit accesses"),
        (4, 4, 8, 3, ", 32-bit accesses"),
        (4, 4, 32, 0, ", 32-bit accesses"),
    ],
)
def test_uart_in_memory_that_spcr_names(boot_board, tmp_path, stride, width, bits, access, told):
    body = spcr(AMD, kind=0x12, space=0, width=bits, access=access)
    table = table_of(tmp_path / "table", "SPCR", body)
    boot = boot_board(f"mmio-uart,addr={AMD:#x},stride={stride},width={width}", *table)
    assert_console(
        boot, f"16550 at memory 0xfedc9000{told} (SPCR), 115200 baud as the firmware left it"
    )


def test_uart_in_memory_by_hand(boot_board):
    boot = boot_board(
        f"mmio-uart,addr={AMD:#x},stride=4,width=4", console=f"uart:mmio32:{AMD:#x},57600"
    )
    told = "16550 at memory 0xfedc9000, 32-bit accesses (console=uart), 57600 baud"
    assert_console(boot, told)
