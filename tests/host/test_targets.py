# SPDX-License-Identifier: GPL-2.0-or-later
"""Every target that `make help` names, in its smallest real form; and the first command on a fresh
host. Minutes each: `make test-all` alone runs them.
"""

import os
import re

import pytest
from conftest import ROOT, execute, make

MINUTES = 60  # seconds

# Target -> what stands behind it on the line, and what it says at the end (a regular expression).
SMALLEST = {
    "help": ((), r"^Variables of the build:"),
    "setup": ((), ""),
    "iso": ((), ""),
    "emulator": ((), ""),
    "netboot": ((), ""),
    "profiles": ((), r"^ *skylake "),
    "boards": ((), r"^ *plain "),
    "faults": ((), r"^ *off-os-ignored "),
    "variations": ((), r"^x-ds-wrap "),
    "run": (("TEST=selftest.format_string",), r"PASS"),
    "matrix": (("MATRIX=--draw 20 --seed 1",), r"^faults: .* 0 missed"),
    "mutants": (("MUTANTS=--among skylake --only *bts.c --sample 2",), r"^time: "),
    "clients": (("CLIENTS=--only linux --profile icelake",), ""),
    "coverage": ((), r"BTS-1"),
    "asm": (("F=arch/trace/bts.c",), r"\bret"),
    "compile_commands.json": ((), ""),
    "clean": (("BUILD={folder}/build",), ""),
    "clean-all": (("BUILD={folder}/build",), r"removing .*/btscheck/emulator"),
}
# Those that are tried elsewhere, and where.
ELSEWHERE = {
    "test": "tiers.py",
    "test-all": "tiers.py",
    "debug": "test_debug.py",
    "lint": "test_lint.py",
    "format": "test_helpers.py",
    "new-test": "test_helpers.py",
    "man": "test_man.py",
    "release": "test_release.py",
    "release-check": "test_release.py",
    "install": "test_install.py",
    "uninstall": "test_install.py",
}


def test_every_target_is_tried():
    listed = re.findall(r"^([a-z_.-]+) {2,}\S", make("help").stdout.split("\nVariables")[0], re.M)
    assert sorted(listed) == sorted([*SMALLEST, *ELSEWHERE])
    assert all((ROOT / "tests/host" / name).is_file() for name in ELSEWHERE.values())


@pytest.mark.timeout(30 * MINUTES)
@pytest.mark.parametrize("target", SMALLEST)
def test_target(emulator, tmp_path, target):
    words, said = SMALLEST[target]
    cache = {"XDG_CACHE_HOME": str(tmp_path)} if target == "clean-all" else {}
    answer = make(
        target, *(word.format(folder=tmp_path) for word in words), env={**os.environ, **cache}
    )
    assert answer.returncode == 0, answer.stdout[-3000:] + answer.stderr[-3000:]
    assert re.search(said, answer.stdout + answer.stderr, re.M), answer.stdout[-3000:]


@pytest.mark.timeout(60 * MINUTES)
def test_make_run_on_a_fresh_debian_13(tmp_path):
    """In a chroot with make and git; nothing of it is left."""
    command = [str(ROOT / "tools/try-host"), "trixie", "root", "run"]
    answer = execute(*command, env={**os.environ, "TMPDIR": str(tmp_path)})
    if answer.returncode == 2:
        pytest.skip(answer.stderr.strip())
    assert answer.returncode == 0, answer.stdout[-5000:] + answer.stderr
