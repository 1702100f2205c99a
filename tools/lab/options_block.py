# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's options as the loader finds them: a block of GRUB's environment, one sector long.

GRUB's load_env takes the value as it is, up to the end of the line: nothing in it is a command.
The image holds one such block (iso/build), a folder for the network one for each board. Writing
it moves nothing else, and no checksum of the image covers it.
"""

from errors import LabError

SIZE = 2048  # bytes, a sector of a CD: the block begins where a sector begins
HEAD = b"# GRUB Environment Block\n# btscheck: written by tools/lab/image\n"
NAME = b"options="
SEARCHED = 64 << 20  # bytes; an image is shorter, and behind it a USB stick may hold anything
AT_ONCE = 512 * SIZE


def block(options):
    """SIZE bytes. options: what check_options() has let through."""
    text = HEAD + NAME + options.encode("ascii") + b"\n"
    if len(text) > SIZE:
        raise LabError(f"the options are longer than a block of {SIZE} bytes")
    return text.ljust(SIZE, b"#")


def read_block(data):
    """The options in it; LabError where it is none."""
    line, _, rest = data[len(HEAD) :].partition(b"\n")
    whole = len(data) == SIZE and data.startswith(HEAD + NAME) and not rest.strip(b"#")
    if not whole or not line.isascii():
        raise LabError("the block of options is damaged")
    return line[len(NAME) :].decode("ascii")


def find_block(file):
    """Where it begins in an open image, in bytes; LabError where there is not exactly one."""
    found, at = [], 0
    file.seek(0)
    while at < SEARCHED and (chunk := file.read(AT_ONCE)):
        found += [at + i for i in range(0, len(chunk), SIZE) if chunk.startswith(HEAD, i)]
        at += len(chunk)
    if not found:
        raise LabError(
            "there is no block of options: it is no image of btscheck, or an older one"
            " (`make iso` builds one)"
        )
    if len(found) > 1:
        raise LabError(f"there are {len(found)} blocks of options: more than one image")
    return found[0]
