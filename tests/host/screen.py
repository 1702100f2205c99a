# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the screen of an emulated machine as a person would: what letters stand where.

A framebuffer is read from QEMU's picture of it, by the shapes in kernel/font.c; a text screen from
the memory of the VGA at B8000H.
"""

import contextlib
import re
import subprocess
import time

from conftest import ROOT
from machine import LabError
from qmp import Monitor, MonitorGone

TEXT_MEMORY, TEXT_COLUMNS, TEXT_ROWS = 0xB8000, 80, 25
CELL_WIDTH, CELL_HEIGHT = 8, 16  # pixels
FIRST_ROW = 1  # of a cell's rows of pixels the font has those from this one on
LARGE_WIDTH = 2560  # from here on a pixel of the font is two by two on the screen
FIRST_LETTER = 32
POLL = 0.3  # seconds
UNREADABLE = "\ufffd"

INK = bytes([0]) + bytes([1]) * 255  # translates a colour's red part: the background is black


def load_font():
    """Shape -> letter; a shape is its rows' pixels, 0 or 1, one behind the other."""
    source = (ROOT / "kernel/font.c").read_text(encoding="utf-8")
    letters = re.findall(r"^ *\{((?:0x[0-9a-f]{2},? ?)+)\}", source, re.M)
    font = {}
    for number, letter in enumerate(letters):
        rows = [int(row, 16) for row in letter.replace(",", " ").split()]
        shape = b"".join(bytes(row >> 7 - x & 1 for x in range(CELL_WIDTH)) for row in rows)
        font[shape] = chr(FIRST_LETTER + number)
    assert len(font) == len(letters) == 95, "letters of the same shape, or the table has changed"
    return font


def read_picture(data):
    """(width, height, red part of each pixel) of a PPM with 8 bits a colour."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end() :]
    assert len(pixels) == 3 * width * height, "the picture is not whole"
    return width, height, pixels[::3]


def read_framebuffer(data, font):
    """The rows of letters in a picture of the screen."""
    width, height, red = read_picture(data)
    scale = 2 if width >= LARGE_WIDTH else 1
    ink = [red[y * width : (y + 1) * width : scale].translate(INK) for y in range(0, height, scale)]
    width, height = width // scale, height // scale
    height_of_letter = len(next(iter(font))) // CELL_WIDTH

    def letter(column, row):
        top = row * CELL_HEIGHT + FIRST_ROW
        x = column * CELL_WIDTH
        lines = ink[top : top + height_of_letter]
        return font.get(b"".join(line[x : x + CELL_WIDTH] for line in lines), UNREADABLE)

    columns, rows = width // CELL_WIDTH, height // CELL_HEIGHT
    return ["".join(letter(x, y) for x in range(columns)).rstrip() for y in range(rows)]


def read_text_memory(data):
    """The rows of letters in the VGA's text memory: a letter and its colours in turn."""
    text = data[::2].decode("cp437")
    return [text[y * TEXT_COLUMNS : (y + 1) * TEXT_COLUMNS].rstrip() for y in range(TEXT_ROWS)]


class Screen:
    """The screen of a machine that runs."""

    def __init__(self, monitor, folder, has_framebuffer):
        self.monitor = monitor
        self.file = folder / "screen"
        self.font = load_font() if has_framebuffer else None

    def read(self):
        """Its rows as they are now, from above."""
        if self.font is None:
            size = 2 * TEXT_COLUMNS * TEXT_ROWS
            self.monitor.execute("pmemsave", val=TEXT_MEMORY, size=size, filename=str(self.file))
            return read_text_memory(self.file.read_bytes())
        self.monitor.execute("screendump", filename=str(self.file))
        return read_framebuffer(self.file.read_bytes(), self.font)

    def wait_for(self, pattern, seconds=120):
        """Its rows once the pattern stands in one of them."""
        end = time.monotonic() + seconds
        while True:
            rows = self.read()
            if any(re.search(pattern, row) for row in rows):
                return rows
            assert time.monotonic() < end, f"no '{pattern}' on the screen:\n" + "\n".join(rows)
            time.sleep(POLL)


@contextlib.contextmanager
def screen_of(machine, folder, has_framebuffer, serial):
    """Starts the machine and yields its screen; it is stopped at the end, whatever happens."""
    machine.monitor = folder / "monitor"
    command = ["setpriv", "--pdeathsig", "KILL", "--", *machine.arguments(serial)]
    with open(folder / "messages", "w+b") as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages)
        monitor = None
        try:
            monitor = connect(machine.monitor, process, folder / "messages")
            yield Screen(monitor, folder, has_framebuffer)
        finally:
            if monitor:
                monitor.close()
            process.kill()
            process.wait()


def connect(path, process, messages, seconds=20):
    """QEMU opens its monitor a moment after it starts, and listens a moment after that. What
    happens just then it tells before it greets."""
    end = time.monotonic() + seconds
    while True:
        try:
            return Monitor(path, answer_time=60)
        except (MonitorGone, LabError) as gone:
            assert process.poll() is None, messages.read_text()
            assert time.monotonic() < end, f"QEMU opens no monitor: {gone}"
            time.sleep(POLL / 10)
