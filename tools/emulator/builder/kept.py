# SPDX-License-Identifier: GPL-2.0-or-later
"""The user's cache folder, which outlives a checkout: QEMU's source, its compiled objects, and
finished emulators by a hash of their inputs. Fresh clones, copied trees and CI share them.
"""

import contextlib
import fcntl
import os
import shutil
from pathlib import Path

PROGRAMS = 8  # finished emulators that are kept


def folder(otherwise):
    """Where that is; otherwise, where the user has no cache folder that can be written."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        path = (given if given.is_absolute() else Path.home() / ".cache") / "btscheck/emulator"
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return otherwise
    return path if os.access(path, os.W_OK) else otherwise


@contextlib.contextmanager
def alone(place):
    """One build at a time, whoever asks."""
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w", encoding="ascii") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def program(place, key):
    """The finished emulator of that key, whether it is there or not."""
    return place / "programs" / key


def keep(place, key, made):
    """Puts a finished emulator there, and takes away those that were not used for longest."""
    target = program(place, key)
    copy(made, target)
    others = [path for path in target.parent.iterdir() if path != target]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[: -(PROGRAMS - 1)]:
        path.unlink()


def copy(source, target):
    """At once, though somebody may be running the old one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    shutil.copy2(source, fresh)
    os.utime(fresh)
    fresh.replace(target)
