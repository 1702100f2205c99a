# SPDX-License-Identifier: GPL-2.0-or-later
"""The set-up step, with stand-ins for dpkg-query, apt-get and id: nothing is installed here.

And what decides whether the emulator can be built: nothing is built here.
"""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, NoSource, source  # noqa: E402

SETUP = ROOT / "tools/setup"
ABSENT = "xorriso"


@pytest.fixture
def set_up(tmp_path):
    """set_up(user id, whether apt-get works): xorriso is missing until apt-get installs it."""

    def run(user, apt_works=True, missing=True):
        scripts = {
            "id": f"echo {user}",
            "apt-get": f'echo "$*" >>{tmp_path}/apt; {"true" if apt_works else "false"}',
            "dpkg-query": 'for name in "$@"; do case $name in '
            + (f"{ABSENT}) ;; " if missing else "")
            + "-*|*{*) ;; *) echo $name installed;; esac; done; exit 1",
        }
        for name, text in scripts.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        answer = subprocess.run(
            [str(SETUP)], capture_output=True, text=True, check=False, env=environment
        )
        log = tmp_path / "apt"
        return answer, log.read_text() if log.exists() else ""

    return run


def test_says_what_is_missing_and_how_to_get_it(set_up):
    answer, apt = set_up(user=1000)
    assert answer.returncode == 2
    assert f"sudo apt-get update && sudo apt-get install --no-install-recommends -y {ABSENT}\n" in (
        answer.stderr
    )
    assert apt == ""


def test_root_installs_after_saying_what(set_up):
    answer, apt = set_up(user=0)
    assert answer.returncode == 0
    assert f"installing with apt-get: {ABSENT}\n" in answer.stdout
    assert apt == f"install --no-install-recommends -y -q {ABSENT}\n"


def test_lists_are_updated_when_installing_fails_and_failure_is_told(set_up):
    answer, apt = set_up(user=0, apt_works=False)
    assert answer.returncode != 0
    assert "update" in apt


def test_says_nothing_when_nothing_is_missing(set_up):
    answer, apt = set_up(user=1000, missing=False)
    assert (answer.returncode, answer.stdout, answer.stderr, apt) == (0, "", "", "")


@pytest.mark.parametrize("version", [None, "9.0.0"])
def test_wrong_tree_is_an_error_and_not_a_missing_source(tmp_path, monkeypatch, version):
    """`make test` goes on without the emulator where there is no source: a typo is not that."""
    if version:
        (tmp_path / "target/i386").mkdir(parents=True)
        (tmp_path / "VERSION").write_text(version)
    monkeypatch.setenv("QEMU_SRC", str(tmp_path))
    with pytest.raises(BuildError, match="QEMU_SRC=") as raised:
        source.find(tmp_path / "build", say=print)
    assert not isinstance(raised.value, NoSource)
