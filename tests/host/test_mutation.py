# SPDX-License-Identifier: GPL-2.0-or-later
"""The mutants: what each operator makes of a line, what is dropped, what chooses one, what is
recorded; and the emulator with all of them in it, where that was built."""

import ctypes
import json
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from conftest import ROOT
from judge import Status

pytest.importorskip("clang.cindex", reason="python3-clang is not installed")
sys.path.insert(0, str(ROOT / "tools/mutation"))

import reach  # noqa: E402
from declarations import addresses  # noqa: E402
from generator import MutationError, clang, compiler, invented, mutants, proof  # noqa: E402
from generator import schemata, source  # noqa: E402
from machine import LabError, has_debug_store  # noqa: E402

PROGRAM = ROOT / "build/mutants/qemu-system-x86_64"
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


@pytest.fixture
def small(tmp_path):
    return lambda text: Small(tmp_path, text)


@pytest.mark.parametrize(
    ("operator", "text", "wanted"),
    [
        ("relational", "bool f(int a) { return a < 3; }", [("<", "<="), ("<", "!=")]),
        ("relational", "bool f(int a) { return a == 3; }", [("==", "<="), ("==", ">=")]),
        ("relational", "bool f(void *p) { return p == NULL; }", []),
        ("logical", "bool f(int a, int b) { return a && b; }", [("&&", "||")]),
        (
            "operand_dropped",
            "bool f(int a, int b) { return a || b; }",
            [("a || b", "a"), ("a || b", "b")],
        ),
        (
            "operand_dropped",
            "int f(int a) { return a & BIT; }",
            [("a & BIT", "a"), ("a & BIT", "BIT")],
        ),
        ("condition_true", "void f(int a) { if (a) a = 1; }", [("a", "1")]),
        ("condition_false", "int f(int a) { return a > 1 ? 2 : 3; }", [("a > 1", "0")]),
        ("condition_true", "void f(int a) { while (a) a--; }", []),
        ("condition_false", "void f(int a) { while (a) a--; }", [("a", "0")]),
        ("arithmetic", "int f(int a) { return a + a << 2; }", [("<<", ">>"), ("+", "-")]),
        ("arithmetic", "int f(int a, int b) { return a & b; }", [("&", "|")]),
        ("operator_dropped", "unsigned f(unsigned a) { return ~a; }", [("~a", "a")]),
        ("constant", "int f(int a) { return a + 7; }", [("7", "8"), ("7", "6")]),
        ("constant", "int f(int a) { return a + 0; }", [("0", "1")]),
        (
            "constant",
            "bool f(unsigned a) { return a < COUNT; }",
            [("COUNT", "(COUNT + 1)"), ("COUNT", "(COUNT - 1)")],
        ),
        (
            "constant",
            "enum kind f(void) { return SECOND; }",
            [("SECOND", "FIRST"), ("SECOND", "THIRD")],
        ),
        ("constant", "void f(struct state *s) { s->one = FIRST; }", [("FIRST", "SECOND")]),
        (
            "mask",
            "uint64_t f(uint64_t a) { return a & BIT; }",
            [
                ("BIT", "0x20ull"),
                ("BIT", "0x8ull"),
                ("BIT", "(BIT | 0x20ull)"),
                ("BIT", "(BIT | 0x8ull)"),
            ],
        ),
        (
            "mask",
            "uint64_t f(uint64_t a) { return a & 0x7; }",
            [("0x7", "(0x7 & ~0x1ull)"), ("0x7", "(0x7 & ~0x4ull)"), ("0x7", "(0x7 | 0x8ull)")],
        ),
        (
            "statement_dropped",
            "void f(struct state *s) { s->one = 1; act(s); return; }",
            [("s->one = 1", "(void)0"), ("act(s)", "(void)0"), ("return", "(void)0")],
        ),
        (
            "compound_assignment",
            "void f(struct state *s) { s->one |= 1; }",
            [("|=", "="), ("|=", "^=")],
        ),
        ("return_early", "bool f(int a) { return a; }", [("", "return 0;"), ("", "return 1;")]),
        ("return_early", "void f(int a) { if (a) { a = 1; } }", [("", "return;"), ("", "return;")]),
        ("returned_value", "int f(int a) { return a; }", [("a", "0"), ("a", "(a) + 1")]),
        (
            "arguments_swapped",
            "int f(int a, int b) { return two_numbers(a, b); }",
            [("a, b", "b, a")],
        ),
        ("arguments_swapped", "int f(int a) { return two_numbers(a, a); }", []),
        ("other_field", "uint64_t f(struct state *s) { return s->one; }", [("one", "two")]),
        ("other_field", "bool f(struct state *s) { return s->off; }", [("off", "on")]),
        ("index", "int f(int *a, int i) { return a[i]; }", [("i", "(i) ^ 1"), ("i", "(i) + 1")]),
        ("step", "void f(int a) { a++; }", [("++", "--")]),
        ("cast_dropped", "uint64_t f(uint64_t a) { return (uint32_t)a; }", [("(uint32_t)a", "a")]),
        (
            "case_dropped",
            "int f(int a) { switch (a) { case 1: case 2: return 5; default: return 6; } }",
            [("case 1:", ""), ("case 2:", ""), ("default:", "")],
        ),
        (
            "fall_through",
            "int f(int a) { switch (a) { case 1: return 5; } return 6; }",
            [("return 5", "(void)0")],
        ),
        (
            "element_zeroed",
            "struct state f(int a) { return (struct state){.one = a, .two = 1}; }",
            [("a", "0")],
        ),
        (
            "constant",
            "static const int table[] = {1, 4};",
            [("1", "2"), ("1", "0"), ("4", "5"), ("4", "3")],
        ),
    ],
)
def test_operator_makes_what_it_says(small, operator, text, wanted):
    assert small(text).by_operator(operator) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "void f(void) { int a[4]; (void)a; }",
        'void f(void) { _Static_assert(sizeof(int) > 1, ""); }',
        "enum { NUMBER = 5 + 3 };",
        "int f(int a) { return DOUBLE(a + 1); }",
        "struct other { unsigned bits : 3; };",
        "int variable = 5;",
    ],
)
def test_what_is_no_decision_is_left_alone(small, text):
    made = {x.operator for x in small(text).mutants}
    assert made <= {"return_early", "statement_dropped", "returned_value"}


def test_what_steps_a_loop_is_left_alone(small):
    made = small("int f(int a) { for (int i = 0; i < a; i += 2) { act(NULL); } return a; }")
    assert not [x for x in made.mutants if "i += 2" in x.before or "+=" in x.before]
    assert [("i < a", "0")] == made.by_operator("condition_false")


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


def test_names_stay_when_something_else_is_added(small):
    before = {x.name for x in small(TWO).mutants}
    after = {x.name for x in small("int zeroth(int a) { return a * 3; }" + TWO).mutants}
    assert before and before < after
    assert len(before) == len(small(TWO).mutants)
    assert "small.c/first/constant.1" in before


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


def test_number_chooses_the_mutant(small, tmp_path):
    made = small(
        "static const int table[] = {7, 9};\n" + TWO + "int third(int a) { return table[a]; }"
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
def test_points_are_where_the_processor_has_been(small, tmp_path, argument, lines):
    made = small(BRANCHES)
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


def test_mutant_that_does_not_compile_is_dropped(small, tmp_path):
    made = small(
        "static const int n = 4; int f(int a) { static const int t[] = {1, 2};\n"
        "switch (a) { case 3: return t[0]; case 4: return 5; } return n; }"
    )
    all_of_them = {x.name.removeprefix("small.c/") for x in made.mutants}
    extra = made.mutants[-1]
    extra.changes[0].edits[0] = (*extra.changes[0].edits[0][:2], "no such thing")
    left, dropped = prove(made, tmp_path)
    assert dropped["does not compile"] == 1
    assert extra.name.removeprefix("small.c/") in all_of_them - left


def test_mutant_that_the_compiler_proves_the_same_is_dropped(small, tmp_path):
    made = small("unsigned f(unsigned a) { if (a > 0 && a > 0) { a = 5; } return a; }")
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


def test_unchanged_text_is_not_compiled_again(small, tmp_path):
    unit = small(TWO).silicon().units[0]
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


def test_invented_fault_is_a_mutant(small, tmp_path):
    made = small(TWO)
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
def test_invented_fault_that_does_not_fit_is_refused(small, tmp_path, old, new, told):
    text = FAULT.replace(old, new, 1)
    assert text != FAULT
    with pytest.raises(MutationError, match=told):
        load(small(TWO), tmp_path, text)


@pytest.mark.parametrize(
    ("after", "told"),
    [("return b;", "wrong-sum: .*'b' undeclared"), ("return 1 + a;", "change nothing: wrong-sum")],
)
def test_invented_fault_must_compile_and_do_something(small, tmp_path, after, told):
    made = small(TWO)
    text = FAULT.replace("return a + 10;", after).rsplit("[[fault.edit]]", 1)[0]
    made.mutants += load(made, tmp_path, text)
    with pytest.raises(MutationError, match=told):
        prove(made, tmp_path)


def test_record_is_read_by_the_names_of_the_tests(iso, tmp_path):
    elf = iso.with_name("btscheck.elf")
    (address, name), *_ = addresses(elf).items()
    record = tmp_path / "record"
    record.write_text(f"0000000000000000 1 5\n{address:016x} 2 3\n00000000000000ff 9\nend\n")
    assert reach.read_reach(record, elf) == {"": {1, 5, 9}, name: {2, 3}}
    record.write_text(f"{address:016x} 2 3\n")
    with pytest.raises(LabError, match="not whole"):
        reach.read_reach(record, elf)
    record.write_text("0000000000000000 1 5\nend\n")
    with pytest.raises(LabError, match="another kernel"):
        reach.read_reach(record, elf)


def test_ordinary_emulator_knows_no_mutant(emulator):
    command = [emulator, "-device", "Skylake-Client-x86_64-cpu,help"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert has_debug_store(emulator) and "x-ds-mutant" not in answer.stdout


@pytest.fixture(scope="module")
def built():
    """The emulator with the mutants, as it was last built: that takes minutes."""
    names = PROGRAM.with_name("mutants.json")
    if not PROGRAM.exists() or not names.exists():
        pytest.skip("no build/mutants: tools/mutation/build makes it")
    return {x["name"]: x for x in json.loads(names.read_text())["mutants"]}


def of(table, function, before, after):
    """The number of a mutant, by what it does."""
    wanted = (function, before, after)
    found = [x for x in table.values() if (x["function"], x["before"], x["after"]) == wanted]
    assert found, wanted
    return found[0]["number"]


def test_mutant_fails_and_no_mutant_passes(built, boot_machine):
    common = {"qemu": str(PROGRAM), "profile": "skylake", "command_line": "test=table17_6.*"}
    number = of(built, "put", "+", "-")
    healthy = boot_machine(variation="x-ds-mutant=0", **common)
    assert healthy.judgement.status == Status.PASS, healthy.explain()
    broken = boot_machine(variation=f"x-ds-mutant={number}", **common)
    assert broken.judgement.status == Status.FAIL, broken.explain()


@pytest.mark.parametrize("property_of", ["x-ds-fault=no-bts", "x-ds-mutant=1000000"])
def test_what_the_mutants_build_cannot_do_is_refused(built, property_of):
    command = [str(PROGRAM), "-display", "none", "-cpu", f"Skylake-Client,pmu=on,{property_of}"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert answer.returncode == 1 and property_of.split("=")[0] in answer.stderr


def test_record_is_whole_when_the_emulator_is_told_to_end(built, tmp_path):
    record = tmp_path / "record"
    cpu = f"Skylake-Client,pmu=on,x-ds-mutants-reached={record},x-ds-mutants-word=0x1000000"
    command = [str(PROGRAM), "-display", "none", "-serial", "none", "-monitor", "none", "-cpu", cpu]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=3)
        process.terminate()
        assert process.wait(timeout=60) == 0
    assert record.read_text().splitlines()[-1] == reach.END


def test_boot_records_what_its_tests_reach(built, iso, boot_machine, tmp_path):
    elf, record = iso.with_name("btscheck.elf"), tmp_path / "record"
    boot = boot_machine(
        qemu=str(PROGRAM),
        profile="skylake",
        variation=reach.properties(record, elf),
        command_line="test=table17_6.encodings,lbr.*",
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    reached = reach.read_reach(record, elf)
    put = {x["point"] for x in built.values() if x["function"] == "write_record"}
    pushed = {x["point"] for x in built.values() if x["function"] == "lbr_push"}
    assert put <= reached["table17_6.encodings"]
    assert any(pushed <= points for name, points in reached.items() if name.startswith("lbr."))
    assert not put & reached[""]
