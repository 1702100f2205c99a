# SPDX-License-Identifier: GPL-2.0-or-later
"""How `make clients` can end, each way with a status of its own."""

PASSED, DIFFERENT, BAD_INPUT, NO_EMULATOR, HUNG, SKIPPED, NO_PACKAGE = range(7)


class Stopped(Exception):
    """The clients cannot be judged; the text says why and what to do next, `status` how to exit."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
