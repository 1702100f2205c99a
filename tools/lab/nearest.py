# SPDX-License-Identifier: GPL-2.0-or-later
"""What was meant by a name that does not exist: a test, a fault, a profile, an option.

Each refusal of a name takes its end from here: the nearest names, or all.
"""

import difflib
import re
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
SUITES = TOOLS.parent / "tests/suites"
TEST = re.compile(r"^(?:SELF)?TEST\w*\(\s*(\w+),\s*(\w+)", re.M)
NEAREST = 3  # names

# How the kernel and the emulator refuse a name that they do not know.
NO_OPTION = re.compile(r"unknown option '([^']*)'; known: (.*)")
NO_TEST = re.compile(r"no test matches '([^']*)'; suites: (.*)")
NO_FAULT = re.compile(r".*\bx-ds-fault=(\S+): no fault has this name")
NO_PROPERTY = re.compile(r".*\bProperty '[^']*\.(x-ds-[^']*)' not found")


def near(name, known, most=NEAREST):
    """The known names that look most like it, the nearest first; [] if none does."""
    return difflib.get_close_matches(name, list(known), n=most)


def meant(name, known, prefix=""):
    """ "; did you mean 'a' or 'b'?"; "" if no known name looks like it.

    prefix: begins all names, and makes none of them more alike.
    """
    bare = (each.removeprefix(prefix) for each in known)
    found = " or ".join(f"'{prefix}{each}'" for each in near(name.removeprefix(prefix), bare))
    return f"; did you mean {found}?" if found else ""


def no_such(what, name, known):
    """The sentence about it: with the nearest names, or with all where none is near."""
    known = list(known)
    return f"{what} '{name}'" + (meant(name, known) or f"; there are: {', '.join(known)}")


def meant_by(refusal):
    """The same for a refusal of the kernel or of the emulator; "" for any other sentence."""
    for pattern, known in REFUSALS:
        if found := pattern.fullmatch(refusal):
            return known(*found.groups())
    return ""


def option_meant(name, known):
    return meant(name, known.split())


def test_meant(glob, known):
    suites = known.split()
    return meant(glob, [*suites, *(f"{suite}.*" for suite in suites), *test_names()])


def fault_meant(value):
    """value: NAME+NAME:1/N, of which some are no faults."""
    known = [row[0] for row in silicon().faults()]
    names = [each.partition(":")[0] for each in value.split("+")]
    told = [meant(name, known) for name in names if name not in known]
    return "".join(told) or "; `make faults` lists them"


def property_meant(name):
    tables = silicon()
    known = ["fault", "errata", *(row[0] for row in tables.variations()), *tables.fields()]
    return meant(name, known, prefix="x-ds-") or "; `make variations` lists them"


REFUSALS = (
    (NO_OPTION, option_meant),
    (NO_TEST, test_meant),
    (NO_FAULT, fault_meant),
    (NO_PROPERTY, property_meant),
)


def test_names():
    """SUITE.TEST, as the sources of the tests have them; without those that a macro makes."""
    for path in sorted(SUITES.rglob("*.c")):
        for suite, test in TEST.findall(path.read_text(encoding="utf-8")):
            yield f"{suite}.{test}"


def silicon():
    """The tables of the silicon's sources."""
    sys.path.append(str(TOOLS / "trust"))
    import model_tables

    return model_tables
