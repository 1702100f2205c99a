# SPDX-License-Identifier: GPL-2.0-or-later
"""Which test reaches which place of the emulated silicon: recorded once for kernel and emulator.

A case is one processor. The profiles are recorded, and some processors that differ in many choices
at once. A profile with one variation is assumed to reach what the profile reaches, and also
whatever the latter reach and no profile does.
"""

import re
import tempfile
from pathlib import Path

from boots import Kept
from declarations import addresses, physical_address
from judge import Status, judge
from machine import ROOT, LabError
from summary import Progress

HEADER = ROOT / "tools/emulator/model/settings.h"
FIELD = re.compile(r"uint32_t (\w+); +/\* x-ds-([a-z0-9-]+)")
PATIENT = "timeout=60"  # seconds for a test: recording takes its time
WORD = "running_test"  # of kernel/report/test.c: a pointer to struct test, NULL between tests
BETWEEN = ""  # what is reached while no test runs
END = "end"  # a record's last line


def word_address(elf):
    """What x-ds-mutants-word must be told for a kernel."""
    return physical_address(elf, WORD)


def properties(record, elf):
    """What has a boot record what it reaches, for -cpu; record: a file without commas."""
    if "," in str(record):
        raise LabError(f"{record}: a comma in a file's name ends a property")
    return f"x-ds-mutants-reached={record},x-ds-mutants-word={word_address(elf):#x}"


def read_reach(record, elf):
    """{test name, or "" between tests: set of points}"""
    names = {0: BETWEEN, **addresses(elf)}
    try:
        lines = record.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LabError(f"the record of what was reached cannot be read: {error}") from error
    if not lines or lines[-1] != END:
        raise LabError(f"{record} is not whole: the emulator was killed")
    found = {}
    for line in lines[:-1]:
        word, *points = line.split()
        # Before the kernel runs, the word is whatever memory holds: that is between tests, too.
        name = names.get(int(word, 16), BETWEEN)
        found.setdefault(name, set()).update(map(int, points))
    if set(found) <= {BETWEEN}:
        raise LabError(f"{record} names no test of this kernel; was it another kernel?")
    return found


def record_reach(path, recorded, varied, boots, elf):
    """Case -> {test: set of points}. recorded: is booted; varied: profiles with a variation. What
    path has is not booted again."""
    kept = Kept(path)
    left = [case for case in recorded if case.name not in kept.values]
    if left:
        record_all(left, kept, boots, elf)
    reach = {
        case: {test: set(points) for test, points in kept.values[case.name].items()}
        for case in recorded
    }
    return reach | {case: expected_of(case, reach) for case in varied}


def expected_of(case, reach):
    """What a profile with a variation is taken to reach."""
    plain = {each: by for each, by in reach.items() if not each.properties}
    known = set().union(*(points for by in plain.values() for points in by.values()))
    more = set().union(*(points for by in reach.values() for points in by.values())) - known
    own = next(by for each, by in plain.items() if each.profile == case.profile)
    return own | {BETWEEN: own.get(BETWEEN, set()) | more}


def record_all(cases, kept, boots, elf):
    progress = Progress(len(cases), what="places reached")

    def record(case):
        reached = record_one(case, boots, elf)
        kept.add(case.name, {test: sorted(points) for test, points in reached.items()})

    work = {case: lambda case=case: record(case) for case in cases}
    boots.run_all(work, lambda case, _: progress.step(case.name, False))
    progress.finish()


def record_one(case, boots, elf):
    cpu = case.cpu(boots.profiles)
    with tempfile.TemporaryDirectory() as folder:
        file, log = Path(folder) / "reach", Path(folder) / "log"
        words = " ".join([case.command_line(), PATIENT]).strip()
        answer = boots.start(f"{cpu},{properties(file, elf)}", words, log, cpu)
        judgement = judge(answer.raw, answer.exit_code, answer.timed_out)
        if judgement.status not in (Status.PASS, Status.SKIP):
            raise LabError(f"{case.name} without a mutant: {judgement.reasons} {answer.messages}")
        return read_reach(file, elf)


def differences(cases, profiles):
    """Case -> {name of a model's field in which it is not like the first one: its word}.

    The header's comments say which field is which property.
    """
    names = {prop.replace("-", "_"): name for name, prop in FIELD.findall(HEADER.read_text())}
    usual = fields(cases[0], profiles)
    found = {}
    for case in cases:
        own = fields(case, profiles)
        differ = {each.split("=")[0]: "" for each in usual - own}
        differ |= {each.split("=")[0]: each for each in own - usual}
        found[case] = {names.get(each, each): word for each, word in differ.items()}
    return found


def fields(case, profiles):
    """NAME=VALUE of what follows -cpu, in the sources' spelling."""
    words = re.findall(r"(?:\+|x-ds-)([a-z0-9-]+(?:=\w+)?)", case.cpu(profiles))
    return {word.replace("-", "_") for word in words}
