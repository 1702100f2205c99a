# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/layers: what it finds in a tree, and what it lets pass.

In the kernel one file looks at a model number: two lists of models disagree some day.
"""

import re

import pytest
from conftest import ROOT, execute

ROOMS = ["top", "top/run", "top/log top/paper", "top/plain.h", "ground/*"]
UPWARD = "{} includes {}, which is no room below it\n"
CIRCLE = "files that include each other: {}\n"
MODELS = "arch/cpu/identity/models.c:"
FOLDERS = ("boot", "arch", "kernel", "tests/suites", "tests/spec", "tests/run")
LOOKS = re.compile(
    r"\bmodel *(?:[=!]=|[<>])|[=<>] *[\w.>()-]*(?:->|\.)model\b(?!-)"  # compared
    r"|\bmodels\w*\[|#define \w+ +0x\w\w, 0x\w\w,"  # a list of its own
)


def layers(folder, files, known=()):
    (folder / "tools").mkdir()
    (folder / "tools/layers.toml").write_text(f"rooms = {ROOMS}\nopen = {list(known)}\n")
    for name, included in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f'#include "{other}"\n' for other in included))
    answer = execute(ROOT / "tools/layers", "--tree", folder)
    assert answer.stderr == "" and answer.returncode == (1 if answer.stdout else 0)
    return answer.stdout


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"top/a.c": ["top/run/b.h", "ground/x/c.h", "top/plain.h"]}, ""),
        ({"top/log/a.c": ["top/paper/b.h"], "top/paper/c.c": ["top/log/a.h"]}, ""),
        ({"top/run/a.c": ["top/b.h"]}, UPWARD.format("top/run/a.c", "top/b.h")),
        ({"top/plain.h": ["top/run/b.h"]}, UPWARD.format("top/plain.h", "top/run/b.h")),
        ({"ground/x/a.S": ["top/log/b.h"]}, UPWARD.format("ground/x/a.S", "top/log/b.h")),
        ({"top/attic/a.c": ["ground/x/b.h"]}, UPWARD.format("top/attic/a.c", "ground/x/b.h")),
        ({"top/a.c": ["top/a.h", "top/b.h"], "top/b.h": ["top/c.h"], "top/c.h": []}, ""),
        (
            {"top/a.c": ["top/b.h"], "top/b.h": [], "top/b.c": ["top/c.h"], "top/c.h": ["top/a.h"]}
            | {"top/a.h": []},
            CIRCLE.format("top/a top/b top/c"),
        ),
        ({"top/a.c": ["top/a_parts.h"], "top/a_parts.h": ["top/a.h"], "top/a.h": []}, ""),
        ({f"top/{number}.h": [] for number in range(40)}, ""),
        ({f"top/{number}.h": [] for number in range(41)}, "top holds more than 40 files\n"),
    ],
)
def test_what_a_tree_includes(tmp_path, files, said):
    assert layers(tmp_path, files) == said


def test_what_is_open_passes_until_it_is_mended(tmp_path):
    known = [UPWARD.format("ground/x/a.c", "top/b.h").strip(), "top holds more than 40 files"]
    files = {"ground/x/a.c": ["top/b.h"], "top/b.h": []}
    assert layers(tmp_path, files, known) == f"open no more: {known[1]}\n"


def looks():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.*")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if path.suffix in (".c", ".h", ".S", ".def") and LOOKS.search(line):
                    yield f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


def test_one_file_looks_at_the_model():
    found = list(looks())
    assert any(line.startswith(MODELS) for line in found), "the pattern finds not even the table"
    assert [line for line in found if not line.startswith(MODELS)] == []
