# SPDX-License-Identifier: GPL-2.0-or-later
"""The pure parts of the kernel and the emulator's model, run on the host under the sanitizers."""

import os

import pytest
from conftest import ROOT, execute

UNIT_TESTS = sorted(path.stem for path in (ROOT / "tests/host/unit").glob("test_*.c"))


def make(seconds, *words):
    """As the make above has CC and BUILD, but without its -B or -i. `timeout` ends whatever make
    has started; pytest's own would end make alone."""
    command = ["timeout", "--kill-after=5", str(seconds), "make", "-rs", *words]
    answer = execute(*command, cwd=ROOT, env={**os.environ, "MAKEFLAGS": ""})
    assert answer.returncode != 124, f"{words[-1]} takes more than {seconds} seconds"
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_there_are_unit_tests():
    assert UNIT_TESTS


@pytest.mark.parametrize("name", UNIT_TESTS)
def test_unit(name):
    """The first one builds what all are linked with, and another worker's waits for it."""
    make(280, "-f", "tests/host/unit/Makefile", name)


def test_every_source_of_the_archive_is_taken():
    make(280, "-f", "tests/host/unit/Makefile", "needless")


@pytest.mark.timeout(600)
def test_model_of_the_emulator():
    make(580, "-j2", "-C", "tools/emulator/model", "BUILD=../../../build/model", "test")
