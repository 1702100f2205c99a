# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges what a machine left behind, where a witness is missing too: the log or the exit status."""

import re

from judge import Judgement, Status, judge, kernel_status

ON_COM1 = re.compile(r"serial(:(com1|0x3f8))?", re.IGNORECASE)
NOISE = "TCG doesn't support requested feature"  # what a named processor lacks under TCG


def judge_outcome(outcome, command_line=""):
    """command_line: the kernel's, as far as we chose it."""
    judgement = judge(outcome.raw, outcome.exit_code, outcome.timed_out)
    if judgement.log.root is None and judgement.log.verdict is None:
        return without_a_log(outcome, judgement, command_line)
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
    words = [word for word in words if word]
    if outcome.exit_code < 0:
        words.append(f"the emulator died of signal {-outcome.exit_code}")
    return words or [f"the emulator ended with status {outcome.exit_code}, and said nothing"]
