# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as TAP 14: flat, because that is what every parser reads alike; it says version 13, because
Debian 12's prove refuses 14, and nothing in it means something else there.

Each test is a point. A run's last point is its verdict, which is ok only for a PASS. The YAML
block after a point says what failed and why.
"""

import re

from words import all_claims, clean, has_passed, one_line, verdict_line, why_it_failed

LINES = 100  # of one point's block


def tap_text(runs):
    """The whole document."""
    points = [point for run in runs for point in points_of(run, len(runs) > 1)]
    lines = ["TAP version 13", f"1..{len(points)}"]
    for number, (ok, name, directive, block) in enumerate(points, 1):
        skip = f" # SKIP {directive}" if directive else ""
        lines += [f"{'ok' if ok else 'not ok'} {number} - {name}{skip}", *block]
    return "\n".join(lines) + "\n"


def points_of(run, several):
    """(is it ok, its name, why it was skipped, the lines behind it)"""
    above = f"{escaped(run['board'])}: " if several and run["board"] else ""
    for test in run["tests"]:
        yield point_of(above, test)
    words = [*run["reasons"], *run["remarks"], *run["problems"]]
    block = [] if has_passed(run) else yaml_block(words, message=verdict_line(run))
    yield has_passed(run), f"{above}verdict {run['status']['name']}", "", block


def point_of(above, test):
    name, reason = above + escaped(test["name"]), escaped(test["reason"])
    if test["outcome"] == "skip":
        return True, name, reason or "no reason given", []
    if test["outcome"] == "xfail":
        return True, name, "", yaml_block(message=f"excused by {one_line(test['reason'])}")
    if test["outcome"] == "pass":
        return True, name, "", []
    lines, claims = why_it_failed(test), " ".join(all_claims(test))
    return False, name, "", yaml_block(lines, outcome=test["outcome"], claims=claims)


def escaped(text):
    """A number sign begins a directive, and a backslash takes that away."""
    return one_line(text).replace("\\", "\\\\").replace("#", "\\#")


def yaml_block(lines=(), **fields):
    """Only what prove's reader takes too: strings in single quotes, and a block of lines."""
    yield "  ---"
    for key, value in fields.items():
        yield f"  {key}: '" + flat(value).replace("'", "''") + "'"
    if shown := [text for each in lines if (text := flat(each).rstrip())][:LINES]:
        yield "  lines: |"
        yield f"    {shown[0].lstrip()}"
        yield from (f"    {text}" for text in shown[1:])
    yield "  ..."


def flat(text):
    return re.sub(r"[\t\n\r\x85\u2028\u2029]", " ", clean(text))
