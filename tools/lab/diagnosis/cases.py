# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of a log, each with its findings and claims: what a diagnosis adds up."""

from dataclasses import dataclass, field

from line_kinds import BROKEN, CLAIMS, COMPARISON, FIELD
from log_notes import read_finding

FAILED = ("fail", "timeout", "unfinished")


@dataclass
class Found:
    """One finding of a failed result."""

    kind: str
    fields: dict[str, str]  # as written; where= without its quotation marks
    is_clear: bool = True  # False: records are missing and too many at once, as after a shift


@dataclass
class Case:
    """One result that has no parts, or findings of its own."""

    name: str  # "suite.test", or "suite.test.subtest"
    outcome: str
    claims: list[str] = field(default_factory=list)  # in the log's order
    found: list[Found] = field(default_factory=list)

    @property
    def failed(self):
        return self.outcome in FAILED


def test_of(name):
    """ "suite.test.subtest" -> "suite.test" """
    return ".".join(name.split(".")[:2])


def read_cases(log):
    """Every result without parts, and of those with parts what has findings itself."""
    found = []
    for name, result in log.every(unfinished=True):
        case = case_of(name, result, log.comments.get(result.line, []))
        if not result.block or case.found:
            found.append(case)
    return [case for case in found if "." in case.name]


def read_sentences(log):
    """Failed test -> what the log says is broken, in a sentence."""
    return {
        name: text.removeprefix(BROKEN)
        for name, result in log.every(unfinished=True)
        for text in log.comments.get(result.line, [])
        if text.startswith(BROKEN) and "." in name
    }


def case_of(name, result, comments):
    case = Case(name, result.outcome)
    if not case.failed:
        return case
    compared = []
    for text in comments:
        if finding := read_finding(text):
            compared.append(found_of(finding))
            case.found.append(compared[-1])
        elif text.startswith(CLAIMS):
            case.claims += text.removeprefix(CLAIMS).split()
        if COMPARISON.fullmatch(text[2:]):
            mark_shifted(compared)
            compared = []
    mark_shifted(compared)
    return case


def found_of(finding):
    fields = {name: value.strip('"') for name, value, _ in FIELD.findall(finding.text)}
    return Found(finding.kind, fields)


def mark_shifted(compared):
    """A buffer that wrapped elsewhere shows good records as missing here and too many there."""
    kinds = {each.kind for each in compared}
    for each in compared:
        family, _, what = each.kind.rpartition(".")
        if what in ("missing", "extra") and {f"{family}.missing", f"{family}.extra"} <= kinds:
            each.is_clear = False
