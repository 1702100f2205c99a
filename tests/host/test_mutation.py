# SPDX-License-Identifier: GPL-2.0-or-later
"""What each operator of the mutants makes of a line, what it leaves alone, and their names."""

import pytest
from small_silicon import TWO, Small


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
        ("operand_dropped", "int f(int a, int b) { return a & b; }", []),
        ("condition_true", "void f(int a) { if (a) a = 1; }", [("a", "1")]),
        ("condition_false", "int f(int a) { return a > 1 ? 2 : 3; }", [("a > 1", "0")]),
        ("condition_true", "void f(int a) { while (a) a--; }", []),
        ("condition_false", "void f(int a) { while (a) a--; }", [("a", "0")]),
        ("arithmetic", "int f(int a) { return a + a << a; }", [("<<", ">>"), ("+", "-")]),
        ("arithmetic", "int f(int a) { return (a & BIT) + 2; }", []),
        ("arithmetic", "int f(int a, int b) { return a & b; }", [("&", "|")]),
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
            [("BIT", "0x20ull"), ("BIT", "0x8ull")],
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
        ("compound_assignment", "void f(struct state *s) { s->one |= 1; }", [("|=", "=")]),
        ("compound_assignment", "void f(struct state *s) { s->one += 1; }", []),
        ("other_field", "uint64_t f(struct state *s) { return s->one; }", [("one", "two")]),
        ("other_field", "bool f(struct state *s) { return s->off; }", [("off", "on")]),
        ("index", "int f(int *a, int i) { return a[i]; }", [("i", "(i) ^ 1"), ("i", "(i) + 1")]),
        (
            "constant",
            "static const int table[] = {1, 4};",
            [("1", "2"), ("1", "0"), ("4", "5"), ("4", "3")],
        ),
    ],
)
def test_operator_makes_what_it_says(tmp_path, operator, text, wanted):
    assert Small(tmp_path, text).by_operator(operator) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "void f(void) { int a[4]; (void)a; }",
        'void f(void) { _Static_assert(sizeof(int) > 1, ""); }',
        "enum { NUMBER = 5 + 3 };",
        "int f(int a) { return DOUBLE(a + 1); }",
        "struct other { unsigned bits : 3; };",
        "int variable = 5;",
        "typedef unsigned char display_model; static const display_model of_which[] = {1, 4};",
    ],
)
def test_what_is_no_decision_is_left_alone(tmp_path, text):
    assert {x.operator for x in Small(tmp_path, text).mutants} <= {"statement_dropped"}


def test_what_steps_a_loop_is_left_alone(tmp_path):
    made = Small(
        tmp_path, "int f(int a) { for (int i = 0; i < a; i += 2) { act(NULL); } return a; }"
    )
    assert not [x for x in made.mutants if "i += 2" in x.before or "+=" in x.before]
    assert [("i < a", "0")] == made.by_operator("condition_false")


def test_names_stay_when_something_else_is_added(tmp_path):
    before = {x.name for x in Small(tmp_path, TWO).mutants}
    after = {x.name for x in Small(tmp_path, "int zeroth(int a) { return a * 3; }" + TWO).mutants}
    assert before and before < after and len(before) == len(Small(tmp_path, TWO).mutants)
    assert "small.c/first/constant.1" in before
