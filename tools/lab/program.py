# SPDX-License-Identifier: GPL-2.0-or-later
"""What the lab's programs have in common: whatever goes wrong ends in one sentence and a status.

A traceback would end with status 1, and that means that a test failed. A reader who goes away (as
of `| head`) changes nothing: the rest is not shown, and the status is what it would have been.
"""

import io
import os
import signal
import sys
import traceback

from judge import Status
from machine import LabError, told

SIGNALLED = 128  # … and the signal's number, as a shell has it
DEVELOPER = "BTSCHECK_TRACEBACK"  # set in the environment: show where it was


class Terminated(BaseException):
    """SIGTERM or SIGHUP came: temporary files go, and the machine ends."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


def run_program(name, main, cut_off=""):
    """Calls main(), and exits with the status that it returns or that belongs to its exception.
    cut_off: what whoever interrupts it should know."""
    try:
        prepare()
        status = int(main())
        sys.stdout.flush()
    except BaseException as error:  # pylint: disable=broad-except
        if cut_off and isinstance(error, (KeyboardInterrupt, Terminated)):
            error.add_note(cut_off)
        status = status_of(name, error)
    sys.exit(status)


def prepare():
    """Names may hold bytes that are no text; a stream may be closed; signals end us in order."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
    sys.stdout, sys.stderr = outlet(sys.stdout), outlet(sys.stderr)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, terminate)


class Outlet(io.FileIO):
    """A standard stream, whose reader may go away."""

    def write(self, data):
        try:
            return super().write(data)
        except BrokenPipeError:
            forget(self)
            return len(data)


def outlet(stream):
    """The stream, as an Outlet, for any characters."""
    return io.TextIOWrapper(
        io.BufferedWriter(Outlet(os.dup(stream.fileno()), "w")),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
    )


def terminate(number, _):
    """The second one must not end what the first one began."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise Terminated(number)


def status_of(name, error):
    """The exit status; says why on standard error. argparse has said it already."""
    if isinstance(error, SystemExit):
        return error.code
    if isinstance(error, OSError):
        forget(sys.stdout)
    if os.environ.get(DEVELOPER):
        traceback.print_exception(error)
    status, sentence = explain(error)
    notes = getattr(error, "__notes__", [])
    print("; ".join([f"{name}: {sentence}", *notes]), file=sys.stderr)
    return status


def explain(error):
    """(status, what is the matter)"""
    if isinstance(error, KeyboardInterrupt):
        return SIGNALLED + signal.SIGINT, "interrupted"
    if isinstance(error, Terminated):
        return SIGNALLED + error.number, f"ended by {signal.Signals(error.number).name}"
    if isinstance(error, LabError):
        return Status.ERROR, str(error)
    if isinstance(error, OSError):
        return Status.ERROR, told(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(place.filename)}:{place.lineno}"
    text = f"{type(error).__name__} at {where}: {str(error)[:200]}"
    return Status.ERROR, f"{text}; this is a fault of btscheck ({DEVELOPER}=1 shows more)"


def forget(stream):
    """What cannot be written must not fail once more at the end of the program."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
