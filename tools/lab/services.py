# SPDX-License-Identifier: GPL-2.0-or-later
"""What a kernel may ask of the lab while it runs, and how the lab does it.

A request is a line of the log, "# lab: WORD?" at any indentation. The kernel asks only for words
that its option lab=WORD,WORD named, and the lab passes that option exactly when it can do them.
"""

import contextlib
import re
import tempfile
import time
from pathlib import Path

from line_kinds import LAB, RESULT
from log_lines import Follower
from machine import LabError
from qmp import Monitor

OPTION = re.compile(r"(^|\s)lab=")

# Into processor 0, and into the one after it; bank 1. Status: VAL, UC, EN, S and the error code of
# a parity error inside the processor; neither PCC nor AR, so that the program can go on. MCG_STATUS
# has RIPV and MCIP.
MACHINE_CHECK = "mce 0 1 0xb100000000000005 0x5 0 0"
MACHINE_CHECK_OTHER = "mce 1 1 0xb100000000000005 0x5 0 0"

# What is to be interrupted begins behind the request. On a busy host the machine may not get there
# before the machine check; each further request before a result of a test is answered later.
PAUSE, PAUSE_MOST = 0.005, 0.64  # seconds

# In system-management mode CR4.MCE is clear: a machine check would shut the processor down.
IN_SMM = re.compile(r"\bSMM=1\b")
SMM_TIME = 2.0  # seconds to wait for its end; a kernel that asks waits longer
SMM_PAUSE = 0.002


@contextlib.contextmanager
def stopped(monitor):
    """The machine stands still, so that what is seen of it stays so."""
    monitor.execute("stop")
    try:
        yield
    finally:
        monitor.execute("cont")


def inject(monitor, look, command):
    """As soon as no processor that the look is at is in SMM."""
    end = time.monotonic() + SMM_TIME
    while True:
        with stopped(monitor):
            if not IN_SMM.search(monitor.ask(look)):
                monitor.human(command)
                return
        if time.monotonic() > end:
            raise LabError(
                f"a processor stays in SMM for {SMM_TIME:.0f} seconds, where no machine check can"
                " be injected; does the firmware hang?"
            )
        time.sleep(SMM_PAUSE)


def inject_machine_check(monitor):
    inject(monitor, "info registers", MACHINE_CHECK)


def inject_other_machine_check(monitor):
    inject(monitor, "info registers -a", MACHINE_CHECK_OTHER)


SERVICES = {
    "machine-check": inject_machine_check,
    "machine-check-other": inject_other_machine_check,
}


def with_services(command_line):
    """The kernel's command line, which says what the lab can do; a lab= of its own stands."""
    if OPTION.search(command_line):
        return command_line
    return f"{command_line} lab={','.join(SERVICES)}".strip()


class Requests:
    """Follows the log and does what it asks; the monitor's socket lives in a private folder."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="btscheck-")
        self.socket = Path(self.folder.name) / "monitor"
        self.monitor = None
        self.follower = Follower()
        self.answered = []  # the words, in order
        self.pause = PAUSE

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        if self.monitor:
            self.monitor.close()
        self.folder.cleanup()

    def heard(self, chunk):
        """Bytes of the log as they come, cut anywhere."""
        for line in self.follower.heard(chunk):
            if found := LAB.fullmatch(line):
                self.answer(found[1])
            elif RESULT.match(line.strip()):
                self.pause = PAUSE

    def answer(self, word):
        """A word that this lab does not know was not promised: the kernel's own affair."""
        service = SERVICES.get(word)
        if service is None:
            return
        if self.monitor is None:
            self.monitor = Monitor(self.socket)
        time.sleep(self.pause)
        self.pause = min(2 * self.pause, PAUSE_MOST)
        service(self.monitor)
        self.answered.append(word)
