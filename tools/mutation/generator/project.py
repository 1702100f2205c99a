# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a program and its list of mutants from the silicon's healthy sources."""

import fcntl
import hashlib
import importlib.machinery
import importlib.util
import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from . import MutationError, compiler, mutants, program, proof, schemata
from .silicon import Silicon, default_points, points_by_part

HERE = Path(__file__).resolve().parent.parent
TOOLS = HERE.parent
EMULATOR = TOOLS / "emulator"
BUILD = TOOLS.parent / "build/mutants"
PROGRAM = BUILD / "qemu-system-x86_64"
LIST = BUILD / "mutants.json"

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
    _, identity = EMULATOR_BUILD.source.find(EMULATOR_BUILD.PLACE, say)
    found = hashlib.sha256(EMULATOR_BUILD.inputs_digest(identity).encode())
    for folder in ("generator", "runtime"):
        for path in sorted((HERE / folder).glob("*.*")):
            found.update(f"{path.relative_to(HERE)}\0".encode() + path.read_bytes())
    return found.hexdigest()


def emulators_objects():
    """The emulator's tree and objects, compiled where they are not; kept.alone() around it."""
    EMULATOR_BUILD.provide(with_objects=True)
    place = EMULATOR_BUILD.PLACE
    if not (place / "obj/compile_commands.json").exists():
        raise MutationError(
            f"the emulator was not built in {place}: mutants need a folder with a plain path,"
            " without spaces and the like; XDG_CACHE_HOME= names one"
        )
    return place / "src", place / "obj"


def stage(target, units):
    """The silicon's healthy sources and what of QEMU has parts of them, as they lie in its tree."""
    folder = target / compiler.FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    for path in (EMULATOR / "qemu/glue").iterdir():
        _copy(path, folder / path.name)
    for path in (EMULATOR / "model").rglob("*"):
        relative = path.relative_to(EMULATOR / "model")
        if path.suffix in SUFFIXES and relative.parts[0] != "tests":
            _copy(path, folder / "model" / relative)
    entries = EMULATOR_BUILD.entries
    listed = entries.list_of(entries.load(EMULATOR / "wrong"))
    (folder / "model/faults/fault_list.h").write_text(listed)
    for unit in units:
        if not unit.own:
            _copy(unit.source, target / unit.name)
    return folder


def _copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def write_tree(silicon, target, changes, style_of):
    """The mutated sources below target, by path. style_of: a file's way of being written."""
    folder, written = stage(target, silicon.units), {}
    for name, parts in silicon.parts.items():
        if parts:
            text = (silicon.folder / name).read_bytes()
            result = schemata.write(text, parts, changes, style_of(name))
            (folder / name).write_text(result.text)
            written[str(folder / name)] = result
    return written


def is_up_to_date(wanted):
    stamp = BUILD / "stamp"
    there = PROGRAM.exists() and LIST.exists() and stamp.exists()
    return there and stamp.read_text() == wanted


def build():
    """One at a time; quick when nothing has changed."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / "lock", "w", encoding="ascii") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with EMULATOR_BUILD.kept.alone(EMULATOR_BUILD.PLACE):
            wanted = digest()
            if not is_up_to_date(wanted):
                build_anew(wanted)


def read_silicon(units, tree):
    """All mutants that can be thought of, and all points. The sources are copied below tree."""
    silicon = Silicon(stage(tree, units), units)
    for unit in units:
        silicon.read(unit, tree)
    default_points(silicon)
    say(f"{len(silicon.mutants)} mutants, {len(silicon.points)} points")
    return silicon


def changes_by_name(silicon):
    """What every mutant changes, in a line, as the lists of equivalents have it."""
    return {one.name: one.change for one in silicon.mutants}


def build_anew(wanted):
    started, dropped = time.monotonic(), Counter()
    (BUILD / "stamp").unlink(missing_ok=True)
    tree, objects = emulators_objects()
    units = compiler.units(objects, tree)
    silicon = read_silicon(units, BUILD / "healthy")
    changes = changes_by_name(silicon)
    silicon.mutants, dropped["same text"] = mutants.without_equal_texts(silicon.mutants)
    proof.prove(silicon, dropped, write_proof, say)
    mutants.number(silicon.mutants, silicon.points)
    say(f"compiling {len(units)} files")
    program.link(units, write_sources(silicon), objects, BUILD / "objects", PROGRAM)
    program.write_list(LIST, silicon, changes, dropped, wanted)
    (BUILD / "stamp").write_text(wanted)
    left_out = ", ".join(f"{count} {why}" for why, count in dropped.items())
    say(f"{len(silicon.mutants)} mutants ({left_out}), {time.monotonic() - started:.0f} s")


def write_proof(silicon):
    """The sources to be compared: (path -> what was written, tree)."""
    tree = BUILD / "proof"
    changes = schemata.changes_by_part(silicon.mutants)
    return write_tree(silicon, tree, changes, lambda x: schemata.Comparing(proof.guard(x))), tree


def write_sources(silicon):
    """The sources to be booted; returns the tree."""
    tree = BUILD / "tree"
    style = schemata.Choosing(points_by_part(silicon.points))
    write_tree(silicon, tree, schemata.changes_by_part(silicon.mutants), lambda name: style)
    folder = tree / compiler.FOLDER
    for path in (HERE / "runtime").iterdir():
        _copy(path, folder / path.name)
    (folder / "mutants_count.h").write_text(program.counts(silicon))
    return tree
