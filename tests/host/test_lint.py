# SPDX-License-Identifier: GPL-2.0-or-later
"""Formats and static checks, one test a check."""

import os
import re

import pytest
from changed import find_base
from conftest import ROOT, execute

LINT = ROOT / "tools/lint"
TEXT = LINT.read_text(encoding="utf-8")
CHECKS = re.search(r"^all=\(([^)]*)\)", TEXT, re.M)[1].split()


def lint(*checks, **options):
    return execute(LINT, *checks, **options)


# clang-tidy reads every file: minutes beside another busy test.
@pytest.mark.timeout(900)
@pytest.mark.parametrize("check", CHECKS)
def test_lint(check, pytestconfig):
    """`make test` has clang-tidy read what changed."""
    since = find_base(ROOT) if pytestconfig.getoption("--quick") else None
    answer = lint(check, env={**os.environ, "SINCE": since or ""})
    assert answer.returncode == 0, answer.stdout + answer.stderr
    if skipped := re.search(rf"^lint: {check}: skipped: (.*)$", answer.stdout, re.M):
        pytest.skip(skipped[1])


def test_unknown_check_is_refused():
    answer = lint("nonsense")
    assert answer.returncode == 2
    assert "clang_tidy" in answer.stderr
