# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator's own compiler commands, with other sources and another output folder."""

import hashlib
import json
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import MutationError

FOLDER = "target/i386/debug_store"
VALUED = ("-o", "-MF", "-MQ")  # what follows goes, too
DROPPED = ("-MD", "-c", "-O2", "-g", "-Werror", "-flto")
PART_OF_A_FILE = ".c.inc"


@dataclass
class Unit:
    """One source as the emulator compiles it."""

    name: str  # below QEMU's tree: target/i386/debug_store/model/bts.c
    source: Path
    flags: list
    output: str  # object, as the linker's command names it
    folder: Path  # where the command runs
    compiler: str = "cc"

    @property
    def own(self):
        return self.name.startswith(FOLDER + "/")


def _flags(words):
    skip = False
    for word in words[1:]:
        if skip or word in VALUED:
            skip = not skip
        elif word not in DROPPED and not word.startswith("-W"):
            yield word


def _unit(entry):
    folder = Path(entry["directory"])
    source = Path(os.path.normpath(folder / entry["file"]))
    name = entry["file"].removeprefix("../src/")
    words = shlex.split(entry["command"])
    flags = [word for word in _flags(words) if word != entry["file"]]
    return Unit(name, source, flags, entry["output"], folder, words[0])


def units(objects, tree):
    """The sources of the debug store, and those of QEMU that have a part of it in them."""
    path = objects / "compile_commands.json"
    wanted = [_unit(x) for x in json.loads(path.read_text()) if _is_of_target(x["output"])]
    return [unit for unit in wanted if unit.own or _has_part(unit, tree)]


def _is_of_target(output):
    """Of the emulator itself, or of the model, which is a library in it."""
    return "x86_64-softmmu" in output or output.startswith(FOLDER)


def _has_part(unit, tree):
    """Whether a source of QEMU includes one of the glue's parts."""
    path = tree / unit.name
    if not unit.name.endswith(".c") or not path.is_file():
        return False
    lines = [x for x in path.read_bytes().splitlines() if x.startswith(b"#include")]
    return any(b"debug_store/" in x and PART_OF_A_FILE.encode() in x for x in lines)


def arguments(unit, tree, *more):
    """Flags with which the sources below tree win over the emulator's own."""
    first = [f"-iquote{tree}", f"-iquote{tree}/{FOLDER}", f"-I{tree}/target/i386"]
    return [*first, f"-I{tree}/{FOLDER}", f"-iquote{unit.source.parent}", *unit.flags, *more]


def source_in(unit, tree):
    """Where the unit's source is: below tree, so that what it includes by `..` is as well."""
    return tree / unit.name


def run(command, folder):
    """(status, what it said, in English)"""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def compile_into(target, unit, path, flags, what="-c"):
    """(status, what it said); nothing is done where the target was made of the same text."""
    mark = target.with_name(target.name + ".made-of")
    words = [unit.compiler, *flags]
    status, text = run([*words, "-E", str(path)], unit.folder)
    if status != 0:
        return status, text
    made_of = hashlib.sha256("\0".join([*words, what, text]).encode()).hexdigest()
    if target.exists() and mark.exists() and mark.read_text() == made_of:
        return 0, ""
    mark.unlink(missing_ok=True)
    status, text = run([*words, what, str(path), "-o", str(target)], unit.folder)
    if status == 0:
        mark.write_text(made_of)
    return status, text


def each(function, items):
    """function of each, as many at a time as there are processors."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))


def linker_command(objects):
    """The words that link the emulator."""
    status, text = run(["ninja", "-t", "compdb", "-x", "c_LINKER", "c_LINKER_RSP"], objects)
    if status != 0:
        raise MutationError(f"ninja does not tell how the emulator is linked: {text.strip()}")
    for entry in json.loads(text):
        if entry["output"] == "qemu-system-x86_64":
            return shlex.split(entry["command"])
    raise MutationError("ninja knows no command that links the emulator")


def link(objects, replaced, more, program):
    """Links the emulator with some objects replaced and some more."""
    words = [replaced.get(word, word) for word in linker_command(objects)]
    words[words.index("-o") + 1] = str(program)
    status, text = run([words[0], *more, *words[1:]], objects)
    if status != 0:
        raise MutationError("the linker failed:\n" + "\n".join(text.splitlines()[-20:]))


def errors(text):
    """(file, line, message) of each error that gcc or clang reports."""
    for line in text.splitlines():
        where, found, message = line.partition(": error: ")
        if not found:
            where, found, message = line.partition(": fatal error: ")
        words = where.rsplit(":", 2)
        if found and len(words) == 3 and words[1].isdigit():
            yield os.path.normpath(words[0]), int(words[1]), message
