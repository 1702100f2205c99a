# SPDX-License-Identifier: GPL-2.0-or-later
"""What helps who writes: `make new-test`, `make format`, `make asm`."""

import re
import shutil
from collections import Counter

import pytest
from conftest import LIBRARIES, ROOT
from judge import Status
from test_build import build, copy_tree
from test_make import run

NEW_TEST = ROOT / "tools/new-test"
OLD = """\
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/test.h"

TEST(circular, laps, CLAIMS("BTS-2", "BTS-3"), NEEDS(BTS))
{
}

SELFTEST(circular, of_itself, CLAIMS(), NEEDS())
{
}

TEST(circular_other,
     wrapped, CLAIMS(), NEEDS())
{
}
"""


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tests/suites/bts").mkdir(parents=True)
    (tmp_path / "tests/suites/bts/circular.c").write_text(OLD)
    (tmp_path / "tools").mkdir()
    shutil.copy2(ROOT / "tools/claims.toml", tmp_path / "tools")
    return tmp_path


def new_test(tree, *words):
    return run(NEW_TEST, "--tree", tree, *words)


def test_new_test_goes_behind_the_others_of_its_suite(tree):
    answer = new_test(tree, "circular", "never", "BTS-3,T17-6.3")
    assert answer.returncode == 0, answer.stderr
    text = (tree / "tests/suites/bts/circular.c").read_text()
    head = 'TEST(circular, never, CLAIMS("BTS-3", "T17-6.3"), NEEDS())'
    assert text.startswith(OLD) and text.splitlines()[-4] == head
    assert answer.stdout.startswith(f"tests/suites/bts/circular.c:{len(text.splitlines()) - 3}: ")
    assert "make run TEST=circular.never\n" in answer.stdout


def test_new_test_of_a_new_suite_gets_a_file(tree):
    answer = new_test(tree, "spiral", "first")
    assert answer.returncode == 0, answer.stderr
    text = (tree / "tests/suites/spiral.c").read_text()
    assert text.startswith("/* SPDX-License-Identifier: GPL-2.0-or-later */\n")
    assert '#include "kernel/report/test.h"\n' in text
    assert "TEST(spiral, first, CLAIMS(), NEEDS())" in text
    assert "tests/suites/README.md wants a row" in answer.stdout
    assert (tree / "tests/suites/bts/circular.c").read_text() == OLD


def test_new_test_leaves_a_long_file_alone(tree):
    (tree / "tests/suites/bts/circular.c").write_text(OLD + "\n" * 385)
    (tree / "tests/suites/spiral.c").write_text("")
    assert new_test(tree, "circular", "never").stdout.startswith("tests/suites/bts/circular_2.c:")
    assert new_test(tree, "circular", "ever").stdout.startswith("tests/suites/bts/circular_2.c:")
    assert (tree / "tests/suites/bts/circular.c").read_text() == OLD + "\n" * 385


def test_new_test_of_the_instrument_runs_only_when_named(tree):
    assert new_test(tree, "selftest", "never").returncode == 0
    assert "\nSELFTEST(selftest, never," in (tree / "tests/suites/selftest.c").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["circular", "laps"], "circular.laps is there already: tests/suites/bts/circular.c:4;"),
        (["circular", "of_itself"], "is there already: tests/suites/bts/circular.c:8;"),
        (["circular_other", "wrapped"], "is there already: tests/suites/bts/circular.c:12;"),
        (["circular", "Never"], "NAME=Never: lower case"),
        (["circular", "a-b"], "NAME=a-b: lower case"),
        (["circular", "a__b"], "NAME=a__b: lower case"),
        (["circular", "1st"], "NAME=1st: lower case"),
        (["circular", "a" * 51], "51 letters, at most 50"),
        (["circular", ""], "NAME=: lower case"),
        (["../x", "a"], "SUITE=../x: lower case"),
        (["", ""], "SUITE=: lower case"),
        (["circular", "never", "BTS-99"], "CLAIM=BTS-99: tools/claims.toml has no such claim"),
    ],
)
def test_new_test_is_refused(tree, words, told):
    answer = new_test(tree, *words)
    assert answer.returncode == 2
    assert told in answer.stderr and answer.stderr.startswith("new-test: ")
    assert len(answer.stderr.splitlines()) == 1
    assert [path.name for path in (tree / "tests/suites").rglob("*.c")] == ["circular.c"]
    assert (tree / "tests/suites/bts/circular.c").read_text() == OLD


def test_new_tests_build_and_fail(boot_machine, tmp_path):
    """In the tree as it is: one of each kind."""
    tree = tmp_path / "tree"
    copy_tree(tree)
    for words in (
        ["circular", "zz_one", "BTS-3"],
        ["zz_suite", "zz_two"],
        ["selftest", "zz_three"],
    ):
        variables = [f"{name}={word}" for name, word in zip(["SUITE", "NAME", "CLAIM"], words)]
        answer = run("make", "-C", tree, "new-test", *variables)
        assert answer.returncode == 0, answer.stdout + answer.stderr
    image = build(tree, 1700000000)
    done = boot_machine(
        iso=image, cpu="max", command_line="test=circular.zz_*,zz_suite.*,selftest.zz_*"
    )
    assert done.judgement.status == Status.FAIL, done.explain()
    failed = re.findall(r"^ +not ok \d+ (zz_\w+)$", done.text, re.M)
    assert sorted(failed) == ["zz_one", "zz_three", "zz_two"], done.explain()
    assert done.text.count("nothing is checked yet") == 3
    checked = run("tools/lint", "c_format", "claims", cwd=tree)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_format_gives_what_lint_asks_for(tmp_path):
    (tmp_path / "tools").mkdir()
    for name in ("tools/lint", ".clang-format"):
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / "a.c").write_text("int  f( void ){return 1 ;}\n")
    (tmp_path / "b.py").write_text("a = [ 1,2 ]\n")
    (tmp_path / "c.txt").write_text("a = [ 1,2 ]\n")
    before = run(tmp_path / "tools/lint", "c_format", "black")
    if "skipped" in before.stdout:
        pytest.skip(before.stdout)
    assert before.returncode == 1
    assert run(tmp_path / "tools/lint", "--format").returncode == 0
    assert run(tmp_path / "tools/lint", "c_format", "black").returncode == 0
    assert (tmp_path / "b.py").read_text() == "a = [1, 2]\n"
    assert (tmp_path / "c.txt").read_text() == "a = [ 1,2 ]\n"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("arch/trace/bts.c", ["<bts_index>:", "// size_t bts_index(void)", "\tret"]),
        ("./boot/entry.S", ["wrmsr"]),
    ],
)
def test_asm_shows_instructions_and_their_source(iso, source, told):
    answer = run("make", "-C", ROOT, "asm", f"F={source}")
    assert answer.returncode == 0, answer.stderr
    for text in told:
        assert text in answer.stdout


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("F=", "which source? make asm F=arch/trace/bts.c"),
        ("F=arch/trace/bt.c", "there is no file arch/trace/bt.c"),
        ("F=tools/lint", "tools/lint is not a source of the kernel"),
        ("F=a b'c", "there is no file a b'c"),
    ],
)
def test_asm_of_nothing_is_refused(iso, word, told):
    answer = run("make", "-C", ROOT, "asm", word)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"asm: {told}"), answer.stderr


def test_no_two_folders_that_tests_import_from_have_a_module_of_one_name():
    """The first one would be taken for the other."""
    names = Counter(
        path.name for folder in LIBRARIES for path in (ROOT / "tools" / folder).glob("*.py")
    )
    assert not [name for name, times in names.items() if times > 1]
