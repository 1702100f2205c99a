# SPDX-License-Identifier: GPL-2.0-or-later
"""One verdict from three witnesses: the log's tree, its verdict line, the machine's exit status.

A pass needs all three (a triple fault under QEMU's -no-reboot exits with 0). Where there is no exit
status the log's two witnesses must agree: a board on a serial line, an emulator that stays on.
"""

from dataclasses import dataclass, field
from enum import IntEnum

import ktap
import reception
from log_lines import TELLING
from line_kinds import ERROR, RESULT_KEYS, TOTAL_KEYS, VERSION
from nearest import meant_by
from log_notes import lost_processors, read_soak, soak_failures


class Status(IntEnum):
    PASS = 0
    FAIL = 1
    ERROR = 2
    CRASH = 3
    SKIP = 4
    CUT_OFF = 5
    TIMEOUT = 6
    DISAGREE = 7
    DRY_RUN = 8
    LISTED = 9


# status -> (what it means, what to do next)
MEANING = {
    Status.PASS: ("every test that this processor can run passed", ""),
    Status.FAIL: (
        "a test failed",
        "read the lines before 'not ok' in the log; '# rerun:' names the one test",
    ),
    Status.ERROR: (
        "could not run: bad arguments, no machine, or the kernel said ERROR",
        "the message above says what was refused",
    ),
    Status.CRASH: (
        "the kernel met an exception that nobody expected",
        "read the registers and the backtrace before 'Bail out!'",
    ),
    Status.SKIP: (
        "nothing but skips: this processor has no Debug Store to test",
        "each '# SKIP' names the missing feature; stock QEMU has none of them",
    ),
    Status.CUT_OFF: (
        "the log ended before the verdict: reset, triple fault or power loss",
        "the last line of the log is where it happened; `make debug` stops at kernel entry",
    ),
    Status.TIMEOUT: (
        "no verdict in time: a hang, or a host too busy for the tests to end",
        "the machine hung where the log stops, or was slow; tools/lab/run --silence and --timeout"
        " wait longer",
    ),
    Status.DISAGREE: (
        "the log and the exit status disagree, or the KTAP tree is broken",
        "never a pass: the reasons above name the lines; a serial line that lost bytes looks like"
        " this too, run again with log=sum, which names them; otherwise report it as a fault of"
        " btscheck",
    ),
    Status.DRY_RUN: (
        "a dry run: nothing was tested, no debug facility was touched",
        "'# would run:' and '# would skip:' in the log say what a run does; leave out dry-run",
    ),
    Status.LISTED: (
        "the tests were listed, none was run",
        "leave out list, which the command line says or the image or its menu",
    ),
}

NAMING = ("test=", "skip=")  # options after which not every test runs
OF_NAMED = "every test that was named, and that this processor can run, passed"

STARVED = (
    "no verdict: tests did not end, and the machine had too little time for them",
    "'# starved:' in the log tells how little; run again where less else runs, or with less SMP=",
)

DEBUG_EXIT_BASE = 0x10  # the kernel writes 0x10 + status, QEMU exits with twice that plus one
VERDICT_STATUS = {name: Status[name] for name in ktap.VERDICTS}  # what the kernel can say
SAYS_NOTHING = {"exit=acpi", "exit=reset"}  # options after which every good machine exits with 0
# Of these the tree must be whole; the others broke off.
COMPLETE = ("PASS", "FAIL", "SKIP", "TIMEOUT", "DRY_RUN", "LISTED")
CRASHED_IN = "# test: "  # of kernel/panic.c, where a test ran
ONLY_SKIPS = "# nothing but skips: "  # of kernel/run/runner.c, where nothing was to test
NO_FIRST_LINE = f"the log has no first line, '{VERSION}': it is lost or damaged"
FAULTLESS = ("PASS", "SKIP", "DRY_RUN", "LISTED")  # of these nothing may stand beside the log
# Options in whose place nothing runs, the first one that is given, and what is said then.
NOTHING_RUNS = {"dry-run": "DRY_RUN", "list": "LISTED"}


def kernel_status(exit_code):
    """The status that the kernel wrote to the debug exit device, or None if it wrote none."""
    value, odd = divmod(exit_code, 2)
    status = value - DEBUG_EXIT_BASE
    return Status(status) if odd and status in VERDICT_STATUS.values() else None


@dataclass
class Judgement:
    status: Status
    reasons: list[str] = field(default_factory=list)
    log: ktap.Log | None = None
    remarks: list[str] = field(default_factory=list)  # what the status alone does not say
    what: str = ""  # what it means, where it is not what the status says
    advice: str = ""  # what to do next, where it is not what the status says

    def ran(self):
        """Did the tests come to their end, so that the log sums up what they checked?"""
        return self.status in (Status.PASS, Status.FAIL, Status.SKIP) or self.starved()

    def starved(self):
        return self.status == Status.TIMEOUT and bool(self.log and self.log.verdict == "TIMEOUT")

    def meaning(self):
        """(what it means, what to do next)"""
        meaning, next_step = STARVED if self.starved() else MEANING[self.status]
        words = self.log.command_line() if self.log else []
        if self.status == Status.PASS and any(word.startswith(NAMING) for word in words):
            meaning = OF_NAMED
        return self.what or meaning, self.advice or next_step

    def counts(self):
        """Outcome -> number, over the results that have no parts of their own; those that a compact
        log leaves out are among them."""
        if not self.log:
            return dict.fromkeys(RESULT_KEYS, 0)
        return dict(self.log.results if self.log.shown and self.log.results else self.log.counted)


def judge(raw, exit_code=None, timed_out=False, choice=None):
    """Judges serial bytes.

    exit_code is the emulator's, None where there is no such thing; choice: a text that the log's
    prefix holds, where a file has several logs.
    """
    log = ktap.read(raw, choice)
    judgement = judge_read(log, exit_code, timed_out)
    add_reception(judgement, log.received)
    return judgement


def add_reception(judgement, received):
    """What the way did to the log: beside a verdict, or why there is none."""
    judgement.remarks += reception.remarks(received)
    if judgement.status not in (Status.DISAGREE, Status.CUT_OFF):
        judgement.remarks += reception.damage_remarks(received, is_whole=True)
        return
    judgement.reasons += reception.places(received)
    if judgement.status == Status.DISAGREE:
        judgement.reasons[:0] = reception.damage_remarks(received, is_whole=False)
        if reception.is_line_bad(received):
            judgement.advice = reception.LINE_IS_BAD
    else:
        judgement.remarks += reception.damage_remarks(received, is_whole=False)


def judge_read(log, exit_code, timed_out):
    if several := reception.several_logs(log.received):
        return Judgement(Status.DISAGREE, [several], log)
    if exit_code == 0 and (asked := SAYS_NOTHING & set(log.command_line())):
        judgement = judge_log(log, None, timed_out)
        judgement.remarks.append(f"no exit status: the machine ended as {asked.pop()} asks for")
        return judgement
    return judge_log(log, exit_code, timed_out)


def judge_log(log, exit_code, timed_out):
    if timed_out:
        return as_far_as_it_goes(Judgement(Status.TIMEOUT, [where_it_stopped(log)], log))
    if log.restarted_at:
        reason = f"line {log.restarted_at}: the machine started again"
        return Judgement(Status.CUT_OFF, [reason, *after_the_verdict(log)], log)
    if log.verdict is None:
        return without_verdict(log, exit_code)
    if log.verdict not in VERDICT_STATUS:
        return Judgement(Status.DISAGREE, [f"the verdict '{log.verdict}' does not exist"], log)
    reasons = reception.damage(log.received)
    reasons += reception.another_log(log.received) if log.verdict in FAULTLESS else []
    reasons += list(map(str, log.problems)) if log.verdict in COMPLETE else []
    reasons += disagreements(log)
    if exit_code is not None:
        reasons += exit_disagreement(log.verdict, exit_code)
    elif log.goes_on and log.root:  # a loader that refuses goes on, and asks for a key
        reasons += after_the_verdict(log)
    if reasons:
        return Judgement(Status.DISAGREE, reasons, log)
    return Judgement(VERDICT_STATUS[log.verdict], explain(log), log)


def without_verdict(log, exit_code):
    """The log has no verdict line: cut off, unless the machine claims that the kernel ended."""
    said = kernel_status(exit_code) if exit_code is not None else None
    if said == Status.ERROR and log.root is None:
        # The boot code has no KTAP yet: it prints one line and leaves.
        words = [line.strip() for line in log.lines if line.strip()]
        return Judgement(Status.ERROR, words[-1:] or ["the kernel refused to start"], log)
    if said is not None:
        reason = f"the exit status says {said.name}, the log has no verdict"
        return Judgement(Status.DISAGREE, [reason], log)
    reasons = [where_it_stopped(log)]
    if exit_code is not None and exit_code < 0:
        reasons.append(f"the emulator died of signal {-exit_code}")
    return as_far_as_it_goes(Judgement(Status.CUT_OFF, reasons, log))


def as_far_as_it_goes(judgement):
    """A soak that was ended from outside has found what it has found, and nothing else."""
    if judgement.log.verdict is not None or not (soak := read_soak(judgement.log)):
        return judgement
    judgement.remarks.append(f"until then: {soak}")
    if failed := soak_failures(judgement.log) + lost_processors(judgement.log):
        judgement.status = Status.FAIL
        judgement.reasons = [f"not ok: {name}" for name in failed] + judgement.reasons
    return judgement


def where_it_stopped(log):
    filled = [line.strip() for line in log.lines if line.strip()]
    if log.root is None:
        last = f"; the last line is '{filled[-1]}'" if filled else " at all"
        if any(map(TELLING.search, filled)):
            return NO_FIRST_LINE + last
        return "the kernel's log never began: no output" + last
    running = f" in '{log.subtests[-1]}'" if log.subtests else ""
    return f"the log stops at line {len(log.lines)}{running}: '{filled[-1]}'"


def after_the_verdict(log):
    """A board is restarted by hand after its verdict, and its log goes on."""
    if log.ended_at is None or log.ended_at > (log.restarted_at or log.ended_at):
        return []
    where = f"cut the log after line {log.ended_at}"
    return [f"lines follow the verdict: was the machine restarted? {where}"]


def exit_disagreement(verdict, exit_code):
    said = kernel_status(exit_code)
    if said is None:
        return [f"the verdict is {verdict}, but the machine ended with exit code {exit_code}"]
    if said != VERDICT_STATUS[verdict]:
        return [f"the verdict is {verdict}, the exit status says {said.name}"]
    return []


def disagreements(log):
    """Where the last lines do not follow from the tree."""
    if log.root is None:  # the boot code refuses the processor without KTAP
        known = log.verdict == "ERROR"
        return [] if known else [f"the verdict is {log.verdict}, but {NO_FIRST_LINE}"]
    if log.verdict == "CRASH" and log.bail_out is None:
        return ["the verdict is CRASH without a 'Bail out!' line"]
    if log.verdict != "CRASH" and log.bail_out is not None:
        return [f"'Bail out!' came, yet the verdict is {log.verdict}"]
    found = results_disagreement(log)
    if log.verdict in COMPLETE:
        found += verdict_disagreement(log) + totals_disagreement(log)
    return found


def verdict_disagreement(log):
    outcomes = {result.outcome for result in log.root.results}
    leaves = {result.outcome for _, result in log.leaves()}
    if log.root.plan == 0:
        return nothing_ran_disagreement(log)
    if log.verdict in NOTHING_RUNS.values():
        return [f"the verdict is {log.verdict}, but tests were planned"]
    if ("fail" in outcomes) != (log.verdict == "FAIL"):
        return [f"the verdict is {log.verdict}, the tree says otherwise"]
    if ("timeout" in outcomes) and log.verdict not in ("FAIL", "TIMEOUT"):
        return [f"the verdict is {log.verdict}, but a test had no time to end"]
    if log.verdict == "TIMEOUT" and "timeout" not in outcomes:
        return ["the verdict is TIMEOUT, but no test says so"]
    if log.verdict == "PASS" and (
        not leaves & {"pass", "xfail"} or any(line.startswith(ONLY_SKIPS) for line in log.lines)
    ):
        return ["the verdict is PASS, but nothing passed that tests a Debug Store"]
    if log.verdict == "SKIP" and "skip" not in leaves:
        return ["the verdict is SKIP, but nothing was skipped"]
    return []


def nothing_ran_disagreement(log):
    """Which it was the command line says, too."""
    asked = [verdict for word, verdict in NOTHING_RUNS.items() if word in log.command_line()]
    if not asked:
        return ["no test was to run, and the command line asks for none of that"]
    if log.verdict != asked[0]:
        return [f"the verdict is {log.verdict}, by the command line it is {asked[0]}"]
    return []


def totals_disagreement(log):
    if log.totals is None:
        return ["there is no '# totals:' line"]
    counted = dict.fromkeys(RESULT_KEYS, 0)
    for _, test in log.tests():
        counted[test.outcome] += 1
    counted["planned"] = sum(suite.block.plan or 0 for suite in log.root.results if suite.block)
    counted["run"] = sum(1 for _ in log.tests())
    return [
        f"totals: {key}={log.totals[key]}, but the tree has {counted[key]}"
        for key in TOTAL_KEYS
        if log.totals[key] != counted[key]
    ]


def results_disagreement(log):
    """Where the '# results:' line is not that of this tree."""
    if log.results is None:
        return ["there is no '# results:' line with a check value"]
    if (log.shown is not None) != log.is_compact():
        return ["a compact log, and no other, has a '# shown:' line"]
    shown = log.results if log.shown is None else log.shown
    found = [
        f"{'results' if log.shown is None else 'shown'}: {key}={shown[key]}, but the tree has"
        f" {log.counted[key]}"
        for key in RESULT_KEYS
        if shown[key] != log.counted[key]
    ]
    if log.shown is not None:
        found += left_out_disagreement(log)
    if log.check != log.computed_check:
        found.append(
            f"results: check=0x{log.check:08x}, but the lines of structure that are here have"
            f" 0x{log.computed_check:08x}: some are missing or changed"
        )
    return found


def left_out_disagreement(log):
    """Nothing but what passed may be left out of a compact log, and all are so many. A test without
    its subtests there is a result of its own."""
    number = sum(log.results.values())
    found = (
        [f"results: {number} in all, but shown are some of {log.shown_of}"]
        if log.shown_of not in (None, number)
        else []
    )
    return found + [
        f"results: {key}={log.results[key]}, but a log that leaves out what passed shows"
        f" {log.shown[key]}"
        for key in RESULT_KEYS
        if key != "pass" and log.results[key] > log.shown[key]
    ]


def explain(log):
    """Why the verdict is what it is, for people."""
    if log.verdict == "CRASH":
        tests = [line for line in log.lines if line.startswith(CRASHED_IN)]
        return [f"Bail out! {log.bail_out}", *(f"in {test[len(CRASHED_IN):]}" for test in tests)]
    if log.verdict == "ERROR":
        told = [match[1] for match in map(ERROR.fullmatch, log.lines) if match]
        told = [text + meant_by(text) for text in dict.fromkeys(told)]
        return told or ["the kernel gave no '# error:' line"]
    failed = [f"not ok: {name}" for name, result in log.leaves() if not result.ok]
    return (
        failed
        + [f"in the soak: {name}" for name in soak_failures(log)]
        + lost_processors(log)
        + [
            f"not ok, although its parts are: {name}"
            for name, test in log.tests()
            if not test.ok and test.block and all(child.ok for child in test.children)
        ]
    )
