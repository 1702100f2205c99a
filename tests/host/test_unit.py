# SPDX-License-Identifier: GPL-2.0-or-later
"""The pure parts of the kernel and the emulator's model, run on the host under the sanitizers."""

import re
import subprocess

import pytest
from conftest import ROOT

UNIT = ROOT / "tests/host/unit"
FLAGS = "-std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined".split()
FLAGS += ["-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-I."]
SOURCES = re.compile(r"/\* sources:([^*]*)\*/")


def sources_of(test):
    """The files that a unit test is compiled with, from the comment in its first lines."""
    found = SOURCES.search("".join(test.read_text().splitlines(keepends=True)[:5]))
    assert found, f"{test.name}: the first lines name no sources: /* sources: a.c b.c */"
    return found[1].split()


def unit_tests():
    return sorted(UNIT.glob("test_*.c"))


def test_there_are_unit_tests():
    assert unit_tests()


@pytest.mark.parametrize("test", unit_tests(), ids=lambda path: path.stem)
def test_unit(test, tmp_path):
    program = tmp_path / test.stem
    command = ["gcc", *FLAGS, "-o", str(program), str(test), *sources_of(test)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    answer = subprocess.run(
        [str(program)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.timeout(600)
def test_model_of_the_emulator():
    command = ["make", "-C", "tools/emulator/model", "test"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
