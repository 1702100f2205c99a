# SPDX-License-Identifier: GPL-2.0-or-later
"""The QR codes of kernel/screen/qr.c, read by a decoder that others wrote."""

import ctypes
import random
import string
import subprocess

import pytest
from conftest import ROOT
from screen import QUIET, decode_qr

pytest.importorskip("zbar", reason="python3-zbar is not installed")

VERSIONS = 9
SIDE_MAX = 17 + 4 * VERSIONS
PIXELS = 4  # of a module's side
# Of versions 1 to 9 at level L: so many codewords of a block can be wrong.
CORRECTS = [2, 4, 7, 10, 13, 9, 10, 12, 15]


class Code(ctypes.Structure):
    """struct qr of kernel/screen/qr.h"""

    _fields_ = [
        ("side", ctypes.c_uint),
        ("dark", ctypes.c_uint8 * SIDE_MAX * SIDE_MAX),
        ("function", ctypes.c_uint8 * SIDE_MAX * SIDE_MAX),
    ]

    def picture(self):
        """With its quiet zone, as a PPM."""
        margin = [False] * QUIET
        blank = [False] * (self.side + 2 * QUIET)
        rows = [margin + list(row[: self.side]) + margin for row in self.dark[: self.side]]
        rows = [blank] * QUIET + rows + [blank] * QUIET
        size = len(blank) * PIXELS
        lines = [b"".join((b"\0" if dot else b"\xff") * 3 * PIXELS for dot in row) for row in rows]
        return b"P6\n%d %d\n255\n" % (size, size) + b"".join(line * PIXELS for line in lines)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("qr") / "qr.so"
    command = ["gcc", "-shared", "-fPIC", "-O1", "-I.", "-o", str(path), "kernel/screen/qr.c"]
    subprocess.run(command, cwd=ROOT, check=True)
    library = ctypes.CDLL(str(path))
    library.qr_capacity.restype = ctypes.c_size_t
    library.qr_encode.restype = ctypes.c_bool
    return library


@pytest.fixture
def encode(library):
    def run(text):
        code = Code()
        assert library.qr_encode(ctypes.byref(code), text.encode(), VERSIONS)
        return code

    return run


def some_text(length, seed):
    letters = string.ascii_letters + string.digits + string.punctuation + " \n"
    return "".join(random.Random(seed).choices(letters, k=length))


@pytest.mark.parametrize("version", range(1, VERSIONS + 1))
def test_every_version_is_read(library, encode, version):
    """The longest and the shortest that it takes, and some between."""
    most = library.qr_capacity(version)
    least = library.qr_capacity(version - 1) + 1 if version > 1 else 1
    for length in {least, (least + most) // 2, most - 1, most}:
        text = some_text(length, length)
        code = encode(text)
        assert code.side == 17 + 4 * version
        assert decode_qr(code.picture()) == [text]


def test_texts_that_look_alike_are_read(encode):
    for text in ("\n" * 40, "0" * 134, "U" * 134, "\x7f" * 100, "verdict: PASS\n" * 9):
        assert decode_qr(encode(text).picture()) == [text]


@pytest.mark.parametrize("version", range(1, VERSIONS + 1))
def test_damage_is_corrected(library, encode, version):
    """The first codewords, in the lower right corner, each two modules wide and four high."""
    text = some_text(library.qr_capacity(version), version)
    code = encode(text)
    blocks = 1 if version < 6 else 2  # which take turns
    wrong = min(CORRECTS[version - 1] * blocks, (code.side - 9) // 4)
    for y in range(code.side - 4 * wrong, code.side):
        for x in (code.side - 2, code.side - 1):
            assert not code.function[y][x]
            code.dark[y][x] ^= 1
    assert decode_qr(code.picture()) == [text]
