# SPDX-License-Identifier: GPL-2.0-or-later
"""Shared by the reports: clean text, names, what failed in which test, and where traits differ."""

import re
from collections import Counter
from functools import cache

from line_kinds import SOAK_FAILURE

# What XML 1.0 cannot hold, not even escaped; and what turns the direction of a line.
UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\u200d\u2010-\u2029\u2030-\u2065\u206a-\ud7ff"
    "\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
REPLACEMENT = "\ufffd"
BROKEN = ("fail", "timeout", "unfinished")
REST = "not in the log"  # stands for all that were planned and never came
POINT = re.compile(r"\[([^\]]*)\]")


def clean(text):
    """Text that any format can hold: a control character becomes U+FFFD."""
    return UNPRINTABLE.sub(REPLACEMENT, str(text))


def one_line(text):
    return " ".join(clean(text).split())


def board_of(run):
    return clean(run["board"]) if run["board"] else "the board"


def suite_and_test(name):
    """ "lbr@E2.far_ret" -> ("lbr@E2", "far_ret")"""
    suite, _, test = name.partition(".")
    return suite, test


def place_of(name):
    """ "lbr@E2.far_ret" -> "E2"; "" is the processor that booted."""
    return suite_and_test(name)[0].partition("@")[2]


def has_passed(run):
    return run["status"]["name"] == "PASS"


def verdict_line(run):
    status = run["status"]
    return f"{status['name']} (status {status['number']}): {one_line(status['meaning'])}"


def failed_tests(run):
    """Those that are not ok, in the order of the log."""
    return [test for test in run["tests"] if test["outcome"] in BROKEN]


def is_rest(test):
    """It is no test, but all those of a suite that the log lacks, or the suites that it lacks."""
    return REST in suite_and_test(test["name"])


def other_reasons(run):
    """Why the run ended so, but for what its failed tests tell themselves."""
    told = ("not ok", "in the soak: ", "processor ") if failed_tests(run) else ()
    return [reason for reason in run["reasons"] if not reason.startswith(told)]


def broken_parts(test):
    """[(its name in full, part)]: what did not pass and has no such part itself."""
    found, waiting = [], [(test["name"], test)]
    while waiting:
        name, part = waiting.pop()
        inner = [each for each in part["subtests"] if each["outcome"] in BROKEN]
        if not inner or part["findings"]:
            found.append((name, part))
        waiting += [(f"{name}.{each['name']}", each) for each in reversed(inner)]
    return found


def drawn_tests(test):
    """Those that failed in a soak, each once: notes of the soak's test name them."""
    notes = (f"# {note}" for note in test["notes"])
    return list(dict.fromkeys(m[3] for m in map(SOAK_FAILURE.fullmatch, notes) if m))


def skipped_parts(test):
    return [
        (f"{test['name']}.{each['name']}", each)
        for each in test["subtests"]
        if each["outcome"] == "skip"
    ]


def all_claims(test):
    """The claims that a failing test names, its own and its parts', each once."""
    found, waiting = {}, [test]
    while waiting:
        part = waiting.pop()
        found |= dict.fromkeys(part["claims"])
        waiting += [each for each in part["subtests"] if each["outcome"] in BROKEN]
    return list(found)


def finding_line(finding):
    times = f" ({finding['times']} more)" if not finding["text"] and finding["times"] > 1 else ""
    return f"{finding['kind']} {finding['text']}".rstrip() + times


def first_finding(part):
    """In words: a finding, else a note, else that there is none."""
    for text in [*map(finding_line, part["findings"]), *part["notes"]]:
        return text
    return part["reason"] or "the log says no more"


def lines_of(part):
    """Notes and findings, as they came."""
    lines = [(number, 1, note) for number, note in enumerate(part["notes"])]
    lines += [(each["after"], 0, f"finding: {finding_line(each)}") for each in part["findings"]]
    return [line for _, _, line in sorted(lines, key=lambda line: line[:2])]


def retest_words(test):
    """ "1 of 3", how often it failed again; "" where it did not run again, or where the version of
    the run did not say."""
    retest = test.get("retest")
    if not retest:
        return ""
    if not retest["runs"]:
        return "none, no time for it"
    more = ", no time for more" if retest["cut_short"] else ""
    return f"{retest['failed']} of {retest['runs']}{more}"


def why_it_failed(test):
    """Lines: expected and got of each part that broke, the claims, the line that runs it again."""
    lines = []
    for name, part in broken_parts(test):
        lines.append(f"{name}: {part['outcome']}" + (part["reason"] and f" ({part['reason']})"))
        lines += [f"  {line}" for line in lines_of(part)]
    if claims := all_claims(test):
        lines.append(f"claims: {' '.join(claims)}")
    if test["rerun"]:
        lines.append(f"rerun: {test['rerun']}")
    if retest := retest_words(test):
        lines.append(f"failed again: {retest}")
    return lines


@cache
def points_of(value):
    """ "old [a] [b]; new [c]" -> {"a": "old", "b": "old", "c": "new"}; "fits" -> {"": "fits"}"""
    found = {}
    for each in value.split("; "):
        word, _, points = each.partition(" ")
        found |= dict.fromkeys(POINT.findall(points) or [""], word)
    return found


def usual_of(weighted):
    """Point -> the value of most; weighted: [(points_of(), how many show it)]."""
    counted = {}
    for points, weight in weighted:
        for point, value in points.items():
            counted.setdefault(point, Counter())[value] += weight
    return {point: values.most_common(1)[0][0] for point, values in counted.items()}


def deviations(points, usual):
    """Those that both know and that are otherwise: point -> value. A point that one run did not try
    is no difference between the processors."""
    return {p: value for p, value in points.items() if usual.get(p, value) != value}


def grouped(points):
    """[(value, [points])]: the other way round."""
    found = {}
    for point, value in points.items():
        found.setdefault(value, []).append(point)
    return list(found.items())
