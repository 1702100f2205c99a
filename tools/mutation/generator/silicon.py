# SPDX-License-Identifier: GPL-2.0-or-later
"""Which of the emulator's sources are silicon, and what was parsed of them."""

import os
from collections import defaultdict
from pathlib import Path

from . import clang, compiler, mutants, source

# Not silicon: settings of the emulator, a hypervisor that lends less, its fast path (which mutants
# do not take: runtime/mutants.c), the board around it, published errata, what glue and tests need,
# states of XSAVES that are no part of the debug store.
LEFT_OUT = (
    "model/variation.c",
    "model/number.c",
    "model/number.h",
    "model/chance.c",
    "model/chance.h",
    "model/not_lent.c",
    "model/not_lent.h",
    "hypervisor.c",
    "model/fast.c",
    "model/fast.h",
    "fast.c",
    "properties.c",
    "link.c",
    "helper.h.inc",
    "xsave_area.c",
    "xsave_area.h",
)
# No mutants of the machine's own: whether a profile hangs together, and what a processor
# has. Another would be another processor, and no broken one.
LEFT_OUT_FUNCTIONS = (
    "check_debug_store",
    "check_lbr",
    "check_pebs",
    "check_counters",
    "ds_profile_check",
    "debug_store_instance_init",
    "debug_store_unavailable",
    "debug_store_realize",
    "bts_takes",  # these three are asked by the fast path alone
    "bts_can_interrupt",
    "lbr_is_call_stack",
    "family_of",  # keeps what find() has found
    "pebs_bits",  # of what is not lent
    "not_lent_bits",
    "begin_input_output",  # tell the emulator what a block may do
    "end_input_output",
    "lbr_with_tr",  # asked for what the emulator offers
    "debug_store_pmi_is_nmi",  # these three are asked by faults alone
    "pmi_is_nmi",
    "raise_neighbours_pmi",
)
LEFT_OUT_STEMS = ("board", "model/errata", "model/faults/", "model/tests/")


def is_silicon(name):
    """Whether a file, by its name below the folder, is mutated."""
    return name not in LEFT_OUT and not name.startswith(LEFT_OUT_STEMS)


def public_name(name):
    """bts.c for the model's, glue/events.c for the glue's."""
    return name.removeprefix("model/") if name.startswith("model/") else f"glue/{name}"


class Silicon:
    """Everything that was read: parts by file, mutants, points."""

    def __init__(self, folder, units):
        self.folder, self.units = folder, units
        self.parts = {}  # file below the folder -> parts
        self.home = {}  # file -> the unit that it was read with
        self.mutants, self.points = [], []
        self.units_alive = []  # libclang's cursors need their units

    def read(self, unit, tree):
        path = compiler.source_in(unit, tree)
        parsed = clang.parse(
            path, [f"-working-directory={unit.folder}", *compiler.arguments(unit, tree)]
        )
        self.units_alive.append(parsed)
        names = {str(path)} | {x.include.name for x in parsed.get_includes()}
        for name in sorted(names):
            self.read_file(parsed, name, unit)

    def read_file(self, parsed, seen_as, unit):
        path = Path(os.path.normpath(seen_as))
        if not path.is_relative_to(self.folder):
            return
        name = str(path.relative_to(self.folder))
        if name in self.parts or not is_silicon(name):
            return
        self.parts[name] = list(source.parts(parsed, seen_as, path, public_name(name)))
        self.home[name] = unit
        for part in self.parts[name]:
            made, points = mutants.of_part(part)
            self.mutants += made if part.name not in LEFT_OUT_FUNCTIONS else []
            self.points += points


def points_by_part(points):
    found = defaultdict(list)
    for point in points:
        found[point.part.path, point.part.name].append(point)
    return found


def default_points(silicon):
    """A table has no statement: its mutants matter where it is first used, for want of better
    where its file's first function is."""
    first = {}
    for point in silicon.points:
        first.setdefault(point.part.path, point)
    for mutant in silicon.mutants:
        part = mutant.changes[0].part
        if not mutant.points:
            mutant.points = [x for x in (user_of(part, silicon) or first.get(part.path),) if x]


def user_of(table, silicon):
    """The first point of the first function that names the table."""
    for point in silicon.points:
        if point.part.path == table.path and table.name.encode() in point.part.own_text:
            return point
    return None
