# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds kvm-unit-tests in a folder of our own; the source that was given is only read."""

import shutil
from pathlib import Path

from clients.steps import run
from clients.stopped import BAD_INPUT, Stopped


def copy(source, target):
    """Puts a tree, or the newest commit of a bare git directory, into the new folder `target`."""
    if (source / "configure").is_file():
        shutil.copytree(source, target, symlinks=True)
    elif (source / "HEAD").is_file():
        run("git", "clone", "--quiet", "--shared", source, target, status=BAD_INPUT)
    else:
        text = f"KUT_SRC={source}: neither a tree of kvm-unit-tests nor a git directory of it"
        raise Stopped(BAD_INPUT, text)


def build(source, target, tests):
    """Builds `tests` from `source` in `target`, which is made anew: a file of each by its name."""
    target, files = Path(target).resolve(), {name: f"x86/{name}.flat" for name in tests}
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    copy(Path(source).resolve(), target)
    run("./configure", "--arch=x86_64", cwd=target, status=BAD_INPUT)
    run("make", "-j2", *files.values(), cwd=target, status=BAD_INPUT)
    return {name: target / file for name, file in files.items()}
