# SPDX-License-Identifier: GPL-2.0-or-later
"""What `make test` runs of a change, and what it leaves to `make test-all`."""

import re
import subprocess
import sys
from fnmatch import fnmatch

import pytest
from changed import NoBase, changed_files, find_base, imported
from conftest import ROOT, execute
from tiers import HERE, PARTS, STOOD_FOR, Tiers


def git(folder, *words):
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]
    return execute("git", "-C", folder, *who, *words, check=True).stdout.strip()


def commit(folder, name):
    """Adds a file; the commit's name."""
    (folder / name).write_text(name, encoding="utf-8")
    git(folder, "add", name)
    git(folder, "commit", "-q", "-m", name)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def history(tmp_path, monkeypatch):
    """A repository with two commits, a clone of it, and the names of the commits."""
    monkeypatch.delenv("BASE", raising=False)
    (tmp_path / "origin").mkdir()
    git(tmp_path / "origin", "init", "-q")
    names = [commit(tmp_path / "origin", name) for name in ("one", "two")]
    git(tmp_path, "clone", "-q", "origin", "clone")
    return tmp_path / "origin", tmp_path / "clone", names


def test_base_is_where_the_branch_left_its_upstream(history):
    origin, clone, names = history
    assert find_base(clone) == names[0], "nothing of its own: what the last commit changed"
    assert changed_files(clone) == {"two"}
    for name in ("three", "four"):
        commit(clone, name)
    assert find_base(clone) == names[1]
    assert changed_files(clone) == {"three", "four"}
    assert find_base(origin) == names[0], "no upstream"


def test_what_is_not_committed_counts(history):
    _, clone, _ = history
    (clone / "one").unlink()
    (clone / "new").touch()
    assert changed_files(clone) == {"one", "two", "new"}


def test_base_can_be_named(history, monkeypatch):
    _, clone, names = history
    monkeypatch.setenv("BASE", names[1])
    assert changed_files(clone) == set()
    monkeypatch.setenv("BASE", "no-such-commit")
    with pytest.raises(NoBase, match="BASE=no-such-commit names no commit"):
        find_base(clone)


@pytest.mark.parametrize("commits", [0, 1])
def test_without_a_base_nothing_is_said(tmp_path, monkeypatch, commits):
    monkeypatch.delenv("BASE", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    if commits:
        git(tmp_path, "init", "-q")
        commit(tmp_path, "one")
    assert changed_files(tmp_path) is None


def test_imports_are_followed(tmp_path):
    (tmp_path / "tool").mkdir()
    texts = {
        "test_it.py": "import first\nfrom other import thing\n",
        "first.py": "def later():\n    from tool import part\n",
        "tool/__init__.py": "",
        "tool/part.py": "from . import near\nimport os\n",
        "tool/near.py": "",
        "other.py": "import first",
        "foreign.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = imported(tmp_path / "test_it.py", [tmp_path], but={tmp_path / "other.py"})
    assert {str(path.relative_to(tmp_path)) for path in found} == set(texts) - {
        "other.py",
        "foreign.py",
    }


def runs(changed, name, test="test_one"):
    tiers = Tiers([ROOT / "tools/lab", ROOT / "tools/mutation", ROOT / "tools/trust"])
    tiers.changed = set(changed)
    return tiers.runs(HERE / name, test)


@pytest.mark.parametrize(
    ("changed", "due"),
    [
        ([], False),
        (["kernel/main.c", "README.md"], False),
        (["tools/factors"], False),
        (["tools/facts"], True),
        (["tests/host/test_facts.py"], True),
    ],
)
def test_test_of_a_tool_runs_when_the_tool_changed(changed, due):
    assert runs(changed, "test_facts.py") is due


def test_what_a_tool_imports_counts():
    """test_hunt.py imports tools/mutation/hunt.py, and that tools/trust/plan.py."""
    assert runs(["tools/trust/plan.py"], "test_hunt.py")
    assert not runs(["tests/host/conftest.py", "tools/lab/judge.py"], "test_hunt.py"), "everybody's"


def test_other_tests_run_but_for_those_that_others_stand_for():
    assert runs([], "test_judge.py") and runs([], "test_boot.py", "test_little_memory_is_enough")
    assert runs([], "test_that_is_new.py")
    assert not runs(["tools/lab/machine.py"], "test_boot.py", "test_profile[skylake]")


def test_every_row_is_about_a_test():
    """One that was renamed would be run, or left out, unnoticed."""
    files = [path.name for path in HERE.glob("test_*.py")]
    answer = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    known = answer.stdout.split("\n") if (ROOT / ".git").exists() else None
    for name, globs in PARTS.items():
        assert any(fnmatch(file, name) for file in files), name
        assert not known or all(any(fnmatch(file, glob) for file in known) for glob in globs), globs
    for name, globs in STOOD_FOR.items():
        text = (HERE / name).read_text(encoding="utf-8")
        assert all(f"\ndef {glob.rstrip('*')}" in text for glob in globs), name


def test_what_is_left_out_is_told():
    """By two workers, each of which leaves it out."""
    command = [sys.executable, "-m", "pytest", "--quick", HERE / "test_boot.py"]
    command += ["-k", "test_every_entry_says"]
    answer = execute(*command, cwd=ROOT)
    assert answer.returncode == 0, answer.stdout
    left = re.search(
        r"^left to make test-all, (\d+) tests: test_boot.py (\d+)$", answer.stdout, re.M
    )
    assert left and left[1] == left[2] and int(left[1]) > 50, answer.stdout
