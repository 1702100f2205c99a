# SPDX-License-Identifier: GPL-2.0-or-later
"""Kept logs, and logs that another program writes while they are judged."""

import gzip
import io
import os
import re
import select
import stat
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
# A line of a job's log from LAVA, a mapping in YAML; of one that lava-run says, too.
LAVA = re.compile(rb'^(?:- )?\{"dt": ?"', re.MULTILINE)
LAVA_HEAD = 1 << 16  # bytes, in which there is one
STDIN = Path("-")
LOOK = 0.1  # seconds to wait for standard input


def read_log(path):
    """The bytes of a kept log, which gzip may have packed. Read once: it may be a pipe, <(…)."""
    with open(path, "rb") as log:
        raw = log.read(LOG_LIMIT + 1)
    refuse_packed(path, raw)
    if raw.startswith(GZIP):
        raw = unpacked(path, raw)
    refuse_lava(path, raw)
    refuse_too_long(path, len(raw))
    return raw


def refuse_packed(path, raw):
    for mark, command in PACKED.items():
        if raw.startswith(mark):
            raise LabError(f"{path} is packed: unpack it first, with `{command}`")


def refuse_lava(path, raw):
    """The board's lines are inside of LAVA's own, and some of LAVA's among them."""
    if LAVA.search(raw[:LAVA_HEAD]):
        raise LabError(
            f"{path} is a job's log from LAVA: `tools/integrations/lava/lava-judge` judges it, and"
            " keeps the board's with --log"
        )


def unpacked(path, raw):
    try:
        with gzip.open(io.BytesIO(raw)) as log:
            return log.read(LOG_LIMIT + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise LabError(
            f"{path} is a gzip file that is cut off or damaged ({error}); `zcat` shows what is left"
        ) from error


def refuse_too_long(name, size):
    if size > LOG_LIMIT:
        raise LabError(f"{name} is longer than {LOG_LIMIT >> 20} MiB: that is no log of btscheck")


class Taken:
    """The bytes of a log that somebody else writes, as far as they came."""

    def __init__(self, name):
        self.name, self.size = name, 0

    def add(self, chunk):
        """Returns them; packed ones could be judged only at their end."""
        if self.size == 0 and chunk.startswith(tuple([GZIP, *PACKED])):
            raise LabError(f"{self.name} is packed: unpack it, and judge it without --follow")
        if self.size == 0:
            refuse_lava(self.name, chunk)
        self.size += len(chunk)
        refuse_too_long(self.name, self.size)
        return chunk


class GrowingFile:
    """A file that a console server writes; it may not be there yet, and may be put aside for a new
    one (rotated).

    only_new: what it holds already is of another run. choice: as in Follower.
    """

    def __init__(self, path, only_new=False, choice=None):
        self.path, self.file, self.taken = path, None, Taken(path)
        if path.exists() and not only_new:
            refuse_verdict(path, choice)
        elif path.exists():
            self.file = open_plain(path)
            self.file.seek(0, os.SEEK_END)

    def read(self):
        """Some bytes; b"" where none came yet."""
        if self.file is None and not self.open():
            return b""
        is_old = self.is_put_aside()
        if chunk := self.file.read(CHUNK):
            return self.taken.add(chunk)
        if is_old:
            self.close()
        else:
            time.sleep(POLL)
        return b""

    def open(self):
        try:
            self.file = open_plain(self.path)
        except FileNotFoundError:
            time.sleep(POLL)
        return self.file is not None

    def is_put_aside(self):
        """Is another file here, and written? Until it is, who writes may still have the old one."""
        ours = os.fstat(self.file.fileno())
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            return False
        if (now.st_dev, now.st_ino) != (ours.st_dev, ours.st_ino):
            return now.st_size > 0
        if now.st_size < self.file.tell():
            raise LabError(f"{self.path} became shorter while it was read: what came is lost")
        return False

    def close(self):
        if self.file:
            self.file.close()
        self.file = None


def open_plain(path):
    """To open a pipe waits for somebody who writes, and reading it takes its bytes away."""
    mode = os.stat(path).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        raise LabError(
            f"{path} is no plain file: `judge-log --follow - < {path}` reads a pipe,"
            " `tools/lab/run --serial` a serial line"
        )
    return open(path, "rb")


def refuse_verdict(path, choice):
    """Of a run that is over: it would be taken for this one's."""
    watch = VerdictWatch(choice)
    with open_plain(path) as log:
        watch.heard(log.read(LOG_LIMIT + 1))
    if watch.seen:
        raise LabError(
            f"{path} holds a verdict already: judge it without --follow, or wait for the next log"
            " with --new"
        )


class StandardInput:
    def __init__(self):
        self.taken = Taken("the standard input")

    def read(self):
        """Some bytes, b"" when none came in time, None at the end."""
        number = sys.stdin.fileno()
        if not select.select([number], [], [], LOOK)[0]:
            return b""
        return self.taken.add(os.read(number, CHUNK)) or None

    def close(self):
        """It is not ours."""


def open_growing(path, only_new=False, choice=None):
    """What hear() of transport.py reads from; path: "-" for the standard input."""
    if path == STDIN:
        return StandardInput()
    return GrowingFile(path, only_new, choice)
