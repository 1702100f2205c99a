# SPDX-License-Identifier: GPL-2.0-or-later
"""A tree that nobody may write, in which all is built: a machine boots, what is not kept is told.

In a mount namespace, where the tree is read-only for root as well; elsewhere these are skipped.
"""

import os
from pathlib import Path

import kernel_options
import pytest
from conftest import ROOT, RUN, execute
from judge import Status
from machine import LabError

READ_ONLY = (
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$1" && shift && exec "$@"'
)


def read_only(*command, **environment):
    words = ["unshare", "-rm", "sh", "-c", READ_ONLY, "sh", ROOT, *command]
    return execute(*words, timeout=240, env={**os.environ, **environment})


@pytest.fixture(autouse=True)
def needs_a_namespace():
    if read_only("true").returncode != 0:
        pytest.skip("no mount namespace is to be had here")


@pytest.mark.parametrize("cache", ["no_folder/cache", "empty"])
def test_a_machine_boots_where_all_is_built(emulator, iso, tmp_path, cache):
    """Also of a user who has no cache of emulators, or none that can be made."""
    log, no_folder = tmp_path / "log", tmp_path / "no_folder"
    no_folder.touch()
    words = [RUN, "--quiet", "--iso", iso, "--test", "probe.ds_area_exists", "--log", log]
    answer = read_only(*words, XDG_CACHE_HOME=str(tmp_path / cache), HOME=str(no_folder))
    assert answer.returncode == Status.PASS, answer.stderr
    assert log.exists() and not list(tmp_path.rglob("qemu*")), "another emulator was built"


def test_log_that_cannot_be_kept_is_told(emulator, iso):
    answer = read_only(RUN, "--quiet", "--iso", iso, "--test", "probe.ds_area_exists")
    assert answer.returncode == Status.ERROR, answer.stderr
    assert "Read-only file system; --log names another" in answer.stderr


@pytest.mark.parametrize("place", ["/proc/x", "/proc/x/y", "/dev/null/x"])
def test_options_are_checked_all_the_same(monkeypatch, place):
    """Where the kernel's parser, compiled for this host, cannot be kept."""
    monkeypatch.setattr(kernel_options, "PROGRAM", Path(place))
    kernel_options.check_options("seed=3")
    with pytest.raises(LabError, match="unknown option"):
        kernel_options.check_options("sede=3")
