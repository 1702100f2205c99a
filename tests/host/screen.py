# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the screen of an emulated machine as a person would: what letters stand where.

A framebuffer is read from QEMU's picture of it, by the shapes in kernel/screen/font.c; a text
screen from the memory of the VGA at B8000H. A cell that is all ink is a full block, one with
half of it an upper or a lower one: read_cells() has them, read() the letters alone.
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
COLUMNS_ENOUGH, COLUMNS_LEAST, ROWS_LEAST = 130, 80, 25  # kernel/screen/screen.h: font_scale()
FIRST_LETTER = 32
CAPITAL = slice(2, 12)  # of a cell's rows of pixels those of a capital
POLL = 0.3  # seconds
UNREADABLE = "\ufffd"
FULL, UPPER, LOWER, SHADE = "\u2588", "\u2580", "\u2584", "\u2591"
NO_BLOCKS = str.maketrans(dict.fromkeys(FULL + UPPER + LOWER + SHADE, " "))
QUIET = 4  # modules around a QR code that are light

# Translates a colour's red part: the ground's own is 0, every other is ink.
INK = [bytes(int(red != ground) for red in range(256)) for ground in range(256)]
BLANK, INVERTED = bytes(CELL_WIDTH), bytes([1]) * CELL_WIDTH


def pixels_of(row):
    """The pixels of a byte, 0 or 1, the leftmost in bit 7."""
    return bytes(row >> 7 - x & 1 for x in range(CELL_WIDTH))


def load_font():
    """Shape -> letter; a shape is its rows' pixels, 0 or 1, one behind the other."""
    source = (ROOT / "kernel/screen/font.c").read_text(encoding="utf-8")
    letters = re.findall(r"^ *\{((?:0x[0-9a-f]{2},? ?)+)\}", source, re.M)
    font = {}
    for number, letter in enumerate(letters):
        rows = [BLANK] * FIRST_ROW
        rows += [pixels_of(int(row, 16)) for row in letter.replace(",", " ").split()]
        rows += [BLANK] * (CELL_HEIGHT - len(rows))
        font[b"".join(rows)] = chr(FIRST_LETTER + number)
    assert len(font) == len(letters) == 95, "letters of the same shape, or the table has changed"
    # The first pixel of a cell is taken for its ground, and this one begins with ink.
    shade = [pixels_of(~row & 0xFF) for row in (0x88, 0, 0x22, 0)] * 4
    return font | {b"".join(shade): SHADE}


def read_picture(data):
    """(width, height, red part of each pixel) of a PPM with 8 bits a colour."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end() :]
    assert len(pixels) == 3 * width * height, "the picture is not whole"
    return width, height, pixels[::3]


def scale_of(width, height):
    scale = 1
    while (
        width // (CELL_WIDTH * scale) > COLUMNS_ENOUGH
        and width // (CELL_WIDTH * (scale + 1)) >= COLUMNS_LEAST
        and height // (CELL_HEIGHT * (scale + 1)) >= ROWS_LEAST
    ):
        scale += 1
    return scale


def read_cell(lines, font):
    """What stands in a cell, given the red parts of its pixels. All halves stand on black."""
    ground = lines[0][0]
    shape = b"".join(line.translate(INK[ground]) for line in lines)
    if not any(shape):
        return FULL if ground else " "
    if shape == BLANK * (CELL_HEIGHT // 2) + INVERTED * (CELL_HEIGHT // 2):
        return UPPER if ground else LOWER
    return font.get(shape, UNREADABLE)


def read_framebuffer(data, font):
    """The rows of cells in a picture of the screen."""
    width, height, red = read_picture(data)
    scale = scale_of(width, height)
    lines = [red[y * width : (y + 1) * width : scale] for y in range(0, height, scale)]
    columns, rows = width // scale // CELL_WIDTH, height // scale // CELL_HEIGHT

    def cell(column, row):
        x, y = column * CELL_WIDTH, row * CELL_HEIGHT
        return read_cell([line[x : x + CELL_WIDTH] for line in lines[y : y + CELL_HEIGHT]], font)

    return ["".join(cell(x, y) for x in range(columns)) for y in range(rows)]


def read_text_memory(data):
    """The rows of cells in the VGA's text memory: a letter and its colours in turn."""
    text = data[::2].decode("cp437")
    return [text[y * TEXT_COLUMNS : (y + 1) * TEXT_COLUMNS] for y in range(TEXT_ROWS)]


def columns_left_of_code(cells):
    """A QR code stands to the right of everything else: its margin at the top is white."""
    width = len(cells[0])
    margin = re.search(f"{FULL}{{20,}}$", cells[1])
    return margin.start() if margin else width


def rows_of_code(cells):
    """How many rows it has: a cell is one module wide and two high."""
    return (len(cells[0]) - columns_left_of_code(cells) + 1) // 2


def letters_of(cells):
    """The rows without blocks, and without a QR code."""
    width, height = columns_left_of_code(cells), rows_of_code(cells)
    left = [row[:width] if y < height else row for y, row in enumerate(cells)]
    return [row.translate(NO_BLOCKS).rstrip() for row in left]


def big_letters_of(cells, font, row, column):
    """The capitals, made of blocks, that begin there; "" where there are none."""
    dots = []
    for cell_row in cells[row:]:
        dots.append([cell in (FULL, UPPER) for cell in cell_row[column:]])
        dots.append([cell in (FULL, LOWER) for cell in cell_row[column:]])
    for size in range(len(cells) // ROWS_LEAST + 2, 0, -1):
        letters = "".join(read_big_letter(dots, font, size, i) for i in range(8))
        if letters.strip() and UNREADABLE not in letters.rstrip()[:1]:
            return re.split(f"[ {UNREADABLE}]", letters)[0]
    return ""


def read_big_letter(dots, font, size, number):
    left = number * CELL_WIDTH * size
    shape = b""
    for y in range(CAPITAL.stop - CAPITAL.start):
        row = dots[y * size][left : left + CELL_WIDTH * size : size]
        shape += bytes(row + [False] * (CELL_WIDTH - len(row)))
    for known, letter in font.items():
        if known[CAPITAL.start * CELL_WIDTH : CAPITAL.stop * CELL_WIDTH] == shape:
            return letter if letter.isupper() or letter == " " else UNREADABLE
    return UNREADABLE


def decode_qr(data):
    """The texts of the QR codes in a picture, read by a decoder that others wrote."""
    import zbar

    width, height, red = read_picture(data)
    scanner = zbar.ImageScanner()
    scanner.parse_config("disable")
    scanner.parse_config("qrcode.enable")
    image = zbar.Image(width, height, "Y800", red)
    scanner.scan(image)
    return [symbol.data for symbol in image]


class Screen:
    """The screen of a machine that runs."""

    def __init__(self, monitor, process, folder, has_framebuffer):
        self.monitor = monitor
        self.process = process
        self.file = folder / "screen"
        self.has_framebuffer = has_framebuffer
        self.font = load_font()

    def picture(self):
        self.monitor.execute("screendump", filename=str(self.file))
        return self.file.read_bytes()

    def read_cells(self):
        """Its rows as they are now, from above."""
        if self.has_framebuffer:
            return read_framebuffer(self.picture(), self.font)
        size = 2 * TEXT_COLUMNS * TEXT_ROWS
        self.monitor.execute("pmemsave", val=TEXT_MEMORY, size=size, filename=str(self.file))
        return read_text_memory(self.file.read_bytes())

    def read(self):
        return letters_of(self.read_cells())

    def wait_for(self, pattern, seconds=120):
        """Its rows once the pattern stands in one of them."""
        end = time.monotonic() + seconds
        while True:
            rows = self.read()
            if any(re.search(pattern, row) for row in rows):
                return rows
            assert time.monotonic() < end, f"no '{pattern}' on the screen:\n" + "\n".join(rows)
            time.sleep(POLL)

    def press(self, key):
        self.monitor.execute("send-key", keys=[{"type": "qcode", "data": key}])

    def read_still(self):
        """Its cells when nothing is being drawn."""
        cells = None
        while cells != (cells := self.read_cells()):
            time.sleep(POLL)
        return cells

    def read_pages(self):
        """All pages, each its cells. The first key ends that they turn by themselves."""
        first = self.read_still()
        if not (count := re.search(r"page \d+ of (\d+)$", letters_of(first)[0])):
            return [first]
        pages = {}
        for _ in range(int(count[1]) + 1):
            self.press("spc")
            cells = self.read_still()
            number = re.search(rf"page (\d+) of {count[1]}$", letters_of(cells)[0])[1]
            pages[int(number)] = cells
        assert sorted(pages) == list(range(1, int(count[1]) + 1)), sorted(pages)
        return [pages[number] for number in sorted(pages)]


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
            yield Screen(monitor, process, folder, has_framebuffer)
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
