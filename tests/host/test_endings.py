# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines that end otherwise than through the debug exit, and emulators that never start one."""

import re
import subprocess
import time

import pytest
from conftest import RUN, execute
from judge import Status, judge
from machine import Machine
from qmp import Monitor
from services import MACHINE_CHECK
from judge_logs import EXIT, FAILING, GOOD, SKIPPED, changed, raw
from transport import AFTER_VERDICT, VerdictWatch
from witnesses import log_goes_to

STAYS_ON = "time.sleep(50)"


def asked(text, exit_method):
    return changed(
        ("# btscheck: v1\n", f"# btscheck: v1\n# command line: a=b exit={exit_method}\n"), text=text
    )


@pytest.mark.parametrize("method", ["acpi", "reset"])
@pytest.mark.parametrize(("text", "status"), [(GOOD, Status.PASS), (FAILING, Status.FAIL)])
def test_machine_that_was_told_to_switch_itself_off_ends_with_0(method, text, status):
    judgement = judge(raw(asked(text, method)), 0)
    assert judgement.status == status, judgement.reasons
    assert f"exit={method}" in judgement.remarks[0]
    for other in (1, 35, -11):
        assert judge(raw(asked(GOOD, method)), other).status == Status.DISAGREE
    for other in ("qemu", "auto", "halt"):
        assert judge(raw(asked(text, other)), 0).status == Status.DISAGREE


@pytest.mark.parametrize("method", ["acpi", "reset"])
def test_log_that_breaks_off_is_no_pass_however_the_machine_was_to_end(method):
    text = asked(GOOD, method)
    for keep in range(text.index("1..2"), len(text) - 1, 5):
        assert judge(raw(text)[:keep], 0).status not in (Status.PASS, Status.FAIL), keep


@pytest.mark.parametrize("text, status", [(GOOD, Status.PASS), (FAILING, Status.FAIL)])
def test_emulator_that_stays_on_after_its_verdict_is_ended(run_fake, text, status):
    start = time.monotonic()
    answer = run_fake(raw(text), STAYS_ON, "--silence", "30")
    assert answer.returncode == status, answer.stderr
    assert AFTER_VERDICT < time.monotonic() - start < 20
    assert "no exit status: the machine stayed on after its verdict" in answer.stderr


def test_emulator_that_stays_on_before_its_verdict_is_whole_hangs(run_fake):
    answer = run_fake(raw(GOOD)[:-2], STAYS_ON, "--silence", "3")
    assert answer.returncode == Status.TIMEOUT, answer.stderr


def test_verdict_is_seen_wherever_the_bytes_are_cut():
    data = raw(GOOD)
    for step in (1, 2, 7, 1000):
        watch = VerdictWatch()
        for at in range(0, len(data), step):
            before = watch.seen
            watch.heard(data[at : at + step])
        assert watch.seen and not before
    others = [
        b"# verdict: PASS",
        b"x# verdict: PASS\n",
        b"  # verdict: PASS\n",
        b"x" * 9999 + b"\n",
    ]
    for other in others:
        watch = VerdictWatch()
        watch.heard(other)
        assert not watch.seen, other


@pytest.fixture
def run_stock(iso, tmp_path):
    """run_stock(options): tools/lab/run, one harmless test on stock QEMU."""

    def run(*options):
        command = [RUN, "--qemu", "qemu-system-x86_64", "--iso", iso, "--log", tmp_path / "log"]
        command += ["--test", "selftest.format_string", *options]
        return execute(*command, timeout=200)

    return run


@pytest.mark.parametrize("arguments", ["exit=acpi", "exit=reset", "exit=halt"])
def test_every_way_to_end_a_real_machine(run_stock, arguments):
    answer = run_stock("--args", arguments)
    assert answer.returncode == Status.PASS, answer.stderr
    assert "no exit status" in answer.stderr


def test_kernel_that_takes_the_emulator_for_a_board(run_stock):
    """A -cpu property hides the hypervisor: the kernel halts, as on a board."""
    answer = run_stock("--variation", "hypervisor=off")
    assert answer.returncode == Status.PASS, answer.stderr
    assert "stayed on after its verdict" in answer.stderr


def test_log_on_the_screen_of_a_real_machine(run_stock):
    answer = run_stock("--args", "console=screen")
    assert answer.returncode == Status.ERROR, answer.stderr
    assert "the exit status alone says PASS" in answer.stderr


def crash_while_printing(iso, folder, delay):
    """A kernel that prints and prints; a machine check hits it so many seconds after it began."""
    log, monitor = folder / "log", folder / "monitor"
    machine = Machine(
        iso=iso, command_line="test=selftest.deliberate_hang_while_printing", monitor=monitor
    )
    with subprocess.Popen(machine.arguments(f"file,path={log}")) as process:
        try:
            deadline = time.monotonic() + 60
            while not (log.exists() and b"line_1" in log.read_bytes()):
                assert time.monotonic() < deadline, "the machine did not start"
                time.sleep(0.002)
            connection = Monitor(monitor)
            time.sleep(delay)
            connection.human(MACHINE_CHECK)
            code = process.wait(60)
            connection.close()
        finally:
            process.kill()
    return log.read_bytes(), code


def test_crash_in_the_middle_of_a_line_is_a_crash(iso, tmp_path):
    """Wherever it hits, the check value is that of what can be read. One in ten cuts a line off."""
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        raw_log, code = crash_while_printing(iso, folder, delay=number * 0.004)
        judgement = judge(raw_log, code)
        assert judgement.status == Status.CRASH, (judgement.reasons, raw_log[-2000:])
        if b"# cut off" in raw_log:
            break


@pytest.mark.parametrize(
    ("command_line", "where"),
    [
        ("", ""),
        ("console=serial", ""),
        ("console=screen,serial", ""),
        ("console=serial:com1,57600,screen", ""),
        ("console=serial:0x3f8,57600", ""),
        ("seed=1 console=screen lab=none", "screen"),
        ("console=screen,debugcon", "screen,debugcon"),
        ("console=serial:0x2f8", "serial:0x2f8"),
        ("console=serial:com2,screen", "serial:com2,screen"),
        ("noconsole=screen", ""),
    ],
)
def test_lab_knows_where_the_log_goes(command_line, where):
    assert log_goes_to(command_line) == where


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("PASS", Status.ERROR),
        ("FAIL", Status.FAIL),
        ("ERROR", Status.ERROR),
        ("CRASH", Status.CRASH),
        ("SKIP", Status.SKIP),
    ],
)
@pytest.mark.parametrize("firmware_says", [b"", b"\x1b[2JBdsDxe: starting Boot0001\r\n"])
def test_log_that_was_sent_elsewhere_is_no_fault_of_btscheck(run_fake, said, status, firmware_says):
    """One witness can say that something is wrong, and not that all is well."""
    end = f"sys.exit({EXIT[said]})"
    answer = run_fake(firmware_says, end, "--args", "console=screen")
    assert answer.returncode == status, answer.stderr
    assert f"console=screen keeps it off COM1; the exit status alone says {said}" in answer.stderr
    assert "console=serial,screen" in answer.stderr and "fault of btscheck" not in answer.stderr


@pytest.mark.parametrize("end", ["sys.exit(0)", "time.sleep(50)"])
def test_log_that_was_sent_elsewhere_and_no_verdict(run_fake, end):
    answer = run_fake(b"", end, "--args", "console=screen", "--silence", "1")
    assert answer.returncode in (Status.CUT_OFF, Status.TIMEOUT)
    assert "console=screen keeps it off COM1" in answer.stderr


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("sys.exit('Could not access KVM kernel module: No such file')", "Could not access KVM"),
        ("print('no KVM', file=sys.stderr)\nos.kill(os.getpid(), 6)", "no KVM"),
        ("os.kill(os.getpid(), 6)", "died of signal 6"),
        ("sys.exit(3)", "ended with status 3, and said nothing"),
    ],
)
@pytest.mark.parametrize("firmware_says", [b"", b"\x1b[2JSeaBIOS\r\n"])
def test_machine_that_could_not_start_lost_no_power(run_fake, end, told, firmware_says):
    answer = run_fake(firmware_says, end, "--accelerator", "kvm")
    assert answer.returncode == Status.ERROR, answer.stderr
    assert answer.stderr.count(told) == 1, answer.stderr
    assert "power loss" not in answer.stderr


REFUSES_MSR = """\
if "arch-capabilities=off" not in words:
    print("error: failed to set MSR 0x10a to 0x69", file=sys.stderr)
    os.kill(os.getpid(), 6)
open({log!r}, "a").write(words)
open(re.search(r"file,path=(\\S+),id=com1", words)[1], "ab").write(open({given!r}, "rb").read())
sys.exit(33)
"""


@pytest.mark.parametrize("options", [[], ["--cpu", "host,pmu=off"], ["--variation", "pmu=off"]])
def test_kvm_that_cannot_set_a_register_is_started_without_it(run_fake, tmp_path, options):
    (tmp_path / "good").write_bytes(raw(GOOD))
    end = REFUSES_MSR.format(log=str(tmp_path / "words"), given=str(tmp_path / "good"))
    answer = run_fake(b"", end, "--accelerator", "kvm", *options)
    assert answer.returncode == Status.PASS, answer.stderr
    assert answer.stderr.count("starting once\nmore") == 1
    cpu = "host,pmu=off," if options else "host,"
    assert f"-cpu {cpu}arch-capabilities=off " in (tmp_path / "words").read_text()


def test_kvm_that_cannot_do_it_without_either_is_told_once(run_fake, tmp_path):
    end = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')\n"
    end += "print('failed to set MSR 0x10a to 0x69', file=sys.stderr)\nos.kill(os.getpid(), 6)"
    answer = run_fake(b"", end, "--accelerator", "kvm")
    assert answer.returncode == Status.ERROR
    assert (tmp_path / "starts").read_text() == "xx"


def test_choices_of_a_processor_that_has_none_are_refused(run_fake):
    """Ignored in silence, they would seem to have been tried."""
    end = f"sys.exit({EXIT['PASS']})"
    answer = run_fake(raw(GOOD), end, "--variation", "x-ds-wrap=eager")
    assert answer.returncode == Status.ERROR
    assert "x-ds-wrap=eager has no effect" in answer.stderr
    answer = run_fake(raw(GOOD), end, "--accelerator", "kvm", "--profile", "core2")
    assert answer.returncode == Status.ERROR
    assert "profile has no effect" in answer.stderr
    assert run_fake(raw(GOOD), end, "--variation", "hypervisor=off").returncode == Status.PASS


def test_skips_say_at_once_that_nothing_went_wrong(run_fake):
    answer = run_fake(raw(SKIPPED), f"sys.exit({EXIT['SKIP']})")
    assert answer.returncode == Status.SKIP
    last = answer.stderr.splitlines()[-1]
    assert re.search("^Nothing went wrong.*CPUID.01H:EDX.21..DS = 0.*Error 4", last), answer.stderr
