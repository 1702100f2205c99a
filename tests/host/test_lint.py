# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats and static checks, one test a check."""

import re
import subprocess

import pytest
from conftest import ROOT

LINT = ROOT / "tools/lint"
CHECKS = re.search(r"^all=\(([^)]*)\)", LINT.read_text(encoding="utf-8"), re.M)[1].split()


@pytest.mark.parametrize("check", CHECKS)
def test_lint(check):
    answer = subprocess.run([str(LINT), check], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_unknown_check_is_refused():
    answer = subprocess.run([str(LINT), "nonsense"], capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert "clang_tidy" in answer.stderr
