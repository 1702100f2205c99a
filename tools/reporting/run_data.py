# SPDX-License-Identifier: GPL-2.0-or-later
"""One run as data, from which every report is made and which a store may keep.

run_data.schema.json describes it. Callers need tools/lab in sys.path.
"""

import re
from datetime import datetime, timezone

from diagnosis import diagnose, find_dictionary
from line_kinds import ERRATA, PROCESSOR_KIND, SUITE_TIME, TOTAL_TIME, TRAIT
from log_notes import excused, other_places, read_coverage, read_soak
from errors import LabError
from judge import Judgement, Status

from run_tests import read_tests

FORMAT, VERSION = "btscheck-run", 1

SIGNATURE = re.compile(
    r"(([0-9A-F]{2})_([0-9A-F]{2,3})H stepping ([0-9]{1,3})) \(CPUID\.01H:EAX = 0x([0-9a-f]{1,8})\)"
)
UNKNOWN = "unknown"
# Of the board, as the head of the log names them.
MACHINE = ("bios", "board", "system", "board serial", "system serial", "uuid", "ppin", "date")


def brief(run):
    """The run without what passed or was skipped: a page of many boards has no more of it."""
    tests = [left for test in run["tests"] if (left := without_passed(test))]
    return {**run, "tests": tests, "compact": True}


def without_passed(test):
    """None where nothing is left of it."""
    parts = [left for part in test["subtests"] if (left := without_passed(part))]
    if test["outcome"] in ("pass", "skip") and not parts:
        return None
    return {**test, "subtests": parts}


def run_data(judgement, *, board=None, when=None, log_path=None, seconds=None):
    """The run that was judged, as a dict that JSON can hold.

    board: a name; when: a datetime or ISO 8601 text, UTC; seconds: with firmware and loader. A log
    that breaks the rules gives what it has, and its problems.
    """
    log = judgement.log
    head = log.header() if log else {}
    known, unknown = read_traits(log.lines if log else [])
    return {
        "format": FORMAT,
        "version": VERSION,
        "board": board,
        "when": in_utc(when),
        "image": head.get("btscheck"),
        "log": None if log_path is None else str(log_path),
        "seconds": seconds,
        "status": status_of(judgement),
        "reasons": list(judgement.reasons),
        "remarks": list(judgement.remarks),
        "processor": processor_of(head, log),
        "machine": {key.replace(" ", "_"): head.get(key) for key in MACHINE},
        "options": log.command_line() if log else [],
        "seed": head.get("seed"),
        "compact": bool(log and log.is_compact()),
        "totals": dict(log.totals or {}) if log else {},
        "results": judgement.counts(),
        "coverage": coverage_of(log) if log else {},
        "tests": read_tests(log) if log else [],
        "traits": known,
        "unknown_traits": unknown,
        **errata_of(log),
        "times": times_of(log),
        "soak": soak_of(log),
        "problems": [str(problem) for problem in log.problems] if log else [],
        "diagnosis": diagnosis_of(judgement),
    }


def nothing_read(sentence, *, board=None, log_path=None):
    """The run of which there is no log to judge: the sentence says why. Its status is ERROR."""
    return run_data(Judgement(Status.ERROR, [sentence]), board=board, log_path=log_path)


def in_utc(when):
    """ISO 8601 with a Z behind it; None stays None. A text that is no date is a LabError."""
    if when is None:
        return None
    try:
        moment = when if isinstance(when, datetime) else datetime.fromisoformat(when)
    except ValueError as error:
        raise LabError(f"'{when}' is no date and time as ISO 8601 has them") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def diagnosis_of(judgement):
    """What is broken, where a test failed; older runs of a store do not have it."""
    if judgement.status != Status.FAIL:
        return None
    try:
        known = find_dictionary()
    except LabError:
        known = None
    found = diagnose(judgement.log, known)
    return found and found.data()


def status_of(judgement):
    return {
        "number": int(judgement.status),
        "name": judgement.status.name,
        **dict(zip(("meaning", "next"), judgement.meaning())),
    }


def processor_of(head, log):
    match = SIGNATURE.fullmatch(head.get("signature", ""))
    kinds = [found[1] for found in map(PROCESSOR_KIND.fullmatch, log.lines if log else []) if found]
    return {
        "brand": head.get("cpu"),
        "signature": match[1] if match else None,
        "eax": int(match[5], 16) if match else None,
        "family": int(match[2], 16) if match else None,
        "model": int(match[3], 16) if match else None,
        "stepping": int(match[4]) if match else None,
        "microcode": head.get("microcode"),
        "hypervisor": None if on_bare_metal(head) else head["hypervisor"],
        "kinds": kinds,
        "leaves": head.get("leaves"),
    }


def on_bare_metal(head):
    """… or the log does not say."""
    return head.get("hypervisor", "none").startswith("none")


def coverage_of(log):
    """Place -> figures; "" is the processor that booted. What the log does not say is missing."""
    places = {"": None, **{place: place for place in other_places(log)}}
    read = {name: read_coverage(log, place) for name, place in places.items()}
    return {
        name: {
            "claims": each.claims,
            "checked": each.checked,
            "in_part": each.in_part,
            "not_checked": groups_of(each.not_checked),
            "partly": groups_of(each.partly),
        }
        for name, each in read.items()
        if each
    }


def groups_of(groups):
    return [{"claims": group.claims, "reason": group.reason} for group in groups]


def read_traits(lines):
    """(place -> name -> value, place -> name -> why it is unknown)"""
    known, unknown = {}, {}
    for match in filter(None, map(TRAIT.fullmatch, lines)):
        place, name, value, rest = match[1] or "", match[2], match[3], match[4] or ""
        if value == UNKNOWN:
            unknown.setdefault(place, {})[name] = rest.removeprefix("(").removesuffix(")")
        else:
            values = known.setdefault(place, {}).setdefault(name, {})
            values[value] = f"{values.get(value, value)} {rest}".rstrip()
    return {
        place: {name: "; ".join(values.values()) for name, values in traits.items()}
        for place, traits in known.items()
    }, unknown


def errata_of(log):
    """As the end of the log counts them, with a soak's; a log that was cut off is counted."""
    said = [match for match in map(ERRATA.fullmatch, log.lines if log else []) if match]
    counted = {match[1]: int(match[2]) for match in said}
    return {
        "errata": counted or (excused(log) if log else {}),
        "errata_text": {match[1]: match[3] or "" for match in said},
    }


def times_of(log):
    lines = log.lines if log else []
    total = next((int(m[1]) for m in map(TOTAL_TIME.fullmatch, lines) if m), None)
    suites = {m[1]: float(m[2]) for m in map(SUITE_TIME.fullmatch, lines) if m}
    return {"total_ms": total, "suites": suites}


def soak_of(log):
    soak = read_soak(log) if log else None
    return vars(soak).copy() if soak else None
