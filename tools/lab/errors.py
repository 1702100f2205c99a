# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes wrong before a machine can start."""


class LabError(Exception):
    """What a person must put right before a machine can start; the text says what."""


def told(error):
    """An error of the system in words: which file, and what is the matter."""
    return ": ".join(filter(None, [str(error.filename or ""), error.strerror or str(error)]))
