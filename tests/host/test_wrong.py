# SPDX-License-Identifier: GPL-2.0-or-later
"""Edits of wrong processors, in the smallest form in which each can be asked for."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, entries, wrong  # noqa: E402

SOURCE = """\
static bool decide(const struct ds_cpu *cpu, unsigned n)
{
    bool on = cpu->present, off; /* n == 1 */
    struct pair pair = {.first = n, .second = 2};

    if (on && n == 1) {
        count(cpu);
    }
    for (unsigned i = 0; i < n; i++) {
        off = step(cpu, i);
    }
    switch (n) {
    case 1:
        return off;
    default:
        break;
    }
    return on || off;
}

void bare(int n)
{
    call(n);
}
"""


def woven(*edits, function="decide"):
    """edits: (identifier, before, after)"""
    pairs = [(name, entries.Edit("a.c", function, *texts)) for name, *texts in edits]
    return " ".join(wrong.weave_function(SOURCE, function, pairs).split())


@pytest.mark.parametrize(
    "before, after, result",
    [
        (
            "on && n == 1",
            "on || n == 1",
            "if ((fault(cpu, F) ? !!(on || n == 1) : !!(on && n == 1)))",
        ),
        ("i < n", "i <= n", "(fault(cpu, F) ? !!( i <= n) : !!( i < n))"),
        ("cpu->present", "true", "on =(fault(cpu, F) ? ( true ) : ( cpu->present)), off"),
        ("second = 2", "second = 3", ".second =(fault(cpu, F) ? ( 3 ) : ( 2))"),
        (
            "count(cpu);",
            "count(cpu); count(cpu);",
            "if (fault(cpu, F)) { count(cpu); count(cpu); } else { count(cpu); }",
        ),
        ("off = step(cpu, i);", "", "if (fault(cpu, F)) { } else { off = step(cpu, i); }"),
        (
            "return on ||",
            "return !on ||",
            "if (fault(cpu, F)) { return ! on || off; } else { return on || off; }",
        ),
        (
            "return off;",
            "off = n; return off;",
            "case 1: if (fault(cpu, F)) { off = n; return off; }",
        ),
    ],
)
def test_an_edit_asks_where_it_is(before, after, result):
    text = woven(("F", before, after))
    assert result in text, text


def test_behind_a_declaration_all_that_follows_is_edited():
    """What it declares is used there."""
    text = woven(("F", "if (on && n == 1)", "unsigned m = n; if (on && m == 1)"))
    assert "if (fault(cpu, F)) { unsigned m = n; if (on && m == 1)" in text
    assert text.count("return on || off;") == 2


def test_two_that_edit_one_place_are_asked_in_turn():
    text = woven(("F", "n == 1)", "n == 2)"), ("G", "on && n", "n"))
    assert (
        "(fault(cpu, F) ? !!(on && n == 2 ) : fault(cpu, G) ? !!( n == 1) : !!(on && n == 1))"
        in text
    )


def test_one_within_the_other_and_two_of_one_processor():
    text = woven(("F", "count(cpu); } for", "} for"), ("G", "on && n == 1", "on"))
    assert "if (fault(cpu, F)) {" in text and "fault(cpu, G) ? !!(on )" in text
    both = woven(("F", "n == 1)", "n == 2)"), ("F", "on && n", "off && n"))
    assert "(fault(cpu, F) ? !!( off && n == 2 ) : !!(on && n == 1))" in both


def test_an_edit_within_what_another_of_the_same_processor_edits_is_made_there():
    """The declaration has all that follows written twice; the healthy half asks for nobody."""
    text = woven(
        ("F", "if (on && n == 1)", "unsigned m = n; if (on && m == 1)"),
        ("F", "return on || off;", "return m;"),
    )
    assert text.count("fault(cpu, F)") == 1
    edited, healthy = text.partition("if (fault(cpu, F))")[2].split("} else {", 1)
    assert "return m ;" in edited and "return on || off;" in healthy


def test_what_stands_behind_a_block_is_not_in_it():
    text = woven(("F", "count(cpu); } for", "count(cpu); } n++; for"))
    assert "count(cpu); }if (fault(cpu, F)) { n++; for" in text, text


def test_a_comment_is_no_part_of_what_stands_there_and_a_literal_is():
    source = 'int f(void)\n{\n    call("// 1"); /* call("// 1") */\n    return 1; // 1\n}\n'
    edit = entries.Edit("a.c", "f", 'call("// 1");', "")
    assert "if (fault_anywhere(F))" in wrong.weave_function(source, "f", [("F", edit)])


def test_a_function_without_a_processor_asks_for_the_machines():
    assert "if (fault_anywhere(F)) { call(n + 1 ); } else { call(n); }" in woven(
        ("F", "call(n)", "call(n + 1)"), function="bare"
    )


@pytest.mark.parametrize(
    "edit, said",
    [
        (("F", "cpu", "0"), "'cpu' stands 5 times in decide, where it must be once"),
        (("F", "nothing", "0"), "'nothing' stands 0 times"),
        (("F", "return on || off;", "return on || off; }"), "is in no statement"),
    ],
)
def test_an_edit_that_does_not_fit_is_named(edit, said):
    _, problems = wrong.weave_text(
        SOURCE, {"decide": [(edit[0], entries.Edit("a.c", "decide", *edit[1:]))]}
    )
    assert len(problems) == 1 and said in problems[0] and "(F)" in problems[0]
    with pytest.raises(BuildError, match="0 functions gone"):
        woven(("F", "a", "b"), function="gone")


@pytest.mark.parametrize(
    "text, said",
    [
        ('[a]\nis = "x"\n', "which claims it breaks"),
        (
            '[a]\nis = "x"\nclaims = "C"\nother = 1\n',
            "an entry has is, claims, needs, errata, edit",
        ),
        ('[a]\nis = "x"\nclaims = 1\n', "'claims' must be a str"),
        ('[a]\nis = "x"\nclaims = "C"\nedit = ["bts.c", "b", "c"]\n', "an edit names"),
        ('[a]\nis = "x"\nclaims = "C"\nerrata = [["E1", "m"]]\n', "an erratum is"),
        ('[a]\nis = "x"\nclaims = "C"\nerrata = [["E1", "n", 1]]\n', "models.toml has no n"),
        ('[a]\nis = "x"\nclaims = "C"\nerrata = [["E1", "m", 1, "x"]]\n', "has no m or x"),
        ("[a\n", "a.toml: "),
    ],
)
def test_an_entry_that_is_none_is_named(tmp_path, text, said):
    (tmp_path / "models.toml").write_text("m = [1]\nmicrocode.u = [[1, 2, 3]]\n")
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(BuildError) as caught:
        entries.load(tmp_path)
    assert said in str(caught.value) and "a.toml" in str(caught.value)


def test_no_two_have_one_name(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.toml").write_text('[one]\nis = "x"\nclaims = "C"\n')
    with pytest.raises(BuildError, match="another of that name"):
        entries.load(tmp_path)


def test_the_list_is_c():
    erratum = entries.Erratum(["E1", "E2"], [0x3C, 0x45], 30, [[0x3C, 1, 7]])
    entry = entries.Wrong("a-b", 'it says "no"', "C-1", "bts", entries.INVENTED, [], [erratum])
    text = entries.list_of([entry])
    assert 'FAULT(A_B, "a-b", "C-1", "bts", "it says \\"no\\"", DS_INVENTED)' in text
    assert 'ERRATUM("E1", "E2", FAULT_A_B, 30, ({0x3c, 0x45, 0}), ({{60, 1, 7}, {0}}))' in text


def test_what_errata_do_need_break_no_claim(tmp_path):
    (tmp_path / "errata").mkdir()
    (tmp_path / "errata/a.toml").write_text('[a]\nis = "x"\n')
    assert [each.kind for each in entries.load(tmp_path)] == [entries.SYMPTOM]
