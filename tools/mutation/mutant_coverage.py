# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads which test reaches which point, as the mutants' build recorded it.

Wants tools/lab and tools/trust in sys.path, as their own modules do.
"""

from declarations import addresses, physical_address
from machine import LabError

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
