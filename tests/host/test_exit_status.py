# SPDX-License-Identifier: GPL-2.0-or-later
"""Every way a run can end, provoked; on stock QEMU, since none of it needs a Debug Store."""

import re
import subprocess
import threading
import time

import pytest
from conftest import make
from judge import Status

HANGS = [
    "deliberate_hang",
    "deliberate_hang_interrupts_off",
    "deliberate_hang_interrupt_waiting",
    "deliberate_hang_in_subtest",
    "deliberate_hang_while_printing",
    "deliberate_hang_in_ring3",
    "deliberate_hang_in_handler",
]
PAGE_FAULT = (
    r"unexpected #PF \(vector 14, error code 0x2, CR2 0x7ffffff123\)"
    r" at write_\w+\S* in ring 0 on processor "
)
HUNG = re.compile(r"hung: no end after 1 s, at [A-Za-z_]\S* in ring [03]")


@pytest.fixture
def run_kernel(boot_machine):
    """run_kernel(command line): boots stock QEMU with it."""

    def run(command_line):
        return boot_machine(command_line=command_line)

    return run


@pytest.mark.parametrize(
    "command_line, named",
    [
        ("nonsense", "nonsense"),
        ("nonsense=3", "nonsense"),
        ("test=", "test"),
        ("test=no_such_suite.*", "no_such_suite"),
        ("test=probe.*,no_such_suite.*", "no_such_suite"),
        ("repeat=0", "repeat"),
        ("repeat=many", "repeat"),
        ("repeat=2 repeat=3", "repeat"),
        ("seed=99999999999999999999999", "seed"),
        ("timeout=-1", "timeout"),
        ("console=printer", "console"),
        ("console=serial:com5", "wants com1, com2, com3, com4 or a port"),
        ("console=serial:com2,57601", "wants a rate from 9600 to 115200 that divides 115200"),
        ("console=screen,9600", "a rate stands right behind serial"),
        ("list=yes", "list"),
    ],
)
def test_bad_command_line_is_refused_by_name(run_kernel, command_line, named):
    boot = run_kernel(command_line)
    assert boot.judgement.status == Status.ERROR, boot.explain()
    assert named in " ".join(boot.judgement.reasons)


def test_deliberate_failure_fails(run_kernel):
    boot = run_kernel("test=selftest.deliberate_failure")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert boot.judgement.reasons == ["not ok: selftest.deliberate_failure"]
    assert "make run TEST=selftest.deliberate_failure" in boot.text


def test_rerun_line_holds_the_options_that_matter(run_kernel):
    command_line = "repeat=2 test=selftest.deliberate_failure seed=7 lab=none timeout=5"
    boot = run_kernel(command_line)
    line = "# rerun: make run TEST=selftest.deliberate_failure"
    assert f"{line} ARGS='repeat=2 lab=none timeout=5 seed=0x7'" in boot.text


@pytest.mark.parametrize("subtest", ["bad", "good.or.bad", "*"])
def test_names_of_subtests_choose_their_test(run_kernel, subtest):
    name = "selftest.deliberate_subtest_failure"
    boot = run_kernel(f"test={name}.{subtest}")
    assert boot.judgement.reasons == [f"not ok: {name}.bad"], boot.explain()
    assert f"# test={name}.{subtest}: a subtest; its test runs whole, test={name}" in boot.text


def test_a_failure_with_an_smi_in_it_is_tried_again(run_kernel):
    boot = run_kernel("test=selftest.deliberate_failure_by_an_smi,selftest.format_string")
    assert boot.judgement.status in (Status.PASS, Status.SKIP), boot.explain()
    name = "selftest.deliberate_failure_by_an_smi"
    assert f"# SMIs that came during {name}, which failed: 1; once more" in boot.text
    assert "# failed as if the SMI had disturbed it" in boot.text


def test_a_failed_subtest_with_an_smi_in_it_is_told(run_kernel):
    boot = run_kernel("test=selftest.deliberate_subtest_failure_by_an_smi")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "_by_an_smi, which failed: 1; it may fail for them" in boot.text


def test_subtests_run_again_where_smis_are_known_to_come(run_kernel):
    name = "selftest.deliberate_subtest_failure_by_one_smi"
    boot = run_kernel(f"test=selftest.deliberate_failure_by_an_smi,{name}")
    assert boot.judgement.status in (Status.PASS, Status.SKIP), boot.explain()
    assert f"# SMIs that came during {name}, which failed: 1; once more" in boot.text
    assert boot.text.count(" undisturbed\n") == 1
    assert "# runs of tests that were repeated, since they failed amid these: 2" in boot.text


def test_deliberate_skip_skips(run_kernel):
    boot = run_kernel("test=selftest.deliberate_skip")
    outcomes = [result.outcome for _, result in boot.judgement.log.leaves()]
    assert outcomes == ["skip"], boot.explain()
    assert boot.judgement.status in (Status.PASS, Status.SKIP), boot.explain()


@pytest.mark.parametrize("name", HANGS)
def test_hang_is_ended_as_failed_and_the_run_goes_on(run_kernel, name):
    """The noisy processor comes after it and is found out as well."""
    boot = run_kernel(f"test=selftest.{name},selftest.noisy_processor timeout=1")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    failed = [test for test, result in boot.judgement.log.tests() if not result.ok]
    assert failed == [f"selftest.{name}", "selftest.noisy_processor"], boot.explain()
    assert len(HUNG.findall(boot.text)) == 1, boot.explain()
    assert "not quiet" in boot.text


def test_runs_that_end_are_no_hang_until_there_are_too_many(run_kernel):
    boot = run_kernel("test=selftest.deliberate_slow_runs* timeout=1")
    outcomes = {test: result.outcome for test, result in boot.judgement.log.tests()}
    assert outcomes == {
        "selftest.deliberate_slow_runs": "pass",
        "selftest.deliberate_slow_runs_without_end": "fail",
    }, boot.explain()
    assert "hung: no end after 5 s" in boot.text, boot.explain()


@pytest.mark.parametrize(
    "name, place",
    [("deliberate_refused_wrmsr", "wrmsr"), ("deliberate_refused_wrmsr_in_handler", "wrmsr")],
)
def test_refused_access_fails_its_test_and_no_other(run_kernel, name, place):
    boot = run_kernel(f"test=selftest.{name},selftest.plain_bracket")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    outcomes = {test: result.outcome for test, result in boot.judgement.log.tests()}
    assert outcomes == {f"selftest.{name}": "fail", "selftest.plain_bracket": "pass"}
    told = rf"# WRMSR 6E1H of 0x8000000000000000 raised #GP at {place}\+0x[0-9a-f]+$"
    assert len(re.findall(told, boot.text, re.M)) == 1, boot.explain()
    assert "went on" not in boot.text


def test_refused_bracket_fails_its_subtest_and_no_other(run_kernel):
    boot = run_kernel("test=selftest.deliberate_refused_bracket")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    failed = [name.split(".")[-1] for name, part in boot.judgement.log.leaves() if not part.ok]
    assert failed == ["refused", "refused_again"], boot.explain()
    assert boot.text.count("raised #GP at bracket_on\n") == 2, boot.explain()
    assert "expected" not in boot.text, boot.explain()
    assert "# broken claims: BTS-1 BTS-3" in boot.text, boot.explain()


def test_refused_end_of_a_bracket_is_told(boot_machine, emulator):
    boot = boot_machine(
        qemu=emulator, command_line="test=selftest.deliberate_refused_end_of_bracket"
    )
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "# WRMSR 1D9H of 0x20 raised #GP at bracket_off" in boot.text, boot.explain()
    assert "not quiet after the test: debugctl: IA32_DEBUGCTL = BTS" in boot.text, boot.explain()
    assert "the bracket tells" not in boot.text


@pytest.mark.parametrize("name", ["deliberate_crash", "deliberate_stack_overflow"])
def test_crash_bails_out_with_registers_and_a_backtrace(run_kernel, name):
    boot = run_kernel(f"test=selftest.{name}")
    assert boot.judgement.status == Status.CRASH, boot.explain()
    assert f"# test: selftest.{name}" in boot.text
    assert boot.judgement.reasons[1:] == [f"in selftest.{name}"]
    assert re.search(r"^# rip [0-9a-f]{16} ", boot.text, re.M), boot.explain()
    assert re.search(r"^# backtrace:\n#     \w+\+0x[0-9a-f]+", boot.text, re.M), boot.explain()


def test_way_lost_in_ring_3_costs_the_test_alone(run_kernel):
    """By SYSCALL and by INT n; the test behind each is run, and so is the rest."""
    tests = [f"selftest.deliberate_{way}_astray" for way in ("syscall", "interrupt")]
    boot = run_kernel(f"test=selftest.format_string,{','.join(tests)} repeat=2")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert boot.judgement.reasons == [f"not ok: {test}" for test in tests], boot.explain()
    assert boot.text.count(" at user_unawaited in ring 3 on processor 0") >= 2, boot.explain()
    assert "selftest.format_string" in [name for name, _ in boot.judgement.log.tests()]


def test_crash_before_the_log_begins_is_a_crash(boot_machine, iso, tmp_path):
    """gdb leads the kernel astray, long before its first line."""
    socket, elf = tmp_path / "gdb", iso.with_name("btscheck.elf")
    steps = [f"target remote {socket}", "hbreak time_init", "continue", "set $rip = 0", "detach"]
    words = [word for step in steps for word in ("-ex", step)]

    def lead_astray():
        while not socket.exists():
            time.sleep(0.05)
        subprocess.run(["gdb", "-q", "-batch", elf, *words], check=False, capture_output=True)

    thread = threading.Thread(target=lead_astray, daemon=True)
    thread.start()
    boot = boot_machine(extra=["-S", "-gdb", f"unix:{socket},server=on,wait=off"])
    thread.join(10)
    assert boot.judgement.status == Status.CRASH, boot.explain()
    assert "unexpected #PF" in " ".join(boot.judgement.reasons), boot.explain()


@pytest.mark.parametrize(
    "name, told",
    [
        (
            "deliberate_crash_elsewhere",
            r"unexpected #UD \(vector 6, error code 0x0\) at trap\S* in ring 0 on processor 1$",
        ),
        ("deliberate_page_fault_elsewhere", PAGE_FAULT + "1$"),
        (
            "deliberate_hang_elsewhere",
            "processor 1: it did not come to the end of its work in time",
        ),
    ],
)
def test_failure_on_another_processor_is_told_and_the_run_goes_on(run_kernel, name, told):
    boot = run_kernel(f"test=selftest.{name},selftest.other_processor_works")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    failed = [test for test, result in boot.judgement.log.tests() if not result.ok]
    assert failed == [f"selftest.{name}"], boot.explain()
    assert re.search(told, boot.text, re.M), boot.explain()


@pytest.mark.parametrize(
    "name, told",
    [
        ("deliberate_page_fault", PAGE_FAULT + "0$"),
        (
            "deliberate_protection_fault",
            r"unexpected #GP \(vector 13, error code 0x1230\)"
            r" at test_selftest_\S+ in ring 0 on processor 0$",
        ),
        (
            "deliberate_stack_overflow",
            r"unexpected #DF \(vector 8, error code 0x0\), the kernel stack overflowed"
            r" \(CR2 0x[0-9a-f]{9,}\), at recurse\S* in ring 0 on processor 0$",
        ),
    ],
)
def test_crash_tells_all_that_the_processor_said(run_kernel, name, told):
    boot = run_kernel(f"test=selftest.{name}")
    assert boot.judgement.status == Status.CRASH, boot.explain()
    assert re.search("^Bail out! " + told, boot.text, re.M), boot.explain()


def test_crash_in_the_report_of_a_crash_has_an_end(run_kernel):
    boot = run_kernel("test=selftest.deliberate_crash_in_the_report")
    assert boot.judgement.status == Status.CRASH, boot.explain()
    assert re.search(
        "^Bail out! " + PAGE_FAULT + "0, and then the report of it crashed$", boot.text, re.M
    ), boot.explain()


def test_exception_under_the_stepper_tells_all_that_the_processor_said(run_kernel):
    boot = run_kernel("test=selftest.deliberate_page_fault_while_stepping")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    told = (
        r"# test bug: the stepper gave up after \d+ steps: " + PAGE_FAULT + "0, without a landing$"
    )
    assert re.search(told, boot.text, re.M), boot.explain()


def test_hang_on_another_processor_is_ended_by_the_watchdog(run_kernel):
    names = "test=selftest.deliberate_hang_elsewhere,selftest.other_processor_works"
    boot = run_kernel(f"{names} timeout=1")
    failed = [test for test, result in boot.judgement.log.tests() if not result.ok]
    assert failed == ["selftest.deliberate_hang_elsewhere"], boot.explain()
    assert len(HUNG.findall(boot.text)) == 1, boot.explain()


def test_failing_subtest_fails_its_test(run_kernel):
    boot = run_kernel("test=selftest.deliberate_subtest_failure")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    reasons = boot.judgement.reasons
    assert reasons and reasons[0].startswith("not ok: selftest.deliberate_subtest_failure.")


def test_test_that_leaves_something_on_fails(run_kernel):
    boot = run_kernel("test=selftest.noisy_processor")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "not quiet" in boot.text


def test_every_harmless_self_test_passes(run_kernel):
    listed = re.findall(r"# (selftest\.\w+)", run_kernel("list test=selftest.*").text)
    harmless = [name for name in listed if not re.search("deliberate|noisy", name)]
    assert len(harmless) >= 4
    boot = run_kernel("test=" + ",".join(harmless))
    failed = [name for name, result in boot.judgement.log.leaves() if not result.ok]
    assert not failed, boot.explain()
    assert boot.judgement.status == Status.PASS, boot.explain()


def test_list_runs_nothing(run_kernel):
    boot = run_kernel("list")
    assert boot.judgement.status == Status.LISTED, boot.explain()
    assert boot.judgement.log.verdict == "LISTED", boot.explain()
    assert boot.judgement.log.root.plan == 0
    assert "table17_6." in boot.text and "CPUID" in boot.text


def test_self_tests_do_not_run_unasked(run_kernel):
    boot = run_kernel("")
    assert "selftest" not in [result.name for result in boot.judgement.log.root.results]


def test_repetition_and_seed_are_taken(run_kernel):
    boot = run_kernel("repeat=3 seed=0x17 test=probe.*")
    assert boot.judgement.status in (Status.PASS, Status.SKIP), boot.explain()
    assert any(
        "seed" in line and ("0x17" in line or "23" in line) for line in boot.text.split("\n")
    )


def test_make_run_tells_the_status(iso):
    options = ["QEMU=qemu-system-x86_64", "ARGS=timeout=5"]
    good = make("run", *options, "TEST=selftest.format_string")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "ok 1 format_string" in good.stdout
    bad = make("run", *options, "TEST=selftest.deliberate_failure")
    assert bad.returncode == 2  # all that make can say …
    assert "FAIL (status 1)" in bad.stderr  # … so the lab says it
    assert "Error 1" in bad.stderr
