# SPDX-License-Identifier: GPL-2.0-or-later
"""The mutants' build: the number that chooses one, the points, what is dropped."""

import ctypes
from collections import Counter

import pytest
from small_silicon import HEAD, TWO, Small, library  # first: skips all of this without libclang

from generator import compiler, mutants, proof, schemata


def test_number_chooses_the_mutant(tmp_path):
    made = Small(
        tmp_path,
        "static const int table[] = {7, 20};\n" + TWO + "int third(int a) { return table[a] + a; }",
    )
    mutants.number(made.mutants, made.points)
    loaded = library(tmp_path, made.parts, made.mutants, made.points)
    number = ctypes.c_uint32.in_dll(loaded, "ds_mutant")
    assert (loaded.second(5), loaded.third(0), loaded.third(1)) == (8, 7, 21)
    results = {}
    for mutant in made.mutants:
        number.value = mutant.number
        results[mutant.name.removeprefix("small.c/")] = (loaded.second(5), loaded.third(1))
    assert (results["first/constant.1"], results["first/constant.2"]) == ((9, 21), (7, 21))
    assert (results["second/constant.1"], results["second/constant.2"]) == ((9, 21), (7, 21))
    assert (results["table/constant.1"], results["table/constant.3"]) == ((8, 21), (8, 22))
    assert results["third/arithmetic.1"] == (8, 19)
    assert results["third/index.1"] == (8, 8)
    number.value = 0
    assert (loaded.second(5), loaded.third(0)) == (8, 7)


BRANCHES = """
int f(int a)
{
    if (a == 1) {
        return 5;
    }
    switch (a) {
    case 2:
        return 6;
    default:
        break;
    }
    while (a > 7) {
        a--;
    }
    return a;
}
"""


@pytest.mark.parametrize(
    ("argument", "lines"),
    [(1, [3, 4]), (2, [3, 7, 9]), (3, [3, 7, 11, 13]), (8, [3, 7, 11, 13, 13])],
)
def test_points_are_where_the_processor_has_been(tmp_path, argument, lines):
    made = Small(tmp_path, BRANCHES)
    mutants.number(made.mutants, made.points)
    loaded = library(tmp_path, made.parts, [], made.points)
    ctypes.c_bool.in_dll(loaded, "ds_mutants_record").value = True
    loaded.f(argument)
    seen = (ctypes.c_uint8 * 99).in_dll(loaded, "seen")
    assert len(made.points) == 7
    reached = [x.line - HEAD.count("\n") for x in made.points if seen[x.number]]
    assert sorted(reached) == lines


def prove(made, tmp_path):
    silicon, dropped = made.silicon(), Counter()

    def write(of):
        changes = schemata.changes_by_part(of.mutants)
        style = schemata.Comparing(proof.guard("small.c"))
        written = schemata.write(made.parts[0].text, made.parts, changes, style)
        target = tmp_path / "proof"
        target.mkdir(exist_ok=True)
        (target / "small.c").write_text(written.text)
        return {str(target / "small.c"): written}, target

    proof.prove(silicon, dropped, write, lambda text: None)
    return {x.name.removeprefix("small.c/") for x in silicon.mutants}, dropped


def test_mutant_that_does_not_compile_is_dropped(tmp_path):
    made = Small(
        tmp_path,
        "static const int n = 4; int f(int a) { static const int t[] = {1, 2};\n"
        "switch (a) { case 3: return t[0]; case 4: return 5; } return n; }",
    )
    all_of_them = {x.name.removeprefix("small.c/") for x in made.mutants}
    extra = made.mutants[-1]
    extra.changes[0].edits[0] = (*extra.changes[0].edits[0][:2], "no such thing")
    left, dropped = prove(made, tmp_path)
    assert dropped["does not compile"] == 1
    assert extra.name.removeprefix("small.c/") in all_of_them - left


def test_mutant_that_the_compiler_proves_the_same_is_dropped(tmp_path):
    made = Small(tmp_path, "unsigned f(unsigned a) { if (a > 0 && a > 0) { a = 5; } return a; }")
    left, dropped = prove(made, tmp_path)
    assert "f/operand_dropped.1" not in left and "f/relational.2" not in left
    assert dropped["same code"] >= 2 and dropped["same code as another"] >= 1
    assert "f/condition_false.1" in left


def test_unchanged_text_is_not_compiled_again(tmp_path):
    unit = Small(tmp_path, TWO).silicon().units[0]
    target = tmp_path / "small.o"

    def compile_it():
        return compiler.compile_into(target, unit, unit.source, unit.flags)

    assert compile_it() == (0, "")
    first = target.stat().st_mtime_ns
    assert compile_it() == (0, "") and target.stat().st_mtime_ns == first
    unit.source.write_text(HEAD + TWO.replace("1", "5"))
    assert compile_it() == (0, "") and target.stat().st_mtime_ns > first
    unit.source.write_text("int f(void) { return b; }")
    status, text = compile_it()
    assert status != 0 and [line for _, line, _ in compiler.errors(text)] == [1]
