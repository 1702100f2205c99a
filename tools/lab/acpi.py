# SPDX-License-Identifier: GPL-2.0-or-later
"""The ACPI tables that tell an operating system where the firmware's serial console is."""

import struct

HEADER = struct.Struct("<4sIBB6s8sI4sI")
SPACES = {"memory": 0, "io": 1}
ACCESS = {1: 1, 2: 2, 4: 3, 8: 4}  # bytes -> code

SERIAL = 0x8000  # the type of a serial port in DBG2
RATE_115200 = 7
VT_UTF8 = 1
NO_PCI = 0xFFFF
PATH = b"\\_SB.UART\0"
OEM_ID, OEM_TABLE, CREATOR = b"BTSCHK", b"BTSBOARD", b"BTSC"


def table(signature, revision, body):
    """With its header; the bytes of a table add up to 0."""
    fields = (signature, HEADER.size + len(body), revision, 0, OEM_ID, OEM_TABLE, 1, CREATOR, 1)
    data = bytearray(HEADER.pack(*fields) + body)
    data[9] = -sum(data) % 256
    return bytes(data)


def generic_address(port):
    """Space, bits from one register to the next, offset, access size, address (F26.2)."""
    fields = (SPACES[port["space"]], 8 * port["stride"], 0, ACCESS[port["width"]], port["address"])
    return struct.pack("<BBBBQ", *fields)


def spcr(port):
    """The serial port console redirection table, revision 2 (F26.1)."""
    interrupt = struct.pack("<BBI", 0, 0, 0)  # none
    line = struct.pack("<BBBBBB", RATE_115200, 0, 1, 0, VT_UTF8, 0)
    return table(
        b"SPCR",
        2,
        struct.pack("<B3x", port["type"])
        + generic_address(port)
        + interrupt
        + line
        + pci_place(port.get("pci"))
        + struct.pack("<I", 0),
    )


def pci_place(pci):
    """Device and vendor, bus, device, function, flags, segment."""
    if pci is None:
        return struct.pack("<HHBBBIB", NO_PCI, NO_PCI, 0, 0, 0, 0, 0)
    vendor, device = (int(part, 16) for part in pci["id"].split(":"))
    return struct.pack("<HHBBBIB", device, vendor, 0, pci["device"], 0, 0, 0)


def dbg2(port):
    """The debug port table 2 with one port (F26.4)."""
    first = HEADER.size + 8
    address = 22  # offsets within the port's own description
    size, name = address + 12, address + 16
    length = name + len(PATH)
    device = struct.pack(
        "<BHBHHHHHHHHH",
        *(0, length, 1, len(PATH), name, 0, 0),
        *(SERIAL, port["type"], 0, address, size)
    )
    body = struct.pack("<II", first, 1) + device + generic_address(port)
    return table(b"DBG2", 0, body + struct.pack("<I", 8 * port["stride"]) + PATH)


TABLES = {"SPCR": spcr, "DBG2": dbg2}
