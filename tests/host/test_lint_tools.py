# SPDX-License-Identifier: GPL-2.0-or-later
"""What lint reads, and its tools where they are missing or of other versions: stand-ins."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, execute
from test_lint import TEXT, lint

TOOLS = dict(
    re.findall(
        r"\[(\w+)\]=([\w-]+)", re.search(r"^declare -A needs=(.*?)\)$", TEXT, re.M | re.S)[1]
    )
)


@pytest.fixture
def without(tmp_path):
    """without(tool) -> a folder that is a PATH: it has every program but the tool."""

    def make(tool):
        folders = {Path(name).resolve() for name in os.environ["PATH"].split(":") if name}
        for program in (path for folder in folders if folder.is_dir() for path in folder.iterdir()):
            link = tmp_path / program.name
            if not re.fullmatch(rf"{tool}(-\d+)?", program.name) and not link.is_symlink():
                link.symlink_to(program)
        return tmp_path

    return make


def stand_in(path, version):
    """Tells its version, fails whatever else it is to do."""
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "Some {version}.6 (x)" || exit 3\n')
    path.chmod(0o755)


def skips(check, tool, folder, found):
    """Returns the versions that would not be skipped."""
    answer = lint(check, env={**os.environ, "PATH": str(folder)})
    assert answer.returncode == 0, answer.stderr
    told = f"lint: {check}: skipped: {tool} is {found}, the tree was made with "
    assert answer.stdout.startswith(told)
    return answer.stdout[len(told) :].strip().split(" or ")


@pytest.mark.parametrize(("check", "tool"), TOOLS.items())
def test_missing_tool_or_another_version_is_named_and_skipped(without, check, tool):
    folder = without(tool)
    versions = skips(check, tool, folder, "missing")
    for version in ("99", *(f"{near}0" for near in versions)):
        stand_in(folder / tool, version)
        assert skips(check, tool, folder, f"{version}.6") == versions


@pytest.mark.parametrize("named", ["tool", "tool-version"])
@pytest.mark.parametrize(("check", "tool"), TOOLS.items())
def test_tool_of_the_right_version_is_asked(without, check, tool, named):
    """It finds fault. Its version may stand in its name, while another has the plain name."""
    folder = without(tool)
    for version in skips(check, tool, folder, "missing"):
        other = folder / f"{tool}-{version}"
        stand_in(folder / tool, version if named == "tool" else 99)
        stand_in(other, 99 if named == "tool" else version)
        answer = lint(check, env={**os.environ, "PATH": str(folder)})
        assert answer.returncode == 1, answer.stdout
        assert answer.stderr.endswith(f"lint: failed: {check}\n")
        other.unlink()
        (folder / tool).unlink()


@pytest.fixture
def small_tree(tmp_path):
    """lint(*checks) in a tree of one file, whose checks are few."""
    program, source = tmp_path / "tree/tools/lint", tmp_path / "tree/a.py"
    program.parent.mkdir(parents=True)
    program.write_text(re.sub(r"(?m)^all=.*", "all=(licence lines black)", TEXT), encoding="utf-8")
    program.chmod(0o755)
    source.write_text("# SPDX-License-Identifier: GPL-2.0-or-later\n", encoding="utf-8")

    def run(*checks, **options):
        return execute(program, *checks, **options)

    return source, run


def test_the_end_says_whether_all_is_clean(small_tree):
    source, run = small_tree
    assert run().stdout.endswith("lint: black\nlint: clean\n")
    assert "clean" not in run("lines").stdout + run("--format").stdout
    with source.open("a", encoding="utf-8") as file:
        file.write("x = 1 \n")
    answer = run()
    assert answer.returncode == 1 and "clean" not in answer.stdout
    assert answer.stderr == "lint: failed: lines black\n"


def test_the_end_says_what_was_skipped(small_tree, without):
    _, run = small_tree
    answer = run(env={**os.environ, "PATH": str(without("black"))})
    assert answer.returncode == 0
    assert answer.stdout.endswith("\nlint: clean, without black\n")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no history: not a clone")
def test_sources_that_changed_since_are_read(tmp_path):
    """And no other: one with a fault is left alone that was there before."""
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "-q", ROOT, copy], check=True)
    (copy / "tools/lint").write_text(TEXT, encoding="utf-8")
    git = ["git", "-C", copy, "-c", "user.name=x", "-c", "user.email=x@example.org"]
    (copy / "kernel/before.c").write_text("int before(int x)\n{\n    return x == x;\n}\n")
    subprocess.run([*git, "add", "kernel/before.c"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
    for since, value, status in [("HEAD", "0", 0), ("HEAD", "x", 1), ("no-such-commit", "0", 1)]:
        text = f"int odd(int x)\n{{\n    return x == {value};\n}}\n"
        (copy / "kernel/odd.c").write_text(text, encoding="utf-8")
        command, known = [copy / "tools/lint", "clang_tidy"], {**os.environ, "SINCE": since}
        answer = subprocess.run(command, env=known, capture_output=True, check=False)
        assert answer.returncode == status, answer
