# SPDX-License-Identifier: GPL-2.0-or-later
"""Troubles of a bay, other than its processor's verdict, and what to do about each."""

from dataclasses import dataclass
from enum import StrEnum

from judge import Status


class Kind(StrEnum):
    """The word that the store keeps."""

    DEAD_CONSOLE = "dead-console"
    SILENT = "silent"
    CLOSED = "console-closed"
    HANG = "hang"
    RESTARTED = "restarted"
    OLD_LOG = "old-log"
    WRONG_IMAGE = "wrong-image"
    WRONG_OPTIONS = "wrong-options"
    POWER = "power"
    BOOT = "boot"
    BUSY = "busy"
    LAB = "lab"
    INTERRUPTED = "interrupted"


# kind -> (the status of the bay, what to do next)
NEXT = {
    Kind.DEAD_CONSOLE: (
        Status.ERROR,
        "is the console server up, is that its port, does somebody else hold it? the board was"
        " not switched on",
    ),
    Kind.SILENT: (
        Status.TIMEOUT,
        "not one byte in two tries: look at the cable, the port, the rate and the board's supply;"
        " COM1 may not be wired to a connector; a board that boots slowly wants a longer"
        " limits.first",
    ),
    Kind.CLOSED: (
        Status.CUT_OFF,
        "the console server hung up, or somebody took the console: run this bay again",
    ),
    Kind.HANG: (
        Status.TIMEOUT,
        "the last lines of the log say where; run this bay alone, with limits.silence longer if"
        " the machine is only slow",
    ),
    Kind.RESTARTED: (
        Status.CUT_OFF,
        "the lines before its second start say where it was; a watchdog of the board, its supply or"
        " a triple fault resets it",
    ),
    Kind.OLD_LOG: (
        Status.ERROR,
        "the console server repeats what the board said in another run: make it forget that, or let"
        " it connect to the live line alone; nothing is known of this run",
    ),
    Kind.WRONG_IMAGE: (
        Status.ERROR,
        "put the expected image on the stick or the boot server, or correct 'image' in the rack"
        " file; nothing was judged",
    ),
    Kind.WRONG_OPTIONS: (
        Status.ERROR,
        "correct the loader's configuration of this board, or 'options' in the rack file; its"
        " verdict is about other options",
    ),
    Kind.POWER: (Status.ERROR, "try the switch by hand; the board may still be on"),
    Kind.BOOT: (Status.ERROR, "the board was not switched on: its boot could not be prepared"),
    Kind.BUSY: (Status.ERROR, "another rack process uses this board: wait for it"),
    Kind.LAB: (Status.ERROR, "the message says what is missing"),
    Kind.INTERRUPTED: (Status.ERROR, "run this bay again"),
}


@dataclass
class Trouble(Exception):
    """One bay cannot go on, or what came is not to be judged; the others go on."""

    kind: Kind
    text: str

    def __str__(self):
        return self.text

    @property
    def status(self):
        return NEXT[self.kind][0]

    @property
    def advice(self):
        return NEXT[self.kind][1]
