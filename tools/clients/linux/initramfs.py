# SPDX-License-Identifier: GPL-2.0-or-later
"""Packs files into an initramfs, in cpio's format `newc`, which needs no root and no cpio."""

import gzip
import stat
from pathlib import PurePosixPath

TRAILER = "TRAILER!!!"


def padded(raw):
    """Filled with zeros to a multiple of four bytes."""
    return raw + bytes(-len(raw) % 4)


def entry(number, name, mode, content=b"", device=(0, 0)):
    """One file or folder: a header of thirteen numbers in hexadecimal, the name, the content."""
    raw = name.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(raw), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields)
    return padded(head + raw) + padded(content)


def folders_of(names):
    """Every folder that the names stand in, outer ones first."""
    return sorted({str(folder) for name in names for folder in PurePosixPath(name).parents} - {"."})


def pack(files, folders):
    """The archive of files (name: bytes; all executable) and of empty folders."""
    every = [(name, stat.S_IFDIR | 0o755, b"") for name in [*folders_of(files), *folders]]
    every += [(name, stat.S_IFREG | 0o755, content) for name, content in files.items()]
    raw = [entry(number, *fields) for number, fields in enumerate(every, 1)]
    # The console is opened before anything can make it.
    raw.append(entry(len(raw) + 1, "dev/console", stat.S_IFCHR | 0o600, device=(5, 1)))
    raw.append(entry(0, TRAILER, 0))
    return gzip.compress(b"".join(raw), compresslevel=1)
