# SPDX-License-Identifier: GPL-2.0-or-later
"""Which image is it that runs? Seen while the log comes: a wrong one need not run to its end."""

import re

import ktap

IMAGE = re.compile(r"# btscheck: (.+)")
LINE_LIMIT = 4096  # bytes; that line is never so long


class ImageWatch:
    """Called with bytes as they come, cut anywhere: is it another image than the expected one?

    expected: what must stand behind "# btscheck:"; "" takes any. A "-dirty" or another suffix is
    another image.
    """

    def __init__(self, expected):
        self.expected, self.image = expected, None
        self.rest = b""

    def __call__(self, chunk):
        if self.image is not None:
            return self.is_wrong()
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        self.rest = self.rest[-LINE_LIMIT:]
        for line in lines:
            text = ktap.split_lines(line[-LINE_LIMIT:])[0]
            if match := IMAGE.fullmatch(text):
                self.image = match[1]
                break
        return self.is_wrong()

    def is_wrong(self):
        """None has come yet: nothing is wrong yet."""
        return bool(self.expected and self.image is not None and self.image != self.expected)

    def wrong(self):
        """The sentence about it at the end of a log; "" where all is well."""
        if not self.expected or self.image == self.expected:
            return ""
        if self.image is None:
            return f"the log names no image, expected '{self.expected}'"
        return f"the image is '{self.image}', expected '{self.expected}'"
