# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/hosts-tried: a host not tried since hooks, glue or packages changed is named."""

import shutil
import subprocess

import pytest
from conftest import ROOT, execute

ROW = "| host | gcc | tried |\n| --- | --- | --- |\n| Debian 12 | 12 | {} |\n"
WATCHED = "tools/emulator/qemu/hooks/a.cocci"


@pytest.fixture
def tried(tmp_path):
    """tried(cell, day of the last change, shallow, more) -> (status, what it says)."""
    tree = tmp_path / "tree"

    def git(*words, folder=tree, **dates):
        who = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
        command = ["git", "-C", str(folder), *who, *words]
        subprocess.run(command, check=True, capture_output=True, env={"PATH": "/usr/bin", **dates})

    def commit(name, text, day):
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        git("add", ".")
        when = f"{day}T12:00:00Z"
        git("commit", "-m", name, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)

    def ask(cell, day, shallow=False, uncommitted=False, watched="tools/packages.txt"):
        (tree / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "tools/hosts-tried", tree / "tools")
        git("init", "-q")
        commit(WATCHED, "1", "2020-01-01")
        commit(watched, "2", day)
        commit("docs/start.md", ROW.format(cell), "2026-01-01")
        place = tree
        if uncommitted:
            (tree / WATCHED).write_text("3")
        if shallow:
            place = tmp_path / "shallow"
            git("clone", "--depth=1", f"file://{tree}", str(place))
        answer = execute(place / "tools/hosts-tried", timeout=30)
        return answer.returncode, answer.stdout + answer.stderr

    return ask


@pytest.mark.parametrize(
    "cell, day",
    [("2021-05-03", "2021-05-03"), ("2021-05-02, before the last change", "2021-05-03")],
)
def test_row_that_is_true_passes(tried, cell, day):
    assert tried(cell, day) == (0, "")


@pytest.mark.parametrize(
    "cell, day, said",
    [
        (
            "2021-05-02",
            "2021-05-03",
            "Debian 12 was tried on 2021-05-02, hooks, glue or packages",
        ),
        ("2021-05-03, before the last change", "2021-05-03", "and says otherwise"),
        ("soon", "2021-05-03", "no table of hosts"),
    ],
)
def test_row_that_is_not_true_is_named(tried, cell, day, said):
    status, text = tried(cell, day)
    assert status == 1 and said in text


def test_glue_counts_as_hooks_do(tried):
    status, text = tried("2021-05-02", "2021-05-03", watched="tools/emulator/qemu/glue/a.c")
    assert status == 1 and "Debian 12 was tried on 2021-05-02" in text


def test_change_that_is_not_committed_is_of_today(tried):
    status, text = tried("2022-01-01", "2021-05-03", uncommitted=True)
    assert status == 1 and "Debian 12 was tried on 2022-01-01" in text


@pytest.mark.parametrize("more", ["", ", before the last change"])
def test_shallow_clone_cannot_tell(tried, more):
    assert tried(f"2021-05-02{more}", "2021-05-03", shallow=True) == (0, "")
