# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's source: a tree that the user names, or Debian's source package by apt.

The system's apt lists stay untouched: the package comes through lists of our own, made from the
machine's sources with every binary entry turned into a source entry.
"""

import os
import re
import shutil
from pathlib import Path

from . import BuildError, NoSource, run

VERSION = "7.2"  # the release that the hooks were written for


def _deb_src_list(text):
    """One-line format: `deb ...` lines become `deb-src ...`."""
    lines = (line.strip() for line in text.splitlines())
    return [re.sub(r"^deb(-src)?\s", "deb-src ", line) for line in lines if re.match(r"deb", line)]


def _deb822(text):
    """deb822 format: stanzas with Types: deb-src."""
    stanzas = []
    for stanza in re.split(r"\n\s*\n", text):
        body = "\n".join(line for line in stanza.splitlines() if not line.startswith("#"))
        if re.search(r"^Types:", body, re.M) and not re.search(r"^Enabled:\s*no", body, re.M):
            stanzas.append(re.sub(r"^Types:.*$", "Types: deb-src", body, flags=re.M))
    return stanzas


def _write_lists(etc, parts):
    """Writes our own lists to parts; returns how many entries there are."""
    one_line, stanzas = [], []
    for path in [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]:
        if path.suffix == ".list" and path.is_file():
            one_line += _deb_src_list(path.read_text())
        elif path.suffix == ".sources" and path.is_file():
            stanzas += _deb822(path.read_text())
    parts.mkdir(parents=True, exist_ok=True)
    (parts / "source.list").write_text("\n".join(one_line) + "\n")
    (parts / "source.sources").write_text("\n\n".join(stanzas) + "\n")
    return len(one_line) + len(stanzas)


def _apt_options(state):
    directories = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": state / "parts",
        "Dir::State::Lists": state / "lists",
        "Dir::Cache": state / "cache",
    }
    settings = {
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Acquire::Retries": "2",
        "Acquire::http::Timeout": "30",
        "Acquire::https::Timeout": "30",
    }
    options = {**directories, **settings}
    return [word for name, value in options.items() for word in ("-o", f"{name}={value}")]


def _newest(versions):
    best = None
    for version in versions:
        if best is None or _is_newer(version, best):
            best = version
    return best


def _is_newer(one, other):
    try:
        run(["dpkg", "--compare-versions", one, "gt", other])
    except BuildError:
        return False
    return True


def _download(directory):
    """Fetches the source package's files into directory; returns the .dsc."""
    state = directory / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    if _write_lists(Path("/etc/apt"), state / "parts") == 0:
        raise NoSource("this machine's apt has no package sources")
    options = _apt_options(state)
    try:
        run(["apt-get", *options, "update"])
        shown = run(["apt-cache", *options, "showsrc", "qemu"])
    except BuildError as error:
        raise NoSource(str(error)) from None
    versions = set(re.findall(r"^Version: (\S+)$", shown, re.M))
    version = _newest(v for v in versions if v.split(":")[-1].startswith(VERSION + "+"))
    if version is None:
        offered = ", ".join(sorted(versions)) or "none"
        raise NoSource(f"the package sources offer QEMU {offered}; it takes {VERSION}")
    try:
        run(["apt-get", *options, "source", "--download-only", f"qemu={version}"], cwd=directory)
    except BuildError as error:
        raise NoSource(str(error)) from None
    return _described(directory)


def _described(directory):
    """The .dsc in directory, or None; one that is not whole is removed."""
    for description in sorted(directory.glob("qemu_*.dsc")):
        names = set(re.findall(r"^ [0-9a-f]{64} \d+ (\S+)$", description.read_text(), re.M))
        if names and all((directory / name).exists() for name in names):
            return description
        description.unlink()
    return None


def _from_debian(build, say):
    directory = build / "debian"
    directory.mkdir(parents=True, exist_ok=True)
    description = _described(directory)
    if description is None:
        say("fetching Debian's qemu source package (24 MB) through lists of its own")
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
    if not version.startswith(VERSION + "."):
        raise BuildError(f"QEMU_SRC={name} is QEMU {version}; it takes {VERSION}")
    return tree, f"{tree} {version}"


def named():
    """The tree that QEMU_SRC names, or None when it is unset; set and empty is a mistake."""
    tree = os.environ.get("QEMU_SRC")
    if tree is not None and not tree.strip():
        raise BuildError(
            "QEMU_SRC is set and empty: unset it to build from Debian's source package,"
            " or let it name a tree of QEMU"
        )
    return tree


def find(build, say):
    """Returns (tree, identity) of an unmodified QEMU; raises NoSource, or
    BuildError where QEMU_SRC names something else."""
    tree = named()
    return _from_tree(tree) if tree else _from_debian(build, say)
