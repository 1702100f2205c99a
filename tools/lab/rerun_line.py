# SPDX-License-Identifier: GPL-2.0-or-later
"""The command, to be pasted into a shell, that repeats on the same machine what failed, or all."""

import shlex
import sys

from arguments import DEFAULTS
from log_notes import is_of_soak

# Variables of `make run` and the options that they become.
MAKE_VARIABLES = {
    "PROFILE": "profile",
    "VARIATION": "variation",
    "SMP": "smp",
    "FIRMWARE": "firmware",
    "BOARD": "board",
    "MEDIUM": "medium",
    "ACCEL": "accelerator",
    "QEMU": "qemu",
    "ARGS": "args",
}
NAMED = 8  # tests in the line that repeats them


def rerun_line(options, log, words=None):
    """ "" where the machine is a board: it is started by hand. A second line says how many failed
    tests the first one leaves out."""
    if options.serial:
        return ""
    failed = failed_tests(log) if options.set is None else []
    left_out = len(failed) - NAMED
    line = line_for(options, ",".join(failed[:NAMED]) or options.test, words)
    if left_out > 0:
        line += f"\n    {NAMED} of {len(failed)} failed tests; {left_out} are left out"
    return line


def line_for(options, tests, words):
    if options.make is None:
        return as_started(sys.argv if words is None else words, options, tests)
    values = {name: getattr(options, field) for name, field in MAKE_VARIABLES.items()}
    changed = {
        name: str(value)
        for name, value in values.items()
        if value != DEFAULTS[MAKE_VARIABLES[name]]
    }
    if tests:
        changed["ARGS"] = without_tests(options.args)
        changed["TEST"] = tests
    changed |= dict(word.split("=", 1) for word in options.make if word)
    # What make reads once more: a dollar sign begins a variable.
    named = [f"{name}={value}".replace("$", "$$") for name, value in changed.items() if value]
    return shlex.join(["make", "run", *named])


def failed_tests(log):
    tests = log.tests() if log else []
    return [name for name, test in tests if not test.ok and not is_of_soak(name)]


def without_tests(text):
    return " ".join(word for word in text.split() if not word.startswith("test="))


def as_started(words, options, tests):
    """The same words, but for the tests."""
    kept = drop_option(list(words), "--test")
    if tests and options.args != without_tests(options.args):
        kept = [*drop_option(kept, "--args"), "--args", without_tests(options.args)]
    return shlex.join([*kept, *(["--test", tests] if tests else [])])


def drop_option(words, name):
    kept = [word for word in words if not word.startswith(f"{name}=")]
    while name in kept[1:]:
        at = kept.index(name, 1)
        del kept[at : at + 2]
    return kept
