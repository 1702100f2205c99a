# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges what a machine left behind, where a witness is missing too: the log or the exit status."""

import re

from judge import Judgement, Status, judge, kernel_status
from log_lines import TELLING
from nearest import meant_by

ON_COM1 = re.compile(r"serial(:(com1|0x3f8))?", re.IGNORECASE)
CABLE = (
    "look at the cable (a null-modem one?), the port and the rate (--rate; the kernel sends 115200"
    " bits per second), and whether the board is on; COM1 may not be wired to a connector of this"
    " board: its screen shows the verdict too, and console= names another port (docs/options.md)"
)
ELSEWHERE = (
    "the line works: did the board start from this image? wrong characters mean a wrong rate"
    " (--rate); the kernel's log goes to COM1, which need not be the firmware's port (console=);"
    " the board's screen shows the verdict too"
)
NO_LOG = (
    "name the file that holds what a board or an emulator sent; if this is it, the kernel did not"
    " start, or its log went elsewhere"
)
NOISE = "TCG doesn't support requested feature"  # what a named processor lacks under TCG
LINE_SHOWN = 80  # characters


def judge_outcome(outcome, command_line="", line=""):
    """command_line: the kernel's, as far as we chose it. line: a board's, in words; "" for an
    emulator."""
    judgement = judge(outcome.raw, outcome.exit_code, outcome.timed_out)
    if judgement.log.root is None and judgement.log.verdict is None:
        found = without_a_log(outcome, judgement, command_line)
        return nothing_came(outcome, found, line) if line else found
    if outcome.stayed_on:
        judgement.remarks.append(
            "no exit status: the machine stayed on after its verdict and was ended by the lab"
        )
    return judgement


def without_a_log(outcome, judgement, command_line):
    """Nothing of the kernel's came on COM1."""
    code = outcome.exit_code
    said = kernel_status(code) if code is not None else None
    where = log_goes_to(command_line)
    if where:
        return one_witness(judgement, said, where)
    if code is None or said is not None:
        return judgement
    if code == 0:
        judgement.remarks.append("QEMU ended before the kernel said a word")
        return judgement
    return Judgement(Status.ERROR, last_words(outcome), judgement.log)


def nothing_came(outcome, judgement, line):
    """Says where to look: nobody knows that a machine hangs which was never heard."""
    if judge_kept(outcome.raw).status != Status.ERROR:
        return judgement  # some of a log came
    how_long = f"in {outcome.seconds:.0f} s" if outcome.timed_out else "before the line was closed"
    judgement.what = f"no log came on {line}"
    if outcome.is_silent():
        judgement.reasons, judgement.advice = [f"not one byte came {how_long}"], CABLE
    else:
        judgement.advice = ELSEWHERE
    return judgement


def judge_kept(raw, exit_code=None, choice=None):
    """Judges the bytes of a file, which may be anything."""
    judgement = judge(raw, exit_code, choice=choice)
    if exit_code is None and judgement.status == Status.CUT_OFF and not is_log(judgement.log):
        filled = [line.strip() for line in judgement.log.lines if line.strip()]
        told = "there is nothing in it"
        if filled:
            told = f"no line of it is the kernel's; the last one is '{filled[-1][:LINE_SHOWN]}'"
        what = "no log of btscheck"
        return Judgement(Status.ERROR, [told], judgement.log, what=what, advice=NO_LOG)
    return judgement


def is_log(log):
    """Is one line of it the kernel's at least?"""
    return log.root is not None or any(map(TELLING.search, log.lines))


def log_goes_to(command_line):
    """The value of console= when it keeps the log off COM1; else ""."""
    for value in re.findall(r"(?:^|\s)console=(\S+)", command_line):
        if not any(ON_COM1.fullmatch(word) for word in value.split(",")):
            return value
    return ""


def one_witness(judgement, said, where):
    """The exit status alone can say that something is wrong, and not that all is well."""
    remark = f"no log came, because console={where} keeps it off COM1"
    if said is not None:
        remark += f"; the exit status alone says {said.name}"
        judgement.advice = f"console=serial,{where} sends the log to both, and it can be judged"
        judgement.status = Status.ERROR if said == Status.PASS else said
    judgement.reasons = [remark]
    return judgement


def last_words(outcome):
    """An emulator that could not start the machine, or died before the kernel spoke."""
    words = [line.strip() for line in outcome.messages.splitlines() if NOISE not in line]
    words = [word + meant_by(word) for word in words if word]
    if outcome.exit_code < 0:
        words.append(f"the emulator died of signal {-outcome.exit_code}")
    return words or [f"the emulator ended with status {outcome.exit_code}, and said nothing"]
