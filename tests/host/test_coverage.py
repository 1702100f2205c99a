# SPDX-License-Identifier: GPL-2.0-or-later
"""The coverage table: claims, what the tests declare, what the matrix proves."""

import json
import re
import sys

import pytest
from conftest import ROOT, execute

sys.path.insert(0, str(ROOT / "tools/trust"))

from claim_table import Claim, load_claims  # noqa: E402
from claims import named_claims, unknown_claims  # noqa: E402
from declarations import Declaration, kernel_digest, read_declarations  # noqa: E402
from machine import LabError  # noqa: E402
from table import as_json, as_markdown, build_rows, unknown_names  # noqa: E402

COVERAGE = str(ROOT / "tools/coverage")
CLAIMS = {name: Claim(name, "group", f"text of {name}") for name in ("A-1", "A-2", "A-3")}


def a_test(name, *claims, only_when_named=False):
    return Declaration("suite", name, claims, (), only_when_named, "file.c", 1)


def fault(name, claims, broken, verdict="caught"):
    return {"name": name, "claims": claims, "broken": broken, "verdict": verdict}


def state_of(name, tests, matrix):
    row = next(row for row in build_rows(CLAIMS, tests, matrix) if row.id == name)
    return row.state, row.why


@pytest.mark.parametrize(
    ("tests", "faults", "state"),
    [
        ([], None, ("open", "no test")),
        ([a_test("a", "A-2")], None, ("open", "no test")),
        ([a_test("a", "A-1", only_when_named=True)], None, ("open", "no test")),
        ([a_test("a", "A-1")], None, ("covered", "")),
        ([a_test("a", "A-1")], [], ("open", "no fault breaks it")),
        ([a_test("a", "A-1")], [fault("x", ["A-2"], ["A-1"])], ("open", "no fault breaks it")),
        ([a_test("a", "A-1")], [fault("x", ["A-1"], ["A-1", "A-2"])], ("proven", "")),
        ([], [fault("x", ["A-1"], ["A-1"])], ("open", "no test")),
        (
            [a_test("a", "A-1")],
            [fault("x", ["A-1"], ["A-1"]), fault("y", ["A-1"], ["A-2"], "caught elsewhere")],
            ("covered", "not found: y"),
        ),
        (
            [a_test("a", "A-1")],
            [fault("x", ["A-1"], ["A-1"]), fault("y", ["A-1"], ["A-1"], "missed")],
            ("covered", "not found: y"),
        ),
        (
            [a_test("a", "A-1")],
            [fault("x", ["A-1", "A-2"], ["A-2"])],
            ("covered", "found by other claims alone: x"),
        ),
        (
            [a_test("a", "A-1")],
            [fault("x", ["A-1", "A-2"], ["A-2"]), fault("y", ["A-1"], ["A-1"])],
            ("proven", ""),
        ),
    ],
)
def test_state_of_a_claim(tests, faults, state):
    assert state_of("A-1", tests, None if faults is None else {"faults": faults}) == state


def test_open_claims_are_named():
    rows = build_rows(CLAIMS, [a_test("a", "A-1")])
    text = as_markdown(rows)
    assert "- A-2 (no test): text of A-2" in text and "- A-3 (no test)" in text
    assert "- A-1" not in text
    assert as_json(rows)["counts"] == {"open": 2, "covered": 1, "proven": 0}
    assert "## Open\n\n- none\n" in as_markdown(rows[:1])


def test_claims_that_nobody_knows_are_told():
    (sentence,) = unknown_names(CLAIMS, [a_test("a", "A-1", "B-1")])
    assert "suite.a" in sentence and "B-1" in sentence


def test_claims_in_a_source(tmp_path):
    source = """
/* "Z-9" in a comment is none */
TEST(a, b, CLAIMS("A-1",
                  "oops"), NEEDS(BTS))
    test_begin(t, "A-2", "%u", 1);
    test_breaks(t, "typo");
    names = {"A-1", "Q-7.1", "DS-CPL", "plain text"};
"""
    assert sorted(set(named_claims(source))) == [
        (3, "A-1"),
        (4, "oops"),
        (5, "A-2"),
        (6, "typo"),
        (7, "A-1"),
        (7, "Q-7.1"),
    ]
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/a.c").write_text(source)
    assert unknown_claims(CLAIMS, ["tests"], tmp_path) == [
        f"tests/a.c:{line}: no claim '{name}' in the table"
        for line, name in ((4, "oops"), (6, "typo"), (7, "Q-7.1"))
    ]


def test_a_claim_stands_once(tmp_path):
    table = tmp_path / "claims.toml"
    table.write_text('[a]\nA-1 = "x"\n[b]\nA-1 = "y"\n')
    with pytest.raises(LabError, match="two groups"):
        load_claims(table)


def test_declarations_are_those_of_the_sources(iso):
    """Each stands at its place, with its claims."""
    tests = read_declarations(iso.with_suffix(".elf"))
    assert len(tests) > 100
    assert any(test.only_when_named for test in tests) and any(test.needs for test in tests)
    by_name = {True: 0, False: 0}
    for test in tests:
        text = (ROOT / test.file).read_text(encoding="utf-8")
        assert set(test.claims) <= {claim for _, claim in named_claims(text)}
        place = "".join(text.splitlines()[test.line - 1 : test.line + 2])
        by_name[bool(re.search(rf"\b{test.suite}, *{test.name}\b", place))] += 1
    assert by_name[True] > 9 * by_name[False]  # those are made by a suite's own macros


def test_coverage_prints_every_claim(iso, tmp_path):
    elf = ["--elf", str(iso.with_suffix(".elf")), "--output", str(tmp_path)]
    answer = execute(COVERAGE, *elf)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == (tmp_path / "coverage.md").read_text()
    rows = json.loads((tmp_path / "coverage.json").read_text())["claims"]
    assert [row["id"] for row in rows] == list(load_claims())
    assert all(f"| {row['id']}: " in answer.stdout for row in rows)


@pytest.mark.parametrize(
    ("settings", "doubt"),
    [
        ({"whole": True}, ""),
        ({"whole": False}, "the matrix is of a part"),
        ({"whole": True, "kernel": "another"}, "the matrix is of another kernel"),
        ({"kernel": None}, "the matrix is of another kernel"),
    ],
)
def test_only_a_whole_matrix_of_this_kernel_proves_anything(iso, tmp_path, settings, doubt):
    elf, path = iso.with_suffix(".elf"), tmp_path / "result.json"
    settings = {"kernel": kernel_digest(elf), **settings}
    faults = [fault("x", ["BTS-1"], ["BTS-1"])]
    path.write_text(json.dumps({"settings": settings, "faults": faults, "healthy": []}))
    answer = execute(COVERAGE, "--json", "--elf", elf, "--matrix", path)
    assert answer.returncode == 0, answer.stderr
    (row,) = [row for row in json.loads(answer.stdout)["claims"] if row["id"] == "BTS-1"]
    assert row["state"] == ("covered" if doubt else "proven")
    assert row["why"] == doubt and doubt in answer.stderr


@pytest.mark.parametrize("text", ["{}", "[]", '{"faults": 3}', "3"])
def test_other_json_is_no_result(iso, tmp_path, text):
    (tmp_path / "result.json").write_text(text)
    command = [COVERAGE, "--elf", str(iso.with_suffix(".elf"))]
    command += ["--matrix", str(tmp_path / "result.json")]
    answer = execute(*command)
    assert answer.returncode == 2
    assert "no list of faults" in answer.stderr and "Traceback" not in answer.stderr


@pytest.mark.parametrize(
    "options",
    [["--elf", "/nonexistent"], ["--elf", COVERAGE], ["--matrix", COVERAGE]],
    ids=" ".join,
)
def test_what_cannot_be_read_is_told(options, iso):
    elf = ["--elf", str(iso.with_suffix(".elf"))]
    answer = execute(COVERAGE, *elf, *options)
    assert answer.returncode == 2
    assert answer.stderr.startswith("coverage: ") and "Traceback" not in answer.stderr
