# SPDX-License-Identifier: GPL-2.0-or-later
"""A compact log (log=compact) says of a run what a full one says, in few lines."""

import re

import pytest
from judge import Status
from outcomes import PATIENT

WHOLE_RUN = 0.3  # of a full log's bytes


def leaves(log, outcomes):
    """Path -> reason, of those results."""
    return {path: leaf.reason for path, leaf in log.leaves() if leaf.outcome in outcomes}


def test_compact_log_says_of_a_run_what_a_full_one_says(boot_machine, emulator):
    full, compact = (
        boot_machine(qemu=emulator, command_line=f"log={form} {PATIENT}")
        for form in ("full", "compact")
    )
    assert compact.judgement.status == Status.PASS, compact.explain()
    whole, short = full.judgement.log, compact.judgement.log
    assert (whole.is_compact(), short.is_compact()) == (False, True)
    assert short.totals == whole.totals and short.results == whole.results
    assert compact.judgement.counts() == full.judgement.counts()
    assert short.traits() == whole.traits()
    others = {"skip", "xfail", "fail", "timeout"}
    assert leaves(short, others) == leaves(whole, others)
    assert [name for name, _ in short.tests()] == [name for name, _ in whole.tests()]
    sizes = [len(boot.outcome.raw) for boot in (compact, full)]
    assert sizes[0] < WHOLE_RUN * sizes[1], sizes


@pytest.mark.parametrize(
    "variation, words, form",
    [
        ("", "", "full (there is a hypervisor)"),
        ("hypervisor=off", "", "full (the serial line takes no time)"),
        ("hypervisor=off", "log=auto", "full (the serial line takes no time)"),
        ("", "log=full", "full (as asked for)"),
        ("", "log=compact", "compact (as asked for)"),
    ],
)
def test_log_says_which_form_it_has(boot_machine, variation, words, form):
    command_line = f"test=selftest.format_string exit=qemu {words}"
    boot = boot_machine(cpu=f"max{variation and ',' + variation}", command_line=command_line)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert boot.judgement.log.header()["log"] == form


def test_failure_is_found_in_a_compact_log(boot_machine):
    tests = "selftest.deliberate_subtest_failure,selftest.deliberate_hang_in_subtest"
    full, compact = (
        boot_machine(command_line=f"test={tests} timeout=1 log={form}")
        for form in ("full", "compact")
    )
    assert compact.judgement.status == Status.FAIL, compact.explain()
    assert compact.judgement.reasons == full.judgement.reasons
    assert leaves(compact.judgement.log, {"fail"}) == leaves(full.judgement.log, {"fail"})
    assert findings(compact) == findings(full)
    assert compact.judgement.log.totals == full.judgement.log.totals


def findings(boot):
    return [line.strip() for line in boot.judgement.log.lines if line.strip().startswith("# find")]


def test_crash_ends_a_compact_log(boot_machine):
    boot = boot_machine(command_line="test=selftest.deliberate_crash log=compact")
    assert boot.judgement.status == Status.CRASH, boot.explain()


def test_other_form_is_refused(boot_machine):
    boot = boot_machine(command_line="log=short")
    assert boot.judgement.status == Status.ERROR, boot.explain()
    (reason,) = boot.judgement.reasons
    assert reason.startswith("log=short: wants auto, compact or full, and sum, trace and serials")


def test_each_suite_says_how_long_it_took(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, command_line="test=probe,ring3")
    times = re.findall(r"^# time: suite (\S+) ([0-9]+\.[0-9]{2}) s\r?$", boot.text, re.M)
    assert [name for name, _ in times] == [each.name for each in boot.judgement.log.root.results]
    whole = int(re.search(r"# time: (\d+) ms", boot.text)[1]) / 1000
    assert 0 < sum(float(seconds) for _, seconds in times) <= whole + 0.01, boot.text
