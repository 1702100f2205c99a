# SPDX-License-Identifier: GPL-2.0-or-later
"""Loaded by gdb (`make debug`): how it shows the DS save area, branch records and LBR entries, and
the command `bts`, which lists what a processor has recorded. Offsets are not repeated here: gdb
knows the structures of arch/trace from the kernel's debug information."""

import gdb
import gdb.printing

PREDICTED = 1 << 4  # of a BTS record's flags
POISON = 0xA5A5A5A5A5A5A5A5  # trace_state.h: nothing was stored
RECORD = 24  # bytes
AREA_OF = "'arch/trace/trace_state.c'::states[{}].memory->area"
RECORDS_MOST = 10000  # an index that points anywhere is no reason to list all memory


def place(address):
    """0x1234 <main+4>"""
    address = int(address)
    found = gdb.execute(f"info symbol {address:#x}", to_string=True)
    if found.startswith("No symbol"):
        return f"{address:#x}"
    name = found.partition(" in section")[0].replace(" + ", "+")
    return f"{address:#x} <{name}>"


def record_text(source, target, words):
    return f"{place(source)} -> {place(target)}" + "".join(f", {word}" for word in words)


class BtsRecord:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        source, target, flags = (int(self.value[name]) for name in ("from", "to", "flags"))
        if source == target == flags == POISON:
            return "poison: nothing was stored here"
        words = ["predicted"] if flags & PREDICTED else []
        words += [f"flags {flags:#x}"] if flags & ~PREDICTED else []
        return record_text(source, target, words)


class ManagementArea:
    """Every field in records from its buffer's base, where it lies on a record."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "DS management area"

    def distance(self, field, base):
        address = int(self.value[field])
        records, rest = divmod(address - base, RECORD)
        more = f" + {rest} bytes" if rest else ""
        return f"{address:#x} = base + {records} records{more}"

    def children(self):
        base = int(self.value["bts_buffer_base"])
        yield "bts_buffer_base", place(base)
        for name in ("bts_index", "bts_absolute_maximum", "bts_interrupt_threshold"):
            yield name, self.distance(name, base)
        for field in self.value.type.fields():
            if not field.name.startswith("bts_"):
                yield field.name, self.value[field.name]


class LbrEntry:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        names = {field.name for field in self.value.type.fields()}
        words = [f"info {int(self.value['info']):#x}"] if "info" in names else self.words()
        return record_text(self.value["from"], self.value["to"], words)

    def words(self):
        flags = ("mispredicted", "in_transaction", "transaction_abort")
        words = [name.replace("_", " ") for name in flags if self.value[name]]
        return words + ([f"{int(self.value['cycles'])} cycles"] if self.value["has_cycles"] else [])


class LbrSnapshot:
    """The entries that hold anything; which of them is the newest."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"LBR stack, newest entry {int(self.value['top_of_stack'])}"

    def children(self):
        raw = self.value["raw"]
        for number in range(raw.type.range()[1] + 1):
            if any(int(raw[number][name]) for name in ("from", "to", "info")):
                yield f"[{number}]", raw[number]


PRINTERS = {
    "bts_record": BtsRecord,
    "ds_management_area": ManagementArea,
    "lbr_raw": LbrEntry,
    "lbr_entry": LbrEntry,
    "lbr_snapshot": LbrSnapshot,
}


class Bts(gdb.Command):
    """bts [PROCESSOR]: the DS save area of a processor (0 without a number) and the branch records
    below its index, oldest first."""

    def __init__(self):
        super().__init__("bts", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if argument and not argument.isdigit():
            raise gdb.GdbError("usage: bts [PROCESSOR], its number from 0 on")
        try:
            area = gdb.parse_and_eval(AREA_OF.format(argument or 0))
            base, index = int(area["bts_buffer_base"]), int(area["bts_index"])
        except gdb.MemoryError as error:
            raise gdb.GdbError(f"processor {argument or 0} has no DS save area yet") from error
        print(area.format_string())
        record = gdb.lookup_type("struct bts_record").pointer()
        for number in range(max(0, min((index - base) // RECORD, RECORDS_MOST))):
            value = gdb.Value(base + number * RECORD).cast(record).dereference()
            print(f"{number:5} {value.format_string()}")


collection = gdb.printing.RegexpCollectionPrettyPrinter("btscheck")
for structure, printer in PRINTERS.items():
    collection.add_printer(structure, f"^{structure}$", printer)
gdb.printing.register_pretty_printer(None, collection, replace=True)
Bts()
