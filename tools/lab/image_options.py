# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads and writes the options that an image has for boards without a hand in GRUB's menu."""

import contextlib
import os
import shutil
import stat
import tempfile

from errors import LabError
from kernel_options import check_options
from options_block import SIZE, block, find_block, read_block


def read_options(image):
    """The options that an image, or a USB stick with it, starts with by itself; "" for none."""
    with opened(image, os.O_RDONLY) as file:
        return read_block(block_at(file, find_block(file)))


def write_options(image, options):
    """Into the image itself, or the stick that it was written to: one sector changes."""
    check_options(options)
    with opened(image, os.O_RDWR) as file:
        at = find_block(file)
        file.seek(at)
        file.write(block(options))
        file.flush()
        os.fsync(file.fileno())
        if read_block(block_at(file, at)) != options:
            raise LabError("what was written does not read back")


def copy_with_options(image, target, options):
    """A copy of the image that starts with these options; the image stays as it is. The copy is
    there as a whole or not at all."""
    check_options(options)
    if target.exists() and not target.is_file():
        raise LabError(f"{target} is no plain file; tools/lab/image --in-place writes into a stick")
    if target.exists() and target.samefile(image):
        raise LabError(f"{target} is the image itself; tools/lab/image --in-place changes it")
    with partial_file(target) as partial:
        with opened(image, os.O_RDONLY) as source, open(partial, "wb") as copy:
            at = find_block(source)
            source.seek(0)
            shutil.copyfileobj(source, copy)
            copy.seek(at)
            copy.write(block(options))


def beside(image):
    """The name of such a copy where nobody names one."""
    return image.with_name(f"{image.stem}-set{image.suffix}")


@contextlib.contextmanager
def partial_file(target):
    """Yields the path of a file beside the target that becomes the target at the end; readable for
    everybody, because a server may run as somebody else."""
    handle, partial = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        yield partial
        os.chmod(partial, 0o644)
        os.replace(partial, target)
    except BaseException:
        os.unlink(partial)
        raise


@contextlib.contextmanager
def opened(image, flags):
    """Yields the open image or stick; what is wrong with it is told with its name."""
    with os.fdopen(descriptor(image, flags), "rb" if flags == os.O_RDONLY else "r+b") as file:
        try:
            yield file
        except LabError as error:
            raise LabError(f"{image}: {error}") from error


def descriptor(image, flags):
    """A stick that is mounted is somebody else's: O_EXCL refuses it."""
    is_device = stat.S_ISBLK(os.stat(image).st_mode)
    if not is_device and not os.path.isfile(image):
        raise LabError(f"{image} is neither a file nor a block device")
    return os.open(image, flags | (os.O_EXCL if is_device and flags != os.O_RDONLY else 0))


def block_at(file, at):
    file.seek(at)
    return file.read(SIZE)
