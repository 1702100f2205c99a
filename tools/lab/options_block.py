# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's options as the loader finds them: a block of GRUB's environment, one sector long.

GRUB's load_env takes the value as it is, up to the end of the line: nothing in it is a command.
The image holds one such block (iso/build), a folder for the network one for each board. Writing
it moves nothing else, and no checksum of the image covers it.
"""

import os

from errors import LabError
from machine import COMMAND_LINE

SIZE = 2048  # bytes, a sector of a CD: the block begins where a sector begins
HEAD = b"# GRUB Environment Block\n# btscheck: written by tools/lab/image\n"
NAME = b"options="
LONGEST = 64 << 20  # bytes of an image
DESCRIPTOR = 16 * SIZE  # where ISO 9660 describes its volume: the mark, from byte 40 on the name
VOLUME, NAMED = b"\x01CD001\x01", b"BTSCHECK ".ljust(32)
PARTITIONS, PARTITION = (446, 462, 478, 494), 512  # bytes of the master boot record; of a sector


def block(options):
    """SIZE bytes. options: what check_options() has let through."""
    text = HEAD + NAME + options.encode("ascii") + b"\n"
    if len(text) > SIZE:
        raise LabError(f"the options are longer than a block of {SIZE} bytes")
    return text.ljust(SIZE, b"#")


def read_block(data):
    """The options in it; LabError where it is none."""
    line, ended, rest = data[len(HEAD) :].partition(b"\n")
    whole = len(data) == SIZE and data.startswith(HEAD + NAME) and ended and not rest.strip(b"#")
    options = line[len(NAME) :].decode("ascii", "replace")
    if not whole or not COMMAND_LINE.fullmatch(options):
        raise LabError("the block of options is damaged: set them again, or build or write it anew")
    return options


def find_block(file):
    """Where it begins in an open image, in bytes; LabError where there is not exactly one."""
    length = image_length(file)
    file.seek(0)
    image = file.read(length)
    found = [at for at in range(0, length, SIZE) if image.startswith(HEAD, at)]
    if not found:
        raise LabError(
            "there is no block of options: it is damaged, or the image is an older one"
            " (`make iso` builds one)"
        )
    if len(found) > 1:
        raise LabError(f"there are {len(found)} blocks of options: the image is damaged")
    return found[0]


def image_length(file):
    """The bytes of the image that the file or stick begins with, by its own tables; behind it a
    stick may hold anything. LabError where it is none of ours, or not all of it is there."""
    file.seek(0)
    start = file.read(DESCRIPTOR + SIZE)
    volume = start[DESCRIPTOR:]
    if not volume.startswith(VOLUME) or volume[40 : 40 + len(NAMED)] != NAMED:
        raise LabError("it is no image of btscheck (`make iso` builds one)")
    length = max(partition_end(start[at : at + 16]) for at in PARTITIONS)
    there = file.seek(0, os.SEEK_END)
    if not DESCRIPTOR < length <= LONGEST:
        raise LabError("its table of partitions is damaged (`make iso` builds an image)")
    if there < length:
        raise LabError(f"it is cut off: {there} bytes are there, of {length}")
    return length


def partition_end(entry):
    """In bytes from the start of the medium."""
    first, count = (int.from_bytes(entry[at : at + 4], "little") for at in (8, 12))
    return (first + count) * PARTITION
