# SPDX-License-Identifier: GPL-2.0-or-later
"""Kept logs, and logs that somebody else writes while they are judged."""

import gzip
import os
import select
import sys
import time
import zlib
from pathlib import Path

from machine import LabError
from transport import CHUNK, POLL, VerdictWatch

LOG_LIMIT = 1 << 28  # bytes; no log is that long, and memory is finite
GZIP = b"\x1f\x8b"
PACKED = {  # first bytes -> who can unpack it
    b"\xfd7zXZ": "xz -d",
    b"BZh": "bzip2 -d",
    b"\x28\xb5\x2f\xfd": "zstd -d",
    b"PK\x03\x04": "unzip",
    b"7z\xbc\xaf": "7z x",
}
STDIN = Path("-")
LOOK = 0.1  # seconds to wait for standard input


def read_log(path):
    """The bytes of a kept log, which gzip may have packed."""
    with open(path, "rb") as log:
        first = log.read(8)
    for mark, command in PACKED.items():
        if first.startswith(mark):
            raise LabError(f"{path} is packed: unpack it first, with `{command}`")
    raw = read_packed(path) if first.startswith(GZIP) else read_plain(path)
    refuse_too_long(path, len(raw))
    return raw


def read_plain(path):
    with open(path, "rb") as log:
        return log.read(LOG_LIMIT + 1)


def read_packed(path):
    try:
        with gzip.open(path, "rb") as log:
            return log.read(LOG_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LabError(
            f"{path} is a gzip file that is cut off or damaged ({error}); `zcat` shows what is left"
        ) from error


def refuse_too_long(name, size):
    if size > LOG_LIMIT:
        raise LabError(f"{name} is longer than {LOG_LIMIT >> 20} MiB: that is no log of btscheck")


class GrowingFile:
    """A file that a console server writes; it may not be there yet, and may be put aside for a new
    one (rotated).

    only_new: what it holds already is of another run.
    """

    def __init__(self, path, only_new=False):
        self.path, self.file, self.size = path, None, 0
        if only_new and path.exists():
            self.file = open(path, "rb")
            self.file.seek(0, os.SEEK_END)
        elif path.exists():
            refuse_verdict(path)

    def read(self):
        """Some bytes; b"" where none came yet."""
        if self.file is None and not self.open():
            return b""
        if chunk := self.file.read(CHUNK):
            self.size += len(chunk)
            refuse_too_long(self.path, self.size)
            return chunk
        self.see_what_became_of_it()
        time.sleep(POLL)
        return b""

    def open(self):
        try:
            self.file = open(self.path, "rb")
        except FileNotFoundError:
            time.sleep(POLL)
        return self.file is not None

    def see_what_became_of_it(self):
        ours = os.fstat(self.file.fileno())
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            return
        if (now.st_dev, now.st_ino) != (ours.st_dev, ours.st_ino):
            self.file.close()
            self.file = open(self.path, "rb")
        elif now.st_size < self.file.tell():
            raise LabError(f"{self.path} became shorter while it was read: what came is lost")

    def close(self):
        if self.file:
            self.file.close()


def refuse_verdict(path):
    """Of a run that is over: it would be taken for this one's."""
    watch = VerdictWatch()
    watch.heard(read_plain(path))
    if watch.seen:
        raise LabError(
            f"{path} holds a verdict already: judge it without --follow, or wait for the next log"
            " with --new"
        )


class StandardInput:
    def __init__(self):
        self.size = 0

    def read(self):
        """Some bytes, b"" when none came in time, None at the end."""
        number = sys.stdin.fileno()
        if not select.select([number], [], [], LOOK)[0]:
            return b""
        chunk = os.read(number, CHUNK)
        self.size += len(chunk)
        refuse_too_long("the standard input", self.size)
        return chunk or None

    def close(self):
        """It is not ours."""


def open_growing(path, only_new=False):
    """What hear() of transport.py reads from; path: "-" for the standard input."""
    if path == STDIN:
        return StandardInput()
    return GrowingFile(path, only_new)
