# SPDX-License-Identifier: GPL-2.0-or-later
"""Is a model number looked at in one place of the kernel? Two lists of models disagree some day."""

import re

from conftest import ROOT

TABLE = "arch/cpu/identity/models.c:"
FOLDERS = ("boot", "arch", "kernel", "tests/suites", "tests/oracle", "tests/run")
LOOKS = re.compile(
    r"\bmodel *(?:[=!]=|[<>])|[=<>] *[\w.>()-]*(?:->|\.)model\b(?!-)"  # compared
    r"|\bmodels\w*\[|#define \w+ +0x\w\w, 0x\w\w,"  # a list of its own
)


def looks():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.*")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if path.suffix in (".c", ".h", ".S", ".def") and LOOKS.search(line):
                    yield f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


def test_one_file_looks_at_the_model():
    found = list(looks())
    assert any(line.startswith(TABLE) for line in found), "the pattern finds not even the table"
    assert [line for line in found if not line.startswith(TABLE)] == []
