# SPDX-License-Identifier: GPL-2.0-or-later
"""Errors before a machine starts, or because its log has no room."""

import errno
import tempfile

FULL = (errno.ENOSPC, errno.EDQUOT)
BLOCK = 4096  # bytes


class LabError(Exception):
    """What a person must put right before a machine can start; the text says what."""


def told(error):
    """An error of the system in words: which file, and what is the matter."""
    return ": ".join(filter(None, [str(error.filename or ""), error.strerror or str(error)]))


def no_room(folder):
    """Why nothing more can be written there, in the system's words; "" where it can."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
            probe.write(bytes(BLOCK))
    except OSError as error:
        return error.strerror if error.errno in FULL else ""
    return ""
