# SPDX-License-Identifier: GPL-2.0-or-later
"""The processors that the emulator can be: the model's own tables of faults and variations."""

import functools
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import model_tables
from machine import ROOT, LabError

MODEL = ROOT / "tools/emulator/model"
BUILD = ROOT / "build/model"
ASKER = Path(__file__).resolve().parent / "applicable.c"


@dataclass(frozen=True)
class Fault:
    name: str
    claims: tuple[str, ...]  # of the claims table
    errata: tuple[str, ...]  # published ones that come near, beside those that it is
    help: str


@dataclass(frozen=True)
class Erratum:
    name: str
    further: tuple[str, ...]  # its names on other models of the same core
    effect: str  # the wrong processor that it is


@dataclass(frozen=True)
class Variation:
    name: str
    values: tuple[str, ...]  # the default first; of a number some
    help: str
    maximum: int | None = None  # of a number


def run(command):
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise LabError(f"{' '.join(map(str, command))}:\n{answer.stderr.strip()}")
    return answer.stdout


def make(target):
    """Has the model's own Makefile make one of its targets."""
    BUILD.mkdir(parents=True, exist_ok=True)
    lock = ["flock", BUILD / "list.lock"]
    beside = os.path.relpath(BUILD, MODEL)  # make takes no blanks in the names above it
    run([*lock, "make", "-sj2", "-C", MODEL, target, f"BUILD={beside}"])


def load_faults(claims, invented=False):
    """Name -> Fault; claims tells what is a claim and what an erratum."""
    faults = {}
    for name, ids, _, text in model_tables.faults(invented):
        known = [id for id in ids.split() if id in claims]
        others = [id for id in ids.split() if id not in claims]
        faults[name] = Fault(name, tuple(known), tuple(others), text)
    return faults


def variation_of(name, values, text):
    """values: the words, or the range of a number; 0, the default, some small and large ones."""
    if not values.startswith("0.."):
        return Variation(name, tuple(values.split("|")), text)
    most = int(values[len("0..") :])
    tried = tuple(str(value) for value in (0, 1, 3, most // 2 + 1, most))
    return Variation(name, tried, text, most)


def load_variations():
    """Name -> Variation."""
    return {
        name: variation_of(name, values, text) for name, values, text in model_tables.variations()
    }


# What can be seen with TR set, or in the two bits of availability.
DS_FAULTS = frozenset(
    "db-breakpoint-clears-tr lbr-twice-with-tr tr-feeds-irregular unavailable-writable".split()
)
STATUS_FAULTS = frozenset(["overflow-pmi-twice"])
# Where PEBS records have format 0, any processor may do the same: F7.11; and of its events only the
# retired instruction is sampled exactly, whose record may come some instructions late (F3.62).
FORMAT_0_FAULTS = frozenset(["ovfbuf-needs-freeze", "pebs-late"])
# Where skid is reduced the overflowing event may store its own record on each counter.
REDUCED_SKID_FAULTS = frozenset(["pebs-early"])
# What the text of an erratum excuses besides the fault that it is: effect -> faults, as globs.
# Counts are wrong; any event may change the last exception record; a stack that an interrupt never
# freezes does not show what freezing does to it.
EXCUSED = {
    "instructions-inexact": ("*-uncounted", "*-is-branch"),
    "ler-changes": ("ler-*",),
    "lbr-not-frozen": ("lbr-top-from-stale", "lbr-top-duplicated"),
}
# DisplayModels without MSR_SMI_COUNT (F10.7). A test that fails on such a board, where SMIs may
# come, runs again, and what is broken now and then may pass.
NO_SMI_COUNT = frozenset([0x0F, 0x16, 0x17, 0x1C, 0x1D])
NOW_AND_THEN = "*-irregular"
PEBS_FORMAT = 0xF00  # in IA32_PERF_CAPABILITIES
FLAG = re.compile(r"\+([a-z0-9-]+)")
PROPERTY = re.compile(r"x-ds-([a-z0-9-]+)=(\w+)")
MICROCODE = re.compile(r"ucode-rev=(\w+)")
WORDS = {"on": "1", "off": "0"}


@functools.cache
def known_fields():
    """Names of the fields that the model has of a processor."""
    return frozenset(model_tables.fields())


def fields_of(cpu, model, stepping):
    """NAME=VALUE of a processor's fields, from what follows -cpu and from its signature."""
    known = known_fields()
    fields = {"pebs-unavailable": "1", "model": str(model), "stepping": str(stepping)}
    revision = MICROCODE.search(cpu)
    fields["microcode"] = str(int(revision[1], 0) >> 32) if revision else "1"
    fields |= {name: "1" for name in FLAG.findall(cpu) if name in known}
    for name, value in PROPERTY.findall(cpu):
        if name in known:
            fields[name] = WORDS.get(value, value)
    return [f"{name}={value}" for name, value in fields.items()]


def signature_of(header):
    """DisplayModel and stepping, from the head of a log."""
    found = re.match(r"06_([0-9A-F]+)H stepping (\d+)", header.get("signature", ""))
    if not found:
        raise LabError(f"no family 6 in the log's head: {header.get('signature')}")
    return int(found[1], 16), int(found[2])


@functools.cache
def applicable(cpu, model, stepping):
    """What the processor can show, as the model has it: rows of words."""
    output = run([build_asker(), *fields_of(cpu, model, stepping)])
    return [line.split("\t") for line in output.splitlines()]


def applicable_faults(cpu, header):
    """Names of the faults that the processor can show.

    IA32_PERF_CAPABILITIES names the format of PEBS records: without PDCM nobody can test them.
    Nothing enumerates TR, or says what the two bits of availability are without the Debug Store.
    Version 1 has no status register, by which the tests of ISR-2 and ISR-3 serve an interrupt.
    """
    rows = applicable(cpu, *signature_of(header))
    names = frozenset(name for kind, name, *_ in rows if kind == "fault")
    flags, properties = FLAG.findall(cpu), dict(PROPERTY.findall(cpu))
    names -= frozenset() if "pdcm" in flags else pebs_faults()
    if properties.get("perfmon-version") == "1":
        names -= STATUS_FAULTS
    if "ds" not in flags or properties.get("bts-unavailable") == "on":
        names -= DS_FAULTS
    if not int(properties.get("perf-capabilities", "0"), 0) & PEBS_FORMAT:
        names -= FORMAT_0_FAULTS
    if properties.get("pdist-period") == "1":
        names -= REDUCED_SKID_FAULTS
    return names


@functools.cache
def pebs_faults():
    return frozenset(name for name, _, needs, _ in model_tables.faults() if "pebs" in needs)


@functools.cache
def effects():
    """Name of an erratum -> the wrong processor that it is."""
    rows = model_tables.errata()
    return {name: wrong.name for erratum, wrong in rows for name in erratum.names}


def hidden_by(fault, errata):
    """Whether the fault does what one of these errata of the processor does, or excuses."""
    own = {erratum.effect for erratum in errata}
    excused = [glob for effect in own for glob in EXCUSED.get(effect, ())]
    is_same = fault.name in own or any(effects().get(name) in own for name in fault.errata)
    return is_same or any(fnmatch(fault.name, glob) for glob in excused)


def retried_as_board(fault, header):
    """Whether the fault may pass on a board of this model, because tests that fail run again."""
    return signature_of(header)[0] in NO_SMI_COUNT and fnmatch(fault.name, NOW_AND_THEN)


def own_errata(cpu, header):
    """The published errata of its model that the processor can show: x-ds-errata=own."""
    rows = applicable(cpu, *signature_of(header))
    return [
        Erratum(name, tuple(rest[0].split()), rest[1])
        for kind, name, *rest in rows
        if kind == "erratum"
    ]


@functools.cache
def build_asker():
    """Compiles ASKER with the model, its faults woven in; done again when either is newer."""
    make("library")
    sources = [ASKER, BUILD / "plain/model.a"]
    program = BUILD / "applicable"
    newest = max(path.stat().st_mtime for path in sources)
    if not program.exists() or program.stat().st_mtime < newest:
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            fresh = Path(folder) / "applicable"
            run(["gcc", "-std=gnu11", f"-I{BUILD / 'woven'}", "-o", fresh, *sources])
            fresh.replace(program)
    return program
