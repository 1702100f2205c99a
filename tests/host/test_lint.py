# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats and static checks, one test a check; and tools of other versions, which are stand-ins."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

LINT = ROOT / "tools/lint"
TEXT = LINT.read_text(encoding="utf-8")
CHECKS = re.search(r"^all=\(([^)]*)\)", TEXT, re.M)[1].split()
TOOLS = dict(
    re.findall(
        r"\[(\w+)\]=([\w-]+)", re.search(r"^declare -A needs=(.*?)\)$", TEXT, re.M | re.S)[1]
    )
)
REASON = "the tree was made with"


def lint(*checks, **options):
    command = [str(LINT), *checks]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("check", CHECKS)
def test_lint(check):
    answer = lint(check)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    if skipped := re.search(rf"^lint: {check}: skipped: (.*)$", answer.stdout, re.M):
        pytest.skip(skipped[1])


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


@pytest.mark.parametrize(("check", "tool"), TOOLS.items())
def test_missing_tool_is_named_and_skipped(without, check, tool):
    answer = lint(check, env={**os.environ, "PATH": str(without(tool))})
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith(f"lint: {check}: skipped: {tool} is missing, {REASON} ")


@pytest.mark.parametrize(("check", "tool"), TOOLS.items())
def test_tool_of_another_version_is_named_and_skipped(without, check, tool):
    stand_in(without(tool) / tool, 99)
    answer = lint(check, env={**os.environ, "PATH": str(without(tool))})
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith(f"lint: {check}: skipped: {tool} is 99, {REASON} ")


@pytest.mark.parametrize("named", ["tool", "tool-version"])
@pytest.mark.parametrize(("check", "tool"), TOOLS.items())
def test_tool_of_the_right_version_is_asked(without, check, tool, named):
    """It finds fault. Its version may stand in its name, while another has the plain name."""
    told = lint(check, env={**os.environ, "PATH": str(without(tool))}).stdout
    for version in re.findall(r"\d+", told.split(REASON)[1]):
        stand_in(without(tool) / tool, version if named == "tool" else 99)
        stand_in(without(tool) / f"{tool}-{version}", 99 if named == "tool" else version)
        answer = lint(check, env={**os.environ, "PATH": str(without(tool))})
        assert answer.returncode == 1, answer.stdout
        assert answer.stderr.endswith(f"lint: failed: {check}\n")
        (without(tool) / f"{tool}-{version}").unlink()


def test_unknown_check_is_refused():
    answer = lint("nonsense")
    assert answer.returncode == 2
    assert "clang_tidy" in answer.stderr
