# SPDX-License-Identifier: GPL-2.0-or-later
"""Detects while the log comes that a run need not go on: another image than the expected one, a
machine that starts again."""

from log_lines import Follower
from prefixes import VERSION

IMAGE = "# btscheck: "


class Watch:
    """Called with bytes as they come, cut anywhere: has enough been heard of this log?

    expected: what must stand behind "# btscheck:"; "" takes any. A "-dirty" or another suffix is
    another image. Prefixes and checksums of the lines are taken off, as the judge does.
    """

    def __init__(self, expected):
        self.expected, self.image = expected, None
        self.starts = 0  # of a kernel
        self.follower = Follower()

    def __call__(self, chunk):
        for line in self.follower.heard(chunk):
            self.starts += line == VERSION
            if self.image is None and line.startswith(IMAGE):
                self.image = line.removeprefix(IMAGE)
        return self.is_wrong() or self.starts > 1

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
