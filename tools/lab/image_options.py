# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads and writes the options with which an image starts unattended.

They have the form that the loader reads: a block of GRUB's environment, one sector long. GRUB's
load_env takes the value up to the end of the line as it is, so nothing in it is a command. The
image holds one such block (iso/build), a folder for the network one for each board. Writing it
moves nothing else, and no checksum of the image covers it.
"""

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

from errors import LabError
from image_file import SIZE, image_length
from kernel_options import check_options
from machine import COMMAND_LINE

HEAD = b"# GRUB Environment Block\n# btscheck: written by tools/lab/image\n"
NAME = b"options="
NO_OPTIONS = "none"  # shown where a board starts without
MAY_BE = {errno.EBUSY: " (is it mounted?)", errno.EPERM: " (is it write-protected?)"}


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


def read_options(image):
    """The options that an image, or a USB stick with it, starts with by itself; "" for none."""
    with opened(image, os.O_RDONLY) as file:
        return read_block(block_at(file, find_block(file)))


def write_options(image, options):
    """Into the image itself, or the stick that it was written to: one sector changes."""
    check_options(options)
    with opened(image, os.O_RDWR) as file:
        at = find_block(file)
        written = os.pwrite(file.fileno(), block(options), at)
        os.fsync(file.fileno())
        if written != SIZE or read_block(block_at(file, at)) != options:
            raise LabError("what was written does not read back")


def copy_with_options(image, target, options):
    """A copy of the image that starts with these options; the image stays as it is. Of a stick
    the image on it is copied, and no more."""
    check_options(options)
    if target.exists() and not target.is_file():
        raise LabError(f"{target} is no plain file; tools/lab/image --in-place writes into a stick")
    if target.exists() and target.samefile(image):
        raise LabError(f"{target} is the image itself; tools/lab/image --in-place changes it")
    with opened(image, os.O_RDONLY) as source:
        at = find_block(source)
        length = image_length(source) if image.is_block_device() else -1
        source.seek(0)
        content = bytearray(source.read(length))
    content[at : at + SIZE] = block(options)
    write_whole(target, content)


def beside(image):
    """The name of such a copy where nobody names one; here, where the image's folder is not to be
    written. Beside a stick are the host's devices."""
    if image.is_block_device():
        raise LabError(f"{image} is a stick: name the copy by --output, or --in-place changes it")
    folder = image.parent if os.access(image.parent, os.W_OK) else Path()
    return folder / f"{image.stem}-set{image.suffix}"


def write_whole(target, content):
    """The file is there as a whole or not at all; readable for everybody, because a server may run
    as somebody else."""
    try:
        handle, partial = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(partial, 0o644)
            os.replace(partial, target)
        except BaseException:
            os.unlink(partial)
            raise
    except OSError as error:
        raise LabError(f"{target} cannot be written: {error.strerror}") from error


@contextlib.contextmanager
def opened(image, flags):
    """Yields the open image or stick; what is wrong with it is told with its name."""
    try:
        with os.fdopen(descriptor(image, flags), "rb" if flags == os.O_RDONLY else "r+b") as file:
            yield file
    except LabError as error:
        raise LabError(f"{image}: {error}") from error
    except OSError as error:
        raise LabError(f"{image}: {error.strerror}{MAY_BE.get(error.errno, '')}") from error


def descriptor(image, flags):
    """A stick that is mounted is somebody else's: O_EXCL refuses it."""
    mode = os.stat(image).st_mode
    if not stat.S_ISBLK(mode) and not stat.S_ISREG(mode):
        raise LabError("neither a file nor a block device")
    exclusive = os.O_EXCL if stat.S_ISBLK(mode) and flags != os.O_RDONLY else 0
    return os.open(image, flags | exclusive)


def block_at(file, at):
    file.seek(at)
    return file.read(SIZE)
