# SPDX-License-Identifier: GPL-2.0-or-later
"""The head of a log names firmware, board and date as the machine's tables and clock have them."""

import re

import pytest
from judge import Status

TABLES = [
    "type=0,vendor=Some Vendor,version=P1.40,date=07/01/2018",
    "type=1,manufacturer=System Maker,product=A System,version=3,serial=S-1"
    ",uuid=00112233-4455-6677-8899-aabbccddeeff",
    "type=2,manufacturer=Board Maker,product=Board Nine,version=rev 2,serial=B-7",
]
NAMES = {
    "bios": "Some Vendor P1.40, 07/01/2018",
    "board": "Board Maker Board Nine, version rev 2",
    "system": "System Maker A System, version 3",
}
SERIALS = {
    "board serial": "B-7",
    "system serial": "S-1",
    "uuid": "00112233-4455-6677-8899-aabbccddeeff",
}
LIST = "test=probe list"


@pytest.fixture
def head(boot_machine):
    """Of a machine with those tables and more; the log must be as good as any."""

    def run(tables=(), more=(), **fields):
        extra = [word for each in tables for word in ("-smbios", each)]
        boot = boot_machine(extra=[*extra, *more], **fields)
        assert boot.judgement.status == Status.LISTED, boot.explain()
        return boot.judgement.log.header()

    return run


# QEMU gives the tables by an entry point for 32 bits, or for 64; OVMF has its own type 0.
@pytest.mark.parametrize("firmware, bits", [("bios", 32), ("bios", 64), ("uefi", 64)])
def test_tables_are_read(head, firmware, bits):
    more = ["-machine", f"smbios-entry-point-type={bits}"]
    found = head(TABLES, more, firmware=firmware, command_line=LIST)
    assert {key: found.get(key) for key in NAMES} == NAMES
    assert "smbios" not in found and not set(SERIALS) & set(found), found
    assert "ppin" not in found, "no emulated processor has one"


def test_serials_come_when_asked(head):
    found = head(TABLES, command_line=f"{LIST} log=serials")
    assert {key: found.get(key) for key in SERIALS} == SERIALS
    assert {key: found.get(key) for key in NAMES} == NAMES


def test_board_without_a_name_has_its_system(head):
    found = head(TABLES[1:2], command_line=LIST)
    assert found["board"] == NAMES["system"] and "system" not in found


def test_damaged_table_costs_one_line(head, tmp_path):
    """The second string is named, and there is one."""
    (tmp_path / "board").write_bytes(bytes([2, 8, 0, 2, 1, 2, 0, 0]) + b"Only Maker\0\0")
    table = f"file={tmp_path / 'board'}"
    found = head([table], command_line=f"{LIST} log=serials")
    assert found["board"] == "Only Maker" and "board serial" not in found
    assert re.fullmatch(
        r"structure \d+, of type 2, names a string that it lacks", found["smbios"]
    ), found


@pytest.mark.parametrize("date", ["2031-02-28T22:05:00", "2024-02-29T07:08:00"])
def test_date_is_that_of_the_clock(head, date):
    found = head(more=["-rtc", f"base={date}"], command_line=LIST)
    assert found["date"].startswith(date[:10]) and len(found["date"]) == 19
    assert found["date"][11:14] == date[11:14], found["date"]
