# SPDX-License-Identifier: GPL-2.0-or-later
"""Hunts mutants: boots the kernel on each, the shortest way first, until a test fails.

First a few tests that reached the mutant's place, those first that killed its neighbours; then all
of them, or the whole run; then the same on other processors. A mutant that nothing kills survives.
"""

import fnmatch
import random
import re
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import zip_longest

from stop_early import FailureWatch
from boots import GLOB_LIMIT, TEXT_LIMIT, Boots, glob_list
from judge import Status, judge
from machine import ROOT, LabError
from coverage_boots import BETWEEN
from found import KILLED, SURVIVED, UNREACHED, UNTRIED, Found

NAME = re.compile(r"[a-z_]\w+")
SOURCES = ROOT / "tools/emulator/model"
FEW = 10  # tests of the first boot
DIFFERING = 2
REFUSED_LINE = re.compile("no test matches|unknown option|wants")  # not the mutant's doing
ENDS_WELL = (Status.PASS, Status.SKIP)
# Seconds for a test: a busy host is no hang. Whether it fails always nobody asks here.
PATIENT = "timeout=20 retest=0"
WHOLE = ""  # a command line that runs everything


@dataclass
class Seen:
    """One boot."""

    tests: list
    claims: list
    end: str  # how it ended, where no test failed and it should not have ended so


@dataclass(kw_only=True)
class Hunter(Boots):
    reach: dict  # Case -> {test: points}, the usual processors first
    image: str
    # Processors that a survivor is tried on, DIFFERING as many that differ there; 0: none survives.
    breadth: int = 3
    differences: dict = field(default_factory=dict)  # Case -> {field it differs in: its value}
    functions: dict = field(default_factory=dict)  # (file, function) -> the points in it
    most: int = 0  # boots for each: what survives them counts as not tried; 0: all
    on: str = ""  # a glob of processors that come first
    kept: dict = field(default_factory=dict)  # mutant -> the Found of a kept result
    kills: Counter = field(default_factory=Counter)  # ((file, function), test); see learn()
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self):
        super().__post_init__()
        self.reached = {case: set().union(*tests.values()) for case, tests in self.reach.items()}

    def hunt(self, mutant, tried=()):
        """Boots until a test fails. tried: what earlier boots were, [processor, command line]."""
        start, attempts = time.monotonic(), self.all_attempts(mutant)
        status = SURVIVED if attempts else UNREACHED
        found = Found(mutant["name"], status, image=self.image, breadth=self.breadth)
        for case, command_line in attempts[: self.most or None]:
            found.tried.append([case.name, command_line])
            if found.tried[-1] in tried:
                continue
            seen = self.boot(case, mutant, command_line)
            self.take(found, case, seen)
            if found.status == KILLED:
                break
            if self.limits.stop.is_set():
                found.tried.pop()
                break
        found.boots = len(found.tried)
        if found.status == SURVIVED and (found.boots < len(attempts) or not self.breadth):
            found.status = UNTRIED
        found.seconds = round(time.monotonic() - start, 2)
        return found

    def take(self, found, case, seen):
        if not seen.tests and not seen.end:
            return
        found.status = KILLED
        found.tests, found.claims, found.end = seen.tests, seen.claims, seen.end
        found.case = case.name
        self.learn(found)

    def learn(self, found):
        """What has killed one is tried early on those of its function, its file, and all others."""
        file, function, _ = found.name.rsplit("/", 2)
        with self.lock:
            for test in found.tests[:1]:
                for where in ((file, function), file, ""):
                    self.kills[where, test] += 1

    def all_attempts(self, mutant):
        """Ahead of all what killed it when the result was kept."""
        before, attempts = self.kept.get(mutant["name"]), [*self.attempts(mutant)]
        for case in self.reach if before else ():
            if case.name == before.case:
                tests = [test for test in before.tests if test in self.reach[case]]
                return [(case, glob_list(tests)), *attempts]
        return attempts

    def attempts(self, mutant):
        """(case, command line) of each boot, in their order. Some tests on every other processor
        take less time than all on the next one."""
        first, *others = self.cases(mutant) or [None]
        for cases in ([first] if first else [], others):
            tests = {case: self.tests(case, mutant) for case in cases}
            yield from ((c, glob_list(tests[c][:FEW])) for c in cases if tests[c])
            for case in cases:
                left, is_seen_later = tests[case][FEW:], self.is_seen_later(case, mutant)
                if left and case == first:
                    yield case, (some := glob_list(left))
                    left = left[some.count(",") + 1 :]
                if left or is_seen_later:
                    yield case, WHOLE if is_seen_later else self.globs(case, tests[case])

    def tests(self, case, mutant):
        """Those that reach it there: what killed most here first; then what reaches little else."""
        file = mutant["file"]

        def order(test):
            killed = [-self.kills[each, test] for each in ((file, mutant["function"]), file, "")]
            return (*killed, len(self.reach[case][test]))

        reaching = (t for t, points in self.reach[case].items() if t and at(mutant, points))
        return sorted(reaching, key=order)

    def is_seen_later(self, case, mutant):
        """Reached while no test runs, as RESET and what the kernel is told of the processor are:
        what comes of it may be seen by any test."""
        return at(mutant, self.reach[case].get(BETWEEN, set()))

    def cases(self, mutant):
        """The processors that reach it: those that differ in what its line and function speak of,
        those that between them reach the most of its function, the usual ones, those that differ in
        the most at once, those that differ in a name that begins like one of its function's, those
        that differ in what its file speaks of, every profile (a table has a row for each). Ahead of
        all what was asked for.
        """
        cases = [case for case, by_test in self.reach.items() if reaches(by_test, mutant)]
        line, function, file = words_around(mutant)
        near, akin, far = [
            [case for words in level for case in self.differing(cases, words)]
            for level in ([line, function], [self.akin(line | function)], [file])
        ]
        widest = [*self.widest(cases, mutant)][: self.breadth]
        first = [case for case in cases if self.on and fnmatch.fnmatchcase(case.name, self.on)]
        picked = dict.fromkeys(first + [*dict.fromkeys(near)][: DIFFERING * self.breadth])
        picked |= dict.fromkeys(widest + cases[: self.breadth] + self.most_different(cases))
        for more in (akin, far):
            others = [case for case in dict.fromkeys(more) if case not in picked]
            picked |= dict.fromkeys(others[: self.breadth])
        return [*picked | dict.fromkeys(case for case in cases if not case.properties)]

    def most_different(self, cases):
        differ = [case for case in cases if self.differences.get(case)]
        return sorted(differ, key=lambda case: -len(self.differences[case]))[: self.breadth]

    def akin(self, words):
        """The fields that begin like one of the words: pmi_late like pmi_flush."""
        beginnings = {word.split("_")[0] for word in words if "_" in word}
        names = {name for own in self.differences.values() for name in own}
        return {name for name in names if name.split("_")[0] in beginnings}

    def widest(self, cases, mutant):
        """Each adds what those before it do not reach of the function."""
        left = self.functions.get((mutant["file"], mutant["function"]), set())
        reached = {case: self.reached[case] & left for case in cases}
        while left and cases:
            case = max(cases, key=lambda case: len(reached[case] & left))
            if not reached[case] & left:
                break
            yield case
            left = left - reached[case]

    def differing(self, cases, words):
        """One for each value that one of the fields has: the one that differs in the least else.
        First a value of each field, then a second of each; which ones, chance says."""
        own = {case: self.differences.get(case, {}) for case in cases}
        shows = {}
        for case in sorted(cases, key=lambda case: len(own[case])):
            for name in words & own[case].keys():
                shows.setdefault(name, {}).setdefault(own[case][name], case)
        values = [list(shows[name].values()) for name in sorted(shows)]
        for row in values:
            random.Random(len(row)).shuffle(row)
        return [case for row in zip_longest(*values) for case in row if case]

    def globs(self, case, tests):
        """All of these tests if the command line takes them, else every test there is."""
        if not tests or len(tests) > GLOB_LIMIT or len(",".join(tests)) > TEXT_LIMIT:
            return WHOLE
        return glob_list(tests)

    def boot(self, case, mutant, command_line):
        watch, cpu = FailureWatch(None), case.cpu(self.profiles)
        words = " ".join(filter(None, [command_line, case.command_line(), PATIENT]))
        with self.log() as log:
            answer = self.start(f"{cpu},x-ds-mutant={mutant['number']}", words, log, cpu, watch)
        end = "" if watch.failed or self.limits.stop.is_set() else bad_end(answer)
        return Seen(watch.failed, sorted(watch.named), end)

    @contextmanager
    def log(self):
        """A file of this thread alone."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"log-{threading.get_ident()}.ktap"
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def bad_end(answer):
    """ "" where the kernel came to its end and had nothing to say."""
    judgement = judge(answer.raw, answer.exit_code, answer.timed_out)
    ours = any(REFUSED_LINE.search(reason) for reason in judgement.reasons)
    if judgement.status == Status.ERROR and answer.raw.strip() and ours:
        raise LabError(f"the kernel refuses what it was asked: {judgement.reasons}")
    return "" if judgement.status in ENDS_WELL else judgement.status.name


def words_around(mutant):
    """The names in the change and its source's line; those in its function; those in its file."""
    paths = [folder / mutant["file"] for folder in (SOURCES, SOURCES.parent / "qemu")]
    change = f"{mutant['before']} {mutant['after']}"
    lines = next((path.read_text(encoding="utf-8") for path in paths if path.exists()), "")
    lines = lines.splitlines()
    first = last = mutant["line"] - 1
    while 0 < first < len(lines) and not lines[first - 1].startswith("}"):
        first -= 1
    while last < len(lines) and not lines[last].startswith("}"):
        last += 1
    near = lines[mutant["line"] - 1 : mutant["line"] + 1]
    return [
        set(NAME.findall(" ".join(text))) for text in ([change, *near], lines[first:last], lines)
    ]


def at(mutant, points):
    """Whether its place is among the points."""
    return mutant["point"] in points


def reaches(by_test, mutant):
    return any(at(mutant, points) for points in by_test.values())
