# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal for programs that show something else there than in a pipe."""

import codecs
import os
import pty
import re
import select
import subprocess
import time


class Terminal:
    """A program at a terminal of 80 columns, and what came of it there."""

    def __init__(self, command, term="xterm"):
        master, slave = pty.openpty()
        self.master, self.text = master, ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()  # a read may end within a letter
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            list(map(str, command)),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": term, "COLUMNS": "80"},
            start_new_session=True,
        )
        os.close(slave)

    def read(self, until=None, seconds=30):
        """Up to what is waited for, or to the end; whatever the program does, not for ever."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not (until and re.search(until, self.text)):
            if not select.select([self.master], [], [], 0.1)[0]:
                continue
            try:
                self.text += self.decoder.decode(os.read(self.master, 65536))
            except OSError:  # nobody has the other end any more
                break
        return self.text

    def end(self):
        status = self.process.wait(30)
        os.close(self.master)
        return status

    def screen(self):
        """The lines that stay: what is overwritten, and colours, are gone."""
        text = re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)", "", self.text)
        return re.sub(r"\x1b\[[0-9]*[mK]", "", text).replace("\r", "")
