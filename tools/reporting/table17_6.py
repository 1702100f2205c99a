# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual's Table 17-6 as a run saw it: what each of the 32 settings stored."""

import re
from dataclasses import dataclass

from line_kinds import COMPARISON

from words import broken_parts, place_of

WHOLE, WITHOUT_CPL = "encodings", "encodings_without_cpl_bits"
NAME = "tr{}_bts{}_bts_off_os{}_bts_off_usr{}_btint{}"
STORED = re.compile(r".*records stored: expected ([0-9]{1,9})\b.*, got ([0-9]{1,9})\b.*")

# claim -> (stored at CPL 0, stored above, what happens at the end of the buffer, in words)
ROWS = {
    "T17-6.1": (False, False, "", "nothing"),
    "T17-6.2": (False, False, "", "messages alone"),
    "T17-6.3": (True, True, "circular", "all"),
    "T17-6.4": (False, True, "circular", "CPL > 0"),
    "T17-6.5": (True, False, "circular", "CPL 0"),
    "T17-6.6": (False, False, "", "messages alone"),
    "T17-6.7": (True, True, "interrupt", "all"),
    "T17-6.8": (False, True, "interrupt", "CPL > 0"),
    "T17-6.9": (True, False, "interrupt", "CPL 0"),
}
# Of these the log counts what it leaves out, so that what is missing in a compact one has passed.
COUNTED = ("PASS", "FAIL", "SKIP", "TIMEOUT")
SIGNS = {
    "pass": "✓",
    "xfail": "E",
    "fail": "✗",
    "timeout": "!",
    "unfinished": "!",
    "skip": "–",
    None: "–",
}


@dataclass(frozen=True)
class Cell:
    bits: tuple  # TR, BTS, BTS_OFF_OS, BTS_OFF_USR, BTINT
    claim: str
    outcome: str | None  # None: the log does not say
    seen: str  # in words

    @property
    def ring0(self):
        return ROWS[self.claim][0]

    @property
    def above(self):
        return ROWS[self.claim][1]

    @property
    def ending(self):
        return ROWS[self.claim][2]

    @property
    def stored(self):
        return ROWS[self.claim][3]

    @property
    def sign(self):
        return SIGNS[self.outcome]


def claim_of(tr, bts, off_os, off_usr, btint):
    """The row of the table that a setting falls in."""
    if not tr:
        return "T17-6.1"
    if not bts:
        return "T17-6.2"
    if off_os and off_usr:
        return "T17-6.6"
    return f"T17-6.{3 + off_os + 2 * off_usr + (4 if btint else 0)}"


def pictures_of(run):
    """Place -> 32 cells, TR being the highest bit; without those where neither test ran."""
    found, left_out = {}, run["compact"] and run["status"]["name"] in COUNTED
    for test in run["tests"]:
        suite, _, name = test["name"].partition(".")
        if suite.partition("@")[0] == "table17_6" and name in (WHOLE, WITHOUT_CPL):
            found.setdefault(place_of(test["name"]), {})[name] = test
    return {
        place: [cell_of(number, tests, left_out) for number in range(32)]
        for place, tests in found.items()
        if any(test["outcome"] != "skip" for test in tests.values())
    }


def cell_of(number, tests, left_out):
    bits = tuple(number >> bit & 1 for bit in range(4, -1, -1))
    outcome, seen, test = None, "not tried", tests.get(WHOLE)
    if test is None or test["outcome"] == "skip":
        seen = f"not tried: {test['reason']}" if test else seen
        test = None if bits[2] or bits[3] else tests.get(WITHOUT_CPL)
    if test is not None and test["outcome"] != "skip":
        outcome, seen = seen_in(test, NAME.format(*bits), left_out)
    return Cell(bits, claim_of(*bits), outcome, seen)


def seen_in(test, name, left_out):
    """(outcome, words). left_out: a subtest that is missing has passed."""
    part = next((each for each in test["subtests"] if each["name"] == name), None)
    if part is None:
        return ("pass", "as the table says") if left_out else (None, "not in the log")
    if part["outcome"] == "pass":
        return "pass", "as the table says"
    if part["outcome"] in ("xfail", "skip"):
        words = "excused by " if part["outcome"] == "xfail" else "not tried: "
        return part["outcome"], words + part["reason"]
    return part["outcome"], what_differed(part)


def what_differed(part):
    """The numbers of records, where the log has them; else what was found."""
    for note in part["notes"]:
        if (match := COMPARISON.fullmatch(note)) or (match := STORED.fullmatch(note)):
            if match[1] != match[2]:
                return f"{match[2]} records, not {match[1]}"
    kinds = dict.fromkeys(each["kind"] for _, one in broken_parts(part) for each in one["findings"])
    return ", ".join(kinds) or part["reason"] or "failed"
