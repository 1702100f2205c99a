# SPDX-License-Identifier: GPL-2.0-or-later
"""What has failed runs again: does it fail always, or now and then? The rest of the log stays."""

import re

import pytest
from judge import Status

LINE = re.compile(r"^ +# retest: failed (\d+) of (\d+)(?:, no time for more)?$", re.M)
FAILURE = "selftest.deliberate_failure,selftest.deliberate_subtest_failure"
TABLE = "test=table17_6.*"
# One in so many of the records: with each of these rates some test fails now and then.
RATES = (200, 300)


@pytest.fixture
def failing(boot_machine, emulator):
    """Boots what must fail."""

    def run(command_line, fault="", **fields):
        variation = f"x-ds-fault={fault}" if fault else ""
        boot = boot_machine(qemu=emulator, variation=variation, command_line=command_line, **fields)
        assert boot.judgement.status == Status.FAIL, boot.explain()
        return boot

    return run


def counts(boot):
    return [(int(failed), int(runs)) for failed, runs in LINE.findall(boot.text)]


def not_ok(boot):
    return [name for name, test in boot.judgement.log.tests() if not test.ok]


@pytest.mark.parametrize("option, expected", [("", [(3, 3)] * 2), ("retest=5", [(5, 5)] * 2)])
def test_what_fails_always_is_told(failing, option, expected):
    boot = failing(f"test={FAILURE} {option}")
    assert counts(boot) == expected, boot.explain()
    for name in not_ok(boot):
        line = rf"# rerun: .*{name}\n(  # time: .*\n)?  # retest: .*\n  not ok \d {name[9:]}$"
        assert re.search(line, boot.text, re.M), boot.explain()


def test_it_runs_no_more_when_not_asked(failing):
    boot = failing(f"test={FAILURE} retest=0")
    assert len(not_ok(boot)) == 2 and "# retest" not in boot.text, boot.explain()


def test_nothing_else_changes(failing):
    """No line, no count and no check value, but for the line itself and what is measured."""
    varies = re.compile(r" *# (tsc|time|date|smi count|command line|retest): ")
    logs = [
        [line for line in boot.judgement.log.lines if not varies.match(line)]
        for boot in (failing(f"{TABLE} retest={times}", "off-os-ignored") for times in (0, 3))
    ]
    assert logs[0] == logs[1] and any(line.startswith("# results: ") for line in logs[0])


def test_a_fault_that_acts_now_and_then_is_told_from_one_that_always_does(failing):
    """On a busy host there may be no time for three."""
    boots = [failing(TABLE, f"off-os-ignored:1/{rate}") for rate in RATES]
    for boot in boots:
        assert boot.text.count("# retest: ") == len(not_ok(boot)), boot.explain()
    told = [count for boot in boots for count in counts(boot)]
    assert any(0 < failed < runs for failed, runs in told), told
    always = failing("test=table17_6.encodings", "off-os-ignored")
    assert [failed for failed, _ in counts(always)] == [3], always.explain()


def test_what_hangs_is_not_waited_for(failing):
    boot = failing("test=selftest.deliberate_hang timeout=6")
    assert "  # retest: none, no time for it\n  not ok 1 deliberate_hang" in boot.text
    assert int(re.search(r"# time: (\d+) ms", boot.text)[1]) < 14000, boot.explain()


def test_each_processor_tells_of_its_own(failing):
    boot = failing("test=selftest.deliberate_failure cpu=all", processors=3)
    assert not_ok(boot) == [f"selftest@cpu{n}.deliberate_failure" for n in range(3)]
    assert counts(boot) == [(3, 3)] * 3, boot.explain()


def test_a_crash_in_it_has_its_report(boot_machine):
    boot = boot_machine(command_line="test=selftest.deliberate_crash_when_run_again")
    assert boot.judgement.status == Status.CRASH, boot.explain()
    assert "# test: selftest.deliberate_crash_when_run_again" in boot.text
    assert re.search(r"^# rip [0-9a-f]{16} ", boot.text, re.M), boot.explain()
