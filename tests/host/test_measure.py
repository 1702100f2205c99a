# SPDX-License-Identifier: GPL-2.0-or-later
"""The numbers of tools/measure, on small trees that say beforehand what they are."""

import importlib.machinery
import importlib.util
import random
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, execute

MEASURE = ROOT / "tools/measure"
LOADER = importlib.machinery.SourceFileLoader("measure", str(MEASURE))
measure = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure", LOADER))
LOADER.exec_module(measure)

C = """\
/* one
 * two */ int a; // three
char *b = "/* no comment */ // none";
char c = '"'; /* a quote */

#define D '\\''
// last
"""
PYTHON = '''\
#!/usr/bin/python3
"""Docstring
of two lines."""
a = """text
of two lines"""


def b():
    "docstring"
    return (  # why
        # because
        a
    )
'''
SHELL = "#!/bin/bash\n# comment\n\necho '# text' # comment\n    # comment\n"


@pytest.mark.parametrize(
    ("path", "text", "numbers"),
    [
        ("a.c", C, [2, 3, 4, 6]),
        ("a.S", C, [2, 3, 4, 6]),
        ("a.py", PYTHON, [4, 5, 8, 10, 12, 13]),
        ("program", PYTHON, [4, 5, 8, 10, 12, 13]),
        ("Makefile", SHELL, [4]),
        ("empty.c", "", []),
    ],
)
def test_lines_with_code(path, text, numbers):
    assert [number for number, _ in measure.code_lines(path, text)] == numbers


@pytest.mark.parametrize(
    "path", ["kernel/report/ktap.c", "boot/entry.S", "tools/lab/ktap.py", "Makefile"]
)
def test_comments_and_blanks_change_no_count(path):
    """Wherever a line of code ends and the next begins, in files as they are."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = text.split("\n")
    places = [number for number, _ in measure.code_lines(path, text)]
    comment = "/* a comment\n of two */" if path.endswith((".c", ".S")) else "# a comment"
    generator = random.Random(1)
    for place in sorted(generator.sample(places, 20), reverse=True):
        if not (place > 1 and lines[place - 2].endswith("\\")):
            lines[place - 1 : place - 1] = ["", comment]
    changed = measure.code_lines(path, "\n".join(lines))
    assert [code for _, code in changed] == [code for _, code in measure.code_lines(path, text)]


def tree(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return measure.Measurement(folder, sorted(files))


def function(name, lines):
    return f"static int {name}(void)\n{{\n" + "    return 0;\n" * (lines - 3) + "}\n"


def test_lengths_of_functions(tmp_path):
    test = 'TEST(suite, name, CLAIMS("A",\n                "B"), NEEDS())\n{\n    run();\n}\n'
    files = {
        "kernel/a.c": "".join(function(f"f{length}", length) for length in range(3, 13)),
        "tests/suites/b.c": test,
        "tools/c": "#!/usr/bin/python3\nclass C:\n    def f(self):\n        return 1\n",
    }
    found = tree(tmp_path, files)
    assert (found.median("boot + arch + kernel"), found.tenth("boot + arch + kernel")) == (7.5, 11)
    assert found.median("suites + workloads") in (4, 5)  # its name's line, or its last argument's
    assert found.median("tools and the rest") == 2
    assert found.median("host tests") is None
    assert found.median(None) == 6.5


def test_every_file_is_of_one_part():
    parts = {
        "kernel/a.c": "boot + arch + kernel",
        "tests/oracle/a.c": "run + spec + step + random",
        "tools/emulator/model/bts.c": "model: healthy",
        "tools/emulator/model/fault_list.h": "model: defects",
        "tools/emulator/model/faults/bts.c": "model: defects",
        "tools/emulator/model/tests/bts.c": "model: tests and lists",
        "tools/emulator/qemu/glue/a.c": "emulator: hooks and build",
        "Makefile": "tools and the rest",
    }
    assert {path: measure.part_of(path) for path in parts} == parts


def test_what_is_to_be_read(tmp_path):
    """Headers by way of others too; a name in a comment, a text or a member is not used."""
    include = '#include "tests/{}.h"\n'
    files = {
        "tests/suites/bts/circular.c": include.format("near")
        + include.format("idle")
        + '/* idle() */\nint f(void)\n{\n    return far(LIMIT) + "idle" + p->member;\n}\n',
        "tests/near.h": include.format("far") + "int near(void);\n",
        "tests/far.h": '#include "limit.h"\nint far(int x);\n',
        "tests/limit.h": "#define LIMIT 3\n",
        "tests/idle.h": "int idle(void);\nstruct s {\n    int member;\n};\n",
    }
    found = tree(tmp_path, files)
    assert found.headers == ["tests/idle.h", "tests/near.h"]
    assert found.files == ["tests/suites/bts/circular.c", "tests/far.h", "tests/limit.h"]


def test_words_of_pages(tmp_path):
    files = {"README.md": "one two\n", "docs/a.md": "| three |\n", "arch/FACTS.md": "six\n" * 6}
    found = tree(tmp_path, files | {"docs/b.txt": "no page\n"})
    assert ("  README.md and docs", 5, None) in found.rows()
    assert found.count_words(("",)) == 11


def rows(prefix, number):
    return "".join(f"{prefix}{each};\n" for each in range(number))


@pytest.mark.parametrize(("equal", "pairs"), [(5, []), (6, [6]), (9, [9])])
def test_repetitions_between_files(tmp_path, equal, pairs):
    files = {
        "kernel/a.c": rows("a", 3) + rows("same", equal) + rows("b", 3),
        "kernel/b.c": rows("c", 4) + "// why\n" + rows("  same", equal) + rows("d", 2),
    }
    found = tree(tmp_path, files).repeated
    assert [length for length, _, _ in found] == pairs
    assert all(first == ("kernel/a.c", 4) for _, first, _ in found)
    assert all(second == ("kernel/b.c", 6) for _, _, second in found)


def test_repetitions_in_one_file(tmp_path):
    """Three places are three pairs; a place does not overlap with itself; includes do not count."""
    thrice = "".join(rows("same", 7) + f"other{each};\n" for each in range(3))
    assert len(tree(tmp_path, {"kernel/a.c": thrice}).repeated) == 3
    assert [each[0] for each in tree(tmp_path, {"kernel/a.c": "a;\n" * 11}).repeated] == []
    assert [each[0] for each in tree(tmp_path, {"kernel/a.c": "a;\n" * 12}).repeated] == [6]
    included = "".join(f'#include "{each}.h"\n' for each in range(9))
    assert tree(tmp_path, {"kernel/a.c": included, "kernel/b.c": included}).repeated == []


def run(*arguments):
    return execute(MEASURE, *arguments)


def test_this_tree():
    """The parts sum up to all, and there is something of each."""
    answer = run("--repetitions")
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.split("\nfiles\n")[0].splitlines()[2:]
    numbers = [int(line[44:].split()[0]) for line in lines]
    assert len(numbers) == len(measure.PARTS) + 1
    assert min(numbers) > 0 and sum(numbers[:-1]) == numbers[-1]


def test_commits_side_by_side(tmp_path, monkeypatch):
    """Of a repository of its own; each column is the tree as that commit has it."""

    def git(*arguments):
        names = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *names, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / "tools").mkdir()
    (tmp_path / measure.BUDGETS).write_text('["code lines"]\n"boot + arch + kernel" = 7\n')
    for number in (1, 2):
        (tmp_path / "kernel").mkdir(exist_ok=True)
        (tmp_path / "kernel/a.c").write_text(rows("a", 3 * number))
        git("add", "kernel", "tools")
        git("commit", "-q", "-m", f"{number}")
    monkeypatch.setattr(measure, "ROOT", Path(tmp_path))
    columns = {commit: measure.measure_commit(commit) for commit in ("HEAD~1", "HEAD")}
    line = next(line for line in measure.table(columns) if "kernel" in line)
    assert line.split()[-3:] == ["3", "6", "7"]


@pytest.mark.parametrize("commit", ["no-such-commit", "--output=x", "HEAD:tools"])
def test_what_is_no_commit_is_told(commit):
    answer = run("--", commit)
    assert answer.returncode == 2
    assert answer.stderr.startswith("measure: git rev-parse") and "Traceback" not in answer.stderr


BUDGETS = """
["code lines"]
"host tests" = 10
all = 10

[files]
all = 2
"""


def over(found, budgets=BUDGETS, earlier=()):
    found = {("code lines", "host tests"): found, ("files", "all"): 2}
    earlier = [measure.read_budgets(each) for each in earlier]
    return list(measure.over_budget(found, measure.read_budgets(budgets), earlier))


def test_budget_is_held_to_and_only_goes_down():
    assert over(10) == [] and over(3) == []
    assert over(11) == ["host tests: 11 code lines, and the budget is 10: what goes for what came?"]
    assert "has no budget for them" in over(3, BUDGETS.replace('"host tests" = 10', ""))[0]
    assert over(3, earlier=[BUDGETS.replace("= 10", "= 12")]) == []
    lower = BUDGETS.replace('"host tests" = 10', '"host tests" = 9')
    assert over(3, earlier=[BUDGETS, lower]) == [
        "host tests: the budget was 9: it may only go down"
    ]


def test_every_part_of_the_tree_has_a_budget():
    budgets = measure.read_budgets((ROOT / measure.BUDGETS).read_text())
    assert set(budgets) == set(measure.sizes({}))
