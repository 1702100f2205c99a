# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole runs on a few machines that stand for all: boot_rows.py."""

from itertools import combinations

import mutants
import pytest
from boot_rows import APART, factors, rows
from conftest import LIMITS
from outcomes import PATIENT, skips_as_it_must
from transport import stretched

ROWS = rows()


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_whole_run(boot_machine, emulator, iso, clang_iso, row):
    boot = boot_machine(
        qemu=emulator,
        iso={"gcc": iso, "clang": clang_iso}[row.compiler],
        profile=row.profile,
        variation=row.variation(),
        firmware=row.firmware,
        medium=row.medium,
        processors=row.processors,
        board=row.board,
        command_line=PATIENT,
        limits=stretched(LIMITS, PATIENT),
    )
    skips_as_it_must(boot, row.profile)
    assert not mutants.believed(boot.outcome.raw, seed=str(row), most=1)


def test_rows_have_every_value_and_every_pair():
    """Counted here, not by what made them."""
    assert len(ROWS) <= 50
    for factor in factors():
        values = {value for level in factor.levels for value in level}
        assert {getattr(row, factor.name) for row in ROWS} == values, factor.name
    apart = {frozenset(pair) for pair in APART}
    for one, other in combinations(factors(), 2):
        if {one.name, other.name} not in apart:
            met = {(level_of(one, row), level_of(other, row)) for row in ROWS}
            assert len(met) == len(one.levels) * len(other.levels), (one.name, other.name)


def level_of(factor, row):
    value = getattr(row, factor.name)
    return next(number for number, level in enumerate(factor.levels) if value in level)
