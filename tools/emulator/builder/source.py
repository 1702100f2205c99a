# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's source: a tree that the user names, or the distribution's source package by apt."""

import functools
import os
import re
import shutil
from pathlib import Path

from . import BuildError, NoSource, apt, run

SERIES = "10"  # the major version that the hooks were written for


def _compare(one, other):
    """Debian's order of versions, for functools.cmp_to_key."""
    if one == other:
        return 0
    try:
        run(["dpkg", "--compare-versions", one, "gt", other])
    except BuildError:
        return -1
    return 1


def _offered(lists):
    """The versions of the series that the lists offer, newest first."""
    versions = set(re.findall(r"^Version: (\S+)$", lists.run("apt-cache", "showsrc", "qemu"), re.M))
    fit = {version for version in versions if version.split(":")[-1].startswith(SERIES + ".")}
    if not fit:
        offered = ", ".join(sorted(versions)) or "none"
        raise NoSource(f"the package sources offer QEMU {offered}; it takes {SERIES}.x")
    return sorted(fit, key=functools.cmp_to_key(_compare), reverse=True)


def _download(directory):
    """Fetches the source package's files into directory; returns the .dsc. A mirror may list a
    version that it does not have (yet, or any more): then an older one does."""
    lists = apt.Lists(directory / "apt", "deb-src")
    problems = []
    for version in _offered(lists):
        try:
            lists.run("apt-get", "source", "--download-only", f"qemu={version}", cwd=directory)
            return _described(directory)
        except NoSource as error:
            problems.append(str(error))
    raise NoSource("\n".join(problems))


def _described(directory):
    """The .dsc in directory, or None; one that is not whole, or of another series, is removed."""
    for description in sorted(directory.glob("qemu_*.dsc")):
        names = set(re.findall(r"^ [0-9a-f]{64} \d+ (\S+)$", description.read_text(), re.M))
        whole = names and all((directory / name).exists() for name in names)
        if whole and description.name.startswith(f"qemu_{SERIES}."):
            return description
        description.unlink()
    return None


def _from_distribution(build, say):
    directory = build / "package"
    directory.mkdir(parents=True, exist_ok=True)
    description = _described(directory)
    if description is None:
        say("fetching the qemu source package (40 MB) through lists of its own")
        description = _download(directory)
        if description is None:
            raise NoSource("apt fetched an incomplete source package")
    tree = directory / "tree"
    mark = directory / "unpacked"
    if not mark.exists() or mark.read_text() != description.name:
        shutil.rmtree(tree, ignore_errors=True)
        say(f"unpacking {description.name}")
        run(["dpkg-source", "--no-check", "-x", str(description), str(tree)])
        mark.write_text(description.name)
    return tree, description.name


def _from_tree(name):
    tree = Path(name).resolve()
    if not (tree / "VERSION").is_file() or not (tree / "target/i386").is_dir():
        raise BuildError(f"QEMU_SRC={name} is not a QEMU source tree")
    version = (tree / "VERSION").read_text().strip()
    if not version.startswith(SERIES + "."):
        raise BuildError(f"QEMU_SRC={name} is QEMU {version}; it takes {SERIES}.x")
    return tree, f"{tree} {version}"


def named():
    """The tree that QEMU_SRC names, or None when it is unset; set and empty is a mistake."""
    tree = os.environ.get("QEMU_SRC")
    if tree is not None and not tree.strip():
        raise BuildError(
            "QEMU_SRC is set and empty: unset it to build from the distribution's source package,"
            " or let it name a tree of QEMU"
        )
    return tree


def find(build, say):
    """Returns (tree, identity) of an unmodified QEMU; raises NoSource, or
    BuildError where QEMU_SRC names something else."""
    tree = named()
    return _from_tree(tree) if tree else _from_distribution(build, say)
