# SPDX-License-Identifier: GPL-2.0-or-later
"""The mutants' build: the number that chooses one, the points, what is dropped, invented faults."""

import ctypes
from collections import Counter

import pytest
from small_silicon import HEAD, TWO, Small, library  # first: skips all of this without libclang

from generator import MutationError, compiler, invented, mutants, proof, schemata


def test_number_chooses_the_mutant(tmp_path):
    made = Small(
        tmp_path,
        "static const int table[] = {7, 9};\n" + TWO + "int third(int a) { return table[a]; }",
    )
    mutants.number(made.mutants, made.points)
    loaded = library(tmp_path, made.parts, made.mutants, made.points)
    number = ctypes.c_uint32.in_dll(loaded, "ds_mutant")
    assert (loaded.second(5), loaded.third(0), loaded.third(1)) == (8, 7, 9)
    results = {}
    for mutant in made.mutants:
        number.value = mutant.number
        results[mutant.name.removeprefix("small.c/")] = (loaded.second(5), loaded.third(0))
    assert results["first/constant.1"] == (9, 7)
    assert results["first/constant.2"] == (7, 7)
    assert results["first/arithmetic.1"] == (6, 7)
    assert results["second/arithmetic.1"] == (4, 7)
    assert results["second/return_early.1"] == (0, 7)
    assert results["table/constant.1"] == (8, 8)
    assert results["third/index.1"] == (8, 9)
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


FAULT = """
[[fault]]
name = "wrong-sum"
help = "adds too much"
claims = ["X-1"]
[[fault.edit]]
file = "small.c"
function = "first"
before = "return a+1;"
after = "return a + 10;"
[[fault.edit]]
file = "small.c"
function = "second"
before = "2"
after = "20"
"""


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


def load(made, tmp_path, *texts):
    folder = tmp_path / "invented"
    folder.mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (folder / f"faults-{number}.toml").write_text(text)
    return invented.load(folder, *made.look_up())


def test_invented_fault_is_a_mutant(tmp_path):
    made = Small(tmp_path, TWO)
    made.mutants += load(made, tmp_path, FAULT)
    mutants.number(made.mutants, made.points)
    fault = made.mutants[-1]
    assert (fault.kind, fault.claims, fault.help) == ("invented", ["X-1"], "adds too much")
    assert [point.line - HEAD.count("\n") for point in fault.points] == [3, 7]
    loaded = library(tmp_path, made.parts, made.mutants, made.points)
    ctypes.c_uint32.in_dll(loaded, "ds_mutant").value = fault.number
    assert loaded.second(5) == 35


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("return a+1;", "return a+3;", "stands 0 times in first"),
        ('"2"', '"a"', "stands 2 times in second"),
        ('function = "first"', 'function = "fifth"', "no fifth; there are: first, second"),
        ('file = "small.c"', 'file = "large.c"', "no such file is mutated"),
        ('help = "adds too much"', "", "'help' must be there"),
        ('claims = ["X-1"]', 'claims = ["X-1"]\ncolour = "red"', "there is no colour"),
        ("[[fault]]", "[[fault]", "faults-0.toml"),
        (
            "[[fault.edit]]\nfile",
            FAULT.replace("[[fault.edit]]\nfile", "@", 1).split("@")[0] + "[[fault.edit]]\nfile",
            "there is another of that name",
        ),
    ],
)
def test_invented_fault_that_does_not_fit_is_refused(tmp_path, old, new, told):
    text = FAULT.replace(old, new, 1)
    assert text != FAULT
    with pytest.raises(MutationError, match=told):
        load(Small(tmp_path, TWO), tmp_path, text)


@pytest.mark.parametrize(
    ("after", "told"),
    [("return b;", "wrong-sum: .*'b' undeclared"), ("return 1 + a;", "change nothing: wrong-sum")],
)
def test_invented_fault_must_compile_and_do_something(tmp_path, after, told):
    made = Small(tmp_path, TWO)
    text = FAULT.replace("return a + 10;", after).rsplit("[[fault.edit]]", 1)[0]
    made.mutants += load(made, tmp_path, text)
    with pytest.raises(MutationError, match=told):
        prove(made, tmp_path)
