# SPDX-License-Identifier: GPL-2.0-or-later
"""A log stays short where much fails alike, and lacks nothing that tells what is wrong."""

import re

import pytest
from judge import Status
from log_notes import findings_by_result
from outcomes import PATIENT
from transport import Limits

# Profile, fault, bytes of its compact log at most: a tenth above what was measured.
FAULTS = [
    ("skylake", "off-os-ignored", 129_000),
    ("core2", "far-lost", 172_000),
    ("skylake", "from-to-exchanged", 330_000),  # the most failures of those tried
]
CLAIMS = re.compile(r" *# claims: (.+)")


def claims_of_results(log):
    """The line of each failed result -> the claims right before it."""
    failed = {result.line for _, result in log.every() if not result.ok}
    waiting, found = "", {}
    for number, line in enumerate(log.lines, 1):
        if match := CLAIMS.fullmatch(line):
            waiting = match[1]
        elif number in failed:
            found[number] = waiting
        elif not line.lstrip().startswith("#"):
            waiting = ""
    return found


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("profile, fault, most", FAULTS)
def test_a_compact_log_of_many_failures_is_short(boot_machine, emulator, profile, fault, most):
    boot = boot_machine(
        qemu=emulator,
        profile=profile,
        variation=f"x-ds-fault={fault}",
        command_line=f"log=compact {PATIENT}",
        limits=Limits(total=900, silence=300),  # whole runs, of which one prints 400 KB
    )
    log = boot.judgement.log
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert len(boot.outcome.raw) < most, len(boot.outcome.raw)
    failed = [result for _, result in log.leaves() if result.outcome == "fail"]
    told = {result.line: found for _, result, found in findings_by_result(log)}
    claims = claims_of_results(log)
    assert len(failed) > 200
    for result in failed:
        assert told.get(result.line), log.lines[result.line - 1]
    assert all(claims[result.line] for _, result in log.tests() if result.outcome == "fail")
    assert any(line.startswith("# broken: branch records ") for line in log.lines)
    assert any(line.startswith("# broken: claim ") for line in log.lines)
    assert any(line.strip().startswith("# in short: ") for line in log.lines)
