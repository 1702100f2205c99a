# SPDX-License-Identifier: GPL-2.0-or-later
"""The boards of boards.toml: what stands around the processor, as QEMU's options."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

import acpi
from errors import LabError
from nearest import no_such
from places import MADE

TABLE = Path(__file__).resolve().with_name("boards.toml")
FOLDER = MADE / "boards"  # for the ACPI tables
PLAIN = "plain"
OWN_DEVICES = ("mmio-uart", "usb-by-smi")  # of our emulator alone


@dataclass(frozen=True)
class Board:
    name: str
    description: str
    cpu: str = ""
    machine: str = ""
    smp: str = ""
    processors: tuple = ()
    serial: tuple = ("-serial", "chardev:com1")
    devices: tuple = ()
    tables: tuple = ()
    port: dict = field(default_factory=dict)
    kernel: str = ""

    def needs_emulator(self):
        """What of it stock QEMU does not have; "" where it has all."""
        devices = [name for name in OWN_DEVICES if name in " ".join(self.serial + self.devices)]
        return ", ".join(filter(None, [self.cpu, *devices]))

    def arguments(self, firmware, model):
        """QEMU's options beside those that every machine has. model: the processors'."""
        more = [*self.devices, *(f"{model}-x86_64-cpu,{place}" for place in self.processors)]
        words = [*self.serial, *(word for each in more for word in ("-device", each))]
        for name in self.tables:
            words += ["-acpitable", f"file={escaped(self.written(name, firmware))}"]
        return words

    def written(self, name, firmware):
        """The file that has this ACPI table."""
        port = dict(self.port)
        if isinstance(port["address"], dict):
            port["address"] = port["address"][firmware]
        data = acpi.TABLES[name](port)
        path = FOLDER / f"{self.name}-{firmware}.{name.lower()}"
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(f".{id(data)}")
            partial.write_bytes(data)
            partial.replace(path)
        return path

    def command_line(self, text):
        """The kernel's, with what the board needs where that option is not there."""
        given = {word.split("=")[0] for word in text.split()}
        words = [word for word in self.kernel.split() if word.split("=")[0] not in given]
        return " ".join(filter(None, [text, *words]))


def escaped(path):
    return str(path).replace(",", ",,")


def load_boards(path=TABLE):
    """Name -> Board."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["boards"]
        return {name: board(name, row) for name, row in rows.items()}
    except (OSError, KeyError, TypeError, AttributeError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"the boards cannot be read: {path}: {error}") from error


def board(name, row):
    lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
    return replace(Board(name=name, **row), **lists)


def find_board(name):
    boards = load_boards()
    if name not in boards:
        raise LabError(no_such("no board", name, boards))
    return boards[name]
