# SPDX-License-Identifier: GPL-2.0-or-later
"""From the silicon's healthy sources to a program and its list of mutants."""

import hashlib
import importlib.machinery
import importlib.util
import json
import os
import shutil
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from . import MutationError, clang, compiler, invented, mutants, proof, schemata, source

HERE = Path(__file__).resolve().parent.parent
TOOLS = HERE.parent
EMULATOR = TOOLS / "emulator"
BUILD = TOOLS.parent / "build/mutants"
PROGRAM = BUILD / "qemu-system-x86_64"
LIST = BUILD / "mutants.json"

# Not silicon: settings of the emulator, published errata, what glue and tests need.
LEFT_OUT = (
    "model/variation.c",
    "model/number.c",
    "model/number.h",
    "model/chance.c",
    "model/chance.h",
    "properties.c",
    "link.c",
    "helper.h.inc",
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
)
LEFT_OUT_STEMS = ("model/errata", "model/faults/", "model/tests/", "model/list/")
SUFFIXES = (".c", ".h", ".inc", ".def")


def _emulator():
    """The program that builds the emulator, as a module."""
    if str(EMULATOR) not in sys.path:
        sys.path.insert(0, str(EMULATOR))
    loader = importlib.machinery.SourceFileLoader("emulator_build", str(EMULATOR / "build"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


EMULATOR_BUILD = _emulator()
BuildError, NoSource = EMULATOR_BUILD.BuildError, EMULATOR_BUILD.NoSource


def say(text):
    print(f"mutants: {text}", flush=True)


def digest():
    """One digest of everything that decides what the program and the list are."""
    found = hashlib.sha256(EMULATOR_BUILD.inputs_digest().encode())
    for folder in ("generator", "runtime", "invented"):
        for path in sorted((HERE / folder).glob("*.*")):
            found.update(f"{path.relative_to(HERE)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def emulators_objects():
    """The emulator's tree and objects, compiled where they are not."""
    place = EMULATOR_BUILD.BUILD
    needed = (place / "obj/qemu-system-x86_64", place / "obj/compile_commands.json")
    if not all(path.exists() for path in needed):
        say("the emulator's objects are not there: building it")
        (place / "stamp").unlink(missing_ok=True)
    EMULATOR_BUILD.build()
    if not all(path.exists() for path in needed):
        raise MutationError(
            f"the emulator was not built in {place}: mutants need a folder with a plain path,"
            " without spaces and the like"
        )
    return place / "src", place / "obj"


def stage(target, units):
    """The silicon's healthy sources and what of QEMU has parts of them, as they lie in its tree."""
    folder = target / compiler.FOLDER
    shutil.rmtree(target, ignore_errors=True)
    for path in (EMULATOR / "qemu/glue").iterdir():
        _copy(path, folder / path.name)
    for path in (EMULATOR / "model").rglob("*"):
        relative = path.relative_to(EMULATOR / "model")
        if path.suffix in SUFFIXES and relative.parts[0] not in ("tests", "list"):
            _copy(path, folder / "model" / relative)
    for unit in units:
        if not unit.own:
            _copy(unit.source, target / unit.name)
    return folder


def _copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


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
        self.scratch = None  # (file, offset) where struct ds_cpu ends
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
        if name == "model/debug_store.h" and self.scratch is None:
            self.scratch = (name, end_of_structure(parsed, "ds_cpu"))
        if name in self.parts or not is_silicon(name):
            return
        self.parts[name] = list(source.parts(parsed, seen_as, path, public_name(name)))
        self.home[name] = unit
        for part in self.parts[name]:
            made, points = mutants.of_part(part)
            self.mutants += made if part.name not in LEFT_OUT_FUNCTIONS else []
            self.points += points

    def look_up(self):
        """What invented faults are found by."""
        points = points_by_part(self.points)
        parts = {(x.file, x.name): x for parts in self.parts.values() for x in parts}
        return parts, lambda part: points.get((part.path, part.name), [])


def end_of_structure(unit, name):
    for cursor in unit.cursor.get_children():
        if cursor.spelling == name and cursor.is_definition():
            return clang.bounds(cursor)[1] - 1
    raise MutationError(f"there is no struct {name}")


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


def write_tree(silicon, target, changes, style_of):
    """The mutated sources below target, by path. style_of: a file's way of being written."""
    folder, written = stage(target, silicon.units), {}
    for name, parts in silicon.parts.items():
        extra = [(silicon.scratch[1], SCRATCH)] if silicon.scratch[0] == name else []
        if parts or extra:
            text = (silicon.folder / name).read_bytes()
            result = schemata.write(text, parts, changes, style_of(name), extra)
            (folder / name).write_text(result.text)
            written[str(folder / name)] = result
    return written


SCRATCH = "    uint64_t scratch[8]; /* for invented faults */\n"


def build():
    stamp, wanted = BUILD / "stamp", digest()
    if PROGRAM.exists() and LIST.exists() and stamp.exists() and stamp.read_text() == wanted:
        return
    started = time.monotonic()
    BUILD.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    tree, objects = emulators_objects()
    units = compiler.units(objects, tree)
    silicon = Silicon(stage(BUILD / "healthy", units), units)
    for unit in units:
        silicon.read(unit, BUILD / "healthy")
    silicon.mutants += invented.load(HERE / "invented", *silicon.look_up())
    default_points(silicon)
    say(f"{len(silicon.mutants)} mutants, {len(silicon.points)} points")
    dropped = Counter()
    silicon.mutants, dropped["same text"] = mutants.without_equal_texts(silicon.mutants)
    proof.prove(silicon, dropped, write_proof, say)
    mutants.number(silicon.mutants, silicon.points)
    compile_all(silicon, units, objects)
    write_list(silicon, dropped, wanted)
    stamp.write_text(wanted)
    left_out = ", ".join(f"{count} {why}" for why, count in dropped.items())
    say(f"{len(silicon.mutants)} mutants ({left_out}), {time.monotonic() - started:.0f} s")


def write_proof(silicon):
    """The sources to be compared: (path -> what was written, tree)."""
    tree = BUILD / "proof"
    changes = schemata.changes_by_part(silicon.mutants)
    return write_tree(silicon, tree, changes, lambda x: schemata.Comparing(proof.guard(x))), tree


def compile_all(silicon, units, objects):
    tree = BUILD / "tree"
    style = schemata.Choosing(points_by_part(silicon.points))
    write_tree(silicon, tree, schemata.changes_by_part(silicon.mutants), lambda name: style)
    folder = tree / compiler.FOLDER
    for path in (HERE / "runtime").iterdir():
        _copy(path, folder / path.name)
    (folder / "mutants_count.h").write_text(
        f"#define DS_MUTANTS_LAST {len(silicon.mutants)}\n"
        f"#define DS_POINTS_LAST {len(silicon.points)}\n"
    )
    link_all(units, tree, objects)


def link_all(units, tree, objects):
    place = BUILD / "objects"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    by_name = {unit.name: unit for unit in units}
    runtime = by_name[f"{compiler.FOLDER}/processor.c"]
    jobs = [(unit, compiler.source_in(unit, tree), unit.name) for unit in units]
    jobs.append((runtime, tree / compiler.FOLDER / "mutants.c", "mutants.c"))
    say(f"compiling {len(jobs)} files")

    def compile_one(job):
        unit, path, name = job
        target = place / (name.replace("/", "_") + ".o")
        more = ["-O1", "-w"]
        if path.name == "properties.c":
            more.append("-Ddebug_store_add_properties=debug_store_add_ordinary_properties")
        words = [*compiler.arguments(unit, tree, *more), "-c", str(path), "-o", str(target)]
        return target, *compiler.run(["cc", *words], unit.folder)

    results = compiler.each(compile_one, jobs)
    for target, status, text in results:
        if status != 0:
            raise MutationError(f"the compiler failed:\n{text[-3000:]}")
    replaced = {unit.output: str(one[0]) for unit, one in zip(units, results)}
    program = BUILD / "qemu-system-x86_64.new"
    compiler.link(objects, replaced, [str(results[-1][0])], program)
    program.replace(PROGRAM)


def write_list(silicon, dropped, wanted):
    def mutant(one):
        part = one.changes[0].part
        return {
            "number": one.number,
            "name": one.name,
            "file": part.file,
            "function": part.name,
            "line": one.line,
            "column": one.column,
            "operator": one.operator,
            "before": one.before,
            "after": one.after,
            "point": one.points[0].number if one.points else 0,
            "points": sorted({point.number for point in one.points}),
            "kind": one.kind,
            "claims": one.claims,
            "help": one.help,
        }

    def point(one):
        return {
            "number": one.number,
            "file": one.part.file,
            "function": one.part.name,
            "line": one.line,
        }

    table = {
        "digest": wanted,
        "mutants": [mutant(one) for one in silicon.mutants],
        "dropped": dict(dropped),
        "points": [point(one) for one in silicon.points],
    }
    LIST.write_text(json.dumps(table, indent=1) + "\n")
