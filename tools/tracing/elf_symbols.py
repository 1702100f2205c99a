# SPDX-License-Identifier: GPL-2.0-or-later
"""Names for addresses, from the kernel's ELF file; and whether it is the kernel of a log."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from errors import LabError

try:
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile
except ImportError:
    ELFFile = None

EXECUTABLE = 4  # SHF_EXECINSTR
USER = ".user.text"
NAMED = re.compile(r"=0x([0-9a-f]{1,16}) \(([A-Za-z_][\w.]*)(?:\+0x([0-9a-f]{1,8}))?\)")
NAMED_MOST = 1000  # of a log's lines are held against the file


@dataclass(frozen=True)
class Place:
    """symbol+0xoffset, or the address where there is no symbol."""

    address: int
    symbol: str | None = None
    offset: int = 0

    def __str__(self):
        if self.symbol is None:
            return f"0x{self.address:x}"
        return f"{self.symbol}+0x{self.offset:x}" if self.offset else self.symbol

    @property
    def label(self):
        """Without the offset."""
        return self.symbol or str(self)

    @property
    def function(self):
        """What labels within it have in common: of `sled.way_back` that is `sled`."""
        return self.label.split(".")[0] or self.label


class NoSymbols:
    """Where there is no file: addresses stay addresses."""

    path = None

    def place(self, address):
        return Place(address)

    def ring(self, _):
        """0 or 3, where the address tells; None."""
        return None


class Symbols(NoSymbols):
    def __init__(self, path):
        self.path = path
        if ELFFile is None:
            raise LabError("there is no pyelftools (Debian: python3-pyelftools) to read names with")
        try:
            with open(path, "rb") as file:
                self.read(ELFFile(file))
                file.seek(0)
                self.content = file.read()
        except (ELFError, UnicodeDecodeError, ValueError) as error:
            raise LabError(f"{path} is no ELF file that can be read: {error}") from None

    def read(self, elf):
        self.sections = [
            (each["sh_addr"], each["sh_addr"] + each["sh_size"], each.name)
            for each in elf.iter_sections()
            if each["sh_flags"] & EXECUTABLE
        ]
        table = elf.get_section_by_name(".symtab")
        if table is None or not self.sections:
            raise LabError(f"{self.path} has no symbols, or no code")
        self.addresses_of = {}
        best = {}
        for symbol in table.iter_symbols():
            self.add(best, symbol)
        self.names = [best[address][1] for address in sorted(best)]
        self.addresses = sorted(best)

    def add(self, best, symbol):
        address, name = symbol["st_value"], symbol.name
        if not name or symbol["st_shndx"] in ("SHN_UNDEF", "SHN_ABS") or name.startswith("."):
            return
        self.addresses_of.setdefault(name, set()).add(address)
        rank = (name.startswith("_"), symbol["st_info"]["bind"] != "STB_GLOBAL", name)
        if self.section(address) and (address not in best or rank < best[address][0]):
            best[address] = (rank, name)

    def section(self, address):
        """(begin, end, name) of the code there, or None."""
        return next((each for each in self.sections if each[0] <= address < each[1]), None)

    def place(self, address):
        section, at = self.section(address), bisect_right(self.addresses, address) - 1
        if section is None or at < 0 or self.addresses[at] < section[0]:
            return Place(address)
        return Place(address, self.names[at], address - self.addresses[at])

    def ring(self, address):
        section = self.section(address)
        return None if section is None else 3 if section[2] == USER else 0

    def why_not_of(self, log):
        """Why the log is not this kernel's, in a sentence; None where nothing says so."""
        version = log.header().get("btscheck")
        if version and version.encode("utf-8", "replace") + b"\0" not in self.content:
            return f"the log is of btscheck {version}, {self.path} is of another version"
        for address, name, offset in named(log):
            if address - offset not in self.addresses_of.get(name, ()):
                return (
                    f"the log says that {name} is at 0x{address - offset:x}, in {self.path} it is "
                    "not: that is another build"
                )
        return None


def named(log):
    """(address, symbol, offset) wherever a line of the log names an address."""
    found = (match for line in log.lines for match in NAMED.finditer(line))
    for _, match in zip(range(NAMED_MOST), found):
        yield int(match[1], 16), match[2], int(match[3] or "0", 16)
