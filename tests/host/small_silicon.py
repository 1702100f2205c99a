# SPDX-License-Identifier: GPL-2.0-or-later
"""A small file of C, read and mutated as the silicon is, and loaded here."""

import ctypes
import subprocess
from types import SimpleNamespace

import pytest
from conftest import ROOT

pytest.importorskip("clang.cindex", reason="python3-clang is not installed")

from generator import clang, compiler, mutants, schemata, source  # noqa: E402

HEAD = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define BIT (1u << 4)
#define TWO_BITS (BIT | 1u << 6)
#define COUNT 32
#define DOUBLE(x) ((x) * 2)
enum kind { FIRST, SECOND, THIRD };
struct state { uint64_t one, two; bool on, off; uint8_t list[4]; };
void act(struct state *s);
int two_numbers(int a, int b);
"""


class Small:
    """A file of C, read as the silicon is."""

    def __init__(self, folder, text):
        self.path = folder / "small.c"
        self.path.write_text(HEAD + text)
        self.unit = clang.parse(self.path, ["-std=gnu11"])
        self.parts = list(source.parts(self.unit, str(self.path), self.path, "small.c"))
        self.mutants, self.points = [], []
        for part in self.parts:
            made, points = mutants.of_part(part)
            self.mutants += made
            self.points += points

    def by_operator(self, operator):
        return [(x.before, x.after) for x in self.mutants if x.operator == operator]

    def silicon(self):
        flags = ["-std=gnu11"]
        unit = compiler.Unit("small.c", self.path, flags, "small.o", self.path.parent)
        return SimpleNamespace(
            mutants=list(self.mutants),
            points=self.points,
            parts={"small.c": self.parts},
            home={"small.c": unit},
            folder=self.path.parent,
            units=[unit],
        )

    def look_up(self):
        return {(x.file, x.name): x for x in self.parts}, lambda part: self.points


TWO = """
static int first(int a)
{
    return a + 1;
}
int second(int a)
{
    return first(a) + 2;
}
"""


def library(folder, parts, made, points):
    """The choosing build of a file, loaded."""
    runtime = ROOT / "tools/mutation/runtime"
    changes = schemata.changes_by_part(made)
    by_part = {}
    for point in points:
        by_part.setdefault((point.part.path, point.part.name), []).append(point)
    written = schemata.write(parts[0].text, parts, changes, schemata.Choosing(by_part))
    target = folder / "chosen.c"
    target.write_text(
        written.text + "uint32_t ds_mutant; bool ds_mutants_record; uint8_t seen[99];\n"
        "void ds_mutants_reached(uint32_t point) { seen[point] = 1; }\n"
        "void act(struct state *s) {} int two_numbers(int a, int b) { return a; }\n"
    )
    shared = folder / "chosen.so"
    command = ["cc", "-w", "-shared", "-fPIC", f"-I{runtime}", "-o", str(shared), str(target)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(shared))
