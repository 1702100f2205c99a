# SPDX-License-Identifier: GPL-2.0-or-later
"""Is a file a whole image of btscheck? Its own tables say; a truncated one may hang."""

import os

from errors import LabError

SIZE = 2048  # bytes, a sector of a CD
LONGEST = 64 << 20  # bytes of an image
DESCRIPTOR = 16 * SIZE  # where ISO 9660 describes its volume: the mark, from byte 40 on the name
VOLUME, NAMED = b"\x01CD001\x01", b"BTSCHECK ".ljust(32)
PARTITIONS, PARTITION = (446, 462, 478, 494), 512  # bytes of the master boot record; of a sector


def check_image(image):
    """LabError, with its name, where it is none, or not all of it is there."""
    if not image.is_file():
        raise LabError(f"there is no image {image}; `make iso` builds it")
    try:
        with open(image, "rb") as file:
            image_length(file)
    except LabError as error:
        raise LabError(f"{image}: {error}") from error


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
