# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the log goes: the serial port and rate that console= names, read as a lab would."""

import re

import pytest
from judge import Status, judge

TESTS = "test=selftest.format_string"
PORTS = {"0x3f8": 0, "0x2f8": 1, "0x3e8": 2, "0x2e8": 3}  # port: QEMU's number of it


@pytest.fixture
def boot_with_ports(boot_machine, tmp_path):
    """boot_with_ports(console, numbers): the boot, and number -> what came out of that port."""

    def run(console, numbers, **fields):
        paths = {number: tmp_path / f"port{number}" for number in numbers}
        extra = ["-trace", "serial_update_parameters"]
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
