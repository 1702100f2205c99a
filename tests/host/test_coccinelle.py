# SPDX-License-Identifier: GPL-2.0-or-later
"""The hooks and the faults fit under every Coccinelle that a supported host has."""

import os
import subprocess

import pytest
from conftest import ROOT
from other_coccinelle import folder_of, others, version_of

from builder import hooks, kept, source  # other_coccinelle says where it is
from builder.weave import weave

EMULATOR = ROOT / "tools/emulator"


def version():
    """Of the command spatch, as it tells it: 1.1.1, or 1.3 for 1.3.0."""
    answer = subprocess.run(["spatch", "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.split()[2]


def everything_patched(place, pristine):
    """QEMU's changed files and the woven model, by name and without white space."""
    hooks.apply(EMULATOR / "qemu", pristine, place / "qemu")
    weave(EMULATOR / "model", place / "model")
    files = [path for path in place.rglob("*") if path.is_file()]
    return {str(path.relative_to(place)): "".join(path.read_text().split()) for path in files}


@pytest.fixture(scope="module")
def pristine(emulator):
    """The QEMU that the emulator was built from."""
    return source.find(kept.folder(ROOT / "build/emulator/cache"), lambda text: None)[0]


@pytest.mark.parametrize("release", others())
def test_hooks_and_faults_are_the_same_under_another_releases_coccinelle(
    pristine, tmp_path, monkeypatch, release
):
    wanted = everything_patched(tmp_path / "own", pristine)
    monkeypatch.setenv("PATH", f"{folder_of(release)}{os.pathsep}{os.environ['PATH']}")
    assert version_of(release).startswith(version())
    assert everything_patched(tmp_path / "other", pristine) == wanted
