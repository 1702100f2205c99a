# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's options in the form that the loader reads: a block of GRUB's environment, one
sector long.

GRUB's load_env takes the value up to the end of the line as it is, so nothing in it is a command.
The image holds one such block (iso/build), a folder for the network one for each board. Writing it
moves nothing else, and no checksum of the image covers it.
"""

from errors import LabError
from image_file import SIZE, image_length
from machine import COMMAND_LINE

HEAD = b"# GRUB Environment Block\n# btscheck: written by tools/lab/image\n"
NAME = b"options="


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
