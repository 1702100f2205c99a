# SPDX-License-Identifier: GPL-2.0-or-later
"""What changed since the base, and which files of this repository a Python file imports.

The base is the commit that BASE names; otherwise where this branch left its upstream, or, where it
has nothing of its own, the commit before the last one.
"""

import ast
import functools
import os
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path


class NoBase(Exception):
    """BASE names no commit; the text says so."""


def _git(root, *words):
    """What git says, None where it fails or is missing."""
    command = ["git", "-C", str(root), *words]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except OSError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def head(root):
    """The last commit; None where there is none."""
    return _git(root, "rev-parse", "--verify", "--quiet", "HEAD")


def find_base(root):
    """The commit to compare with; None where there is none: no git, no history."""
    if named := os.environ.get("BASE"):
        found = _git(root, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}")
        if found is None:
            raise NoBase(f"BASE={named} names no commit")
        return found
    forked = _git(root, "merge-base", "HEAD", "@{upstream}")
    if forked and forked != head(root):
        return forked
    return _git(root, "rev-parse", "--verify", "--quiet", "HEAD^")


def changed_files(root):
    """Names below root of what was changed, added or removed since the base, committed or not; None
    where there is no base: then everything counts as changed.
    """
    base = find_base(root)
    if base is None:
        return None
    known = _git(root, "diff", "--name-only", "--no-renames", base, "--")
    fresh = _git(root, "ls-files", "--others", "--exclude-standard")
    return {*(known or "").splitlines(), *(fresh or "").splitlines()}


@functools.cache
def _modules(path):
    """The names that a Python file imports; of `from a import b` also a.b, which may be a file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.ImportFrom):
            found |= {f".{node.module or each.name}" for each in node.names}
    return frozenset(found)


def _files_of(name, folders, beside):
    """The files that a module's name may stand for."""
    places = [beside] if name.startswith(".") else [beside, *folders]
    parts = name.lstrip(".").split(".")
    for place in places:
        path = place.joinpath(*parts)
        for each in (path.with_suffix(".py"), path / "__init__.py"):
            if each.is_file():
                yield each.resolve()


def imported(path, folders, but=()):
    """The files that a Python file imports, itself among them, and those that these import.
    folders: where modules are looked for; but: files that are not looked into, and not told.
    """
    found, left = set(), {path.resolve()}
    while left:
        found |= left
        names = [(name, one) for one in left for name in _modules(one)]
        files = {file for name, one in names for file in _files_of(name, folders, one.parent)}
        left = files - found - set(but)
    return found


def touches(changed, root, files, globs):
    """Was one of these files changed, or one whose name a glob matches?"""
    names = {str(Path(path).relative_to(root)) for path in files}
    return any(name in names or any(fnmatchcase(name, glob) for glob in globs) for name in changed)
