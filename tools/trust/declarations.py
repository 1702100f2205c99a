# SPDX-License-Identifier: GPL-2.0-or-later
"""What the kernel's tests declare, read from its ELF: section .tests, struct test of
kernel/report/test.h.

The layout comes from the ELF's own debug information, so that a field added to the structure needs
no change here. The kernel is linked to fixed addresses: every pointer is final.
"""

import contextlib
import hashlib
from dataclasses import dataclass

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from machine import LabError

TEXT_LIMIT = 4096  # bytes; a longer string is a wrong pointer
LIST_LIMIT = 256


@dataclass(frozen=True)
class Declaration:
    suite: str
    name: str
    claims: tuple[str, ...]
    needs: tuple[str, ...]
    only_when_named: bool
    file: str
    line: int

    @property
    def full_name(self):
        return f"{self.suite}.{self.name}"


class Image:
    """The bytes of an ELF by their virtual addresses."""

    def __init__(self, elf):
        self.sections = [
            (section["sh_addr"], section["sh_addr"] + section["sh_size"], section)
            for section in elf.iter_sections()
            if section["sh_addr"] and section["sh_type"] != "SHT_NOBITS"
        ]
        self.data = {}

    def read(self, address, size):
        for start, end, section in self.sections:
            if start <= address and address + size <= end:
                if start not in self.data:
                    self.data[start] = section.data()
                return self.data[start][address - start : address - start + size]
        raise LabError(f"the ELF holds nothing at {address:#x}")

    def number(self, address, size):
        return int.from_bytes(self.read(address, size), "little")

    def text(self, address):
        found = bytearray()
        while len(found) < TEXT_LIMIT:
            byte = self.read(address + len(found), 1)
            if byte == b"\0":
                return found.decode("utf-8")
            found += byte
        raise LabError(f"the ELF holds no string at {address:#x}")


class Layout:
    """struct test and enum feature as the compiler laid them out."""

    def __init__(self, elf):
        if not elf.has_dwarf_info():
            raise LabError("the ELF has no debug information")
        self.size, self.offsets, self.features = None, None, None
        for unit in elf.get_dwarf_info().iter_CUs():
            for entry in unit.get_top_DIE().iter_children():
                self.take(entry)
            if self.offsets and self.features:
                return
        raise LabError("the ELF's debug information knows no struct test or no enum feature")

    def take(self, entry):
        name = entry.attributes.get("DW_AT_name")
        if name is None or "DW_AT_byte_size" not in entry.attributes:
            return
        if entry.tag == "DW_TAG_structure_type" and name.value == b"test":
            self.size = entry.attributes["DW_AT_byte_size"].value
            self.offsets = members(entry, "DW_AT_data_member_location")
        elif entry.tag == "DW_TAG_enumeration_type" and name.value == b"feature":
            values = members(entry, "DW_AT_const_value")
            self.features = {value: name.removeprefix("FEATURE_") for name, value in values.items()}


def members(entry, attribute):
    return {
        child.attributes["DW_AT_name"].value.decode(): child.attributes[attribute].value
        for child in entry.iter_children()
        if attribute in child.attributes
    }


def pointed_list(image, address, size, end):
    """The numbers of `size` bytes from address on, up to one that is `end`."""
    found = []
    while len(found) < LIST_LIMIT:
        value = image.number(address + size * len(found), size)
        if value == end:
            return found
        found.append(value)
    raise LabError(f"the list at {address:#x} has no end")


def read_one(image, layout, address):
    def field(name, size=8):
        return image.number(address + layout.offsets[name], size)

    feature_end = next(value for value, name in layout.features.items() if name == "COUNT")
    needs = pointed_list(image, field("needs"), 4, feature_end)
    return Declaration(
        suite=image.text(field("suite")),
        name=image.text(field("name")),
        claims=tuple(map(image.text, pointed_list(image, field("claims"), 8, 0))),
        needs=tuple(layout.features[value] for value in needs),
        only_when_named=bool(field("only_when_named", 1)),
        file=image.text(field("file")),
        line=field("line", 4),
    )


def bounds(elf):
    symbols = elf.get_section_by_name(".symtab")
    if symbols is None:
        raise LabError("the ELF has no symbol table")
    found = [symbols.get_symbol_by_name(name) for name in ("__tests_start", "__tests_end")]
    if not all(found):
        raise LabError("the ELF holds no tests: no symbol __tests_start")
    return [symbol[0]["st_value"] for symbol in found]


def kernel_digest(path):
    """Tells one kernel's ELF from another's."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def opened(path):
    """A kernel's ELF; what goes wrong with it is told in words."""
    try:
        with open(path, "rb") as file:
            yield ELFFile(file)
    except (OSError, ELFError) as error:
        raise LabError(f"{path} is no readable kernel: {error}; `make iso` builds it") from error


def read_by_address(path):
    """Every test in the kernel, by the address of its structure."""
    with opened(path) as elf:
        start, end = bounds(elf)
        image, layout = Image(elf), Layout(elf)
        if (end - start) % layout.size:
            raise LabError(f"{end - start} bytes of tests are no whole number of structures")
        return {at: read_one(image, layout, at) for at in range(start, end, layout.size)}


def read_declarations(path):
    """Every test in the kernel, by name."""
    return sorted(read_by_address(path).values(), key=lambda test: test.full_name)


def addresses(path):
    """The tests' full names by the addresses of their structures."""
    return {at: test.full_name for at, test in read_by_address(path).items()}


def physical_address(path, name):
    """Where in the machine's memory one of the kernel's variables lies."""
    with opened(path) as elf:
        symbols = elf.get_section_by_name(".symtab")
        found = symbols.get_symbol_by_name(name) if symbols else None
        if not found:
            raise LabError(f"the ELF has no symbol {name}")
        address = found[0]["st_value"]
        for segment in elf.iter_segments("PT_LOAD"):
            offset = address - segment["p_vaddr"]
            if 0 <= offset < segment["p_memsz"]:
                return segment["p_paddr"] + offset
    raise LabError(f"{name} lies in no part of the kernel that is loaded")
