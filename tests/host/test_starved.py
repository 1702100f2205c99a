# SPDX-License-Identifier: GPL-2.0-or-later
"""A host that has no time for the machine is no fault of the processor."""

import re
import stat
import sys

import pytest
from judge import Status

# Runs QEMU and lets it have a small part of its time, from one text in the log to another: it
# stands still 40 times as long as it ran. What is left in the file is the longest that it ran
# without a stop, in seconds: a busy host may keep this program from stopping it in time.
STARVING = """#!{python}
import contextlib, os, signal, subprocess, sys, time
args = sys.argv[1:]
process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", {qemu!r}, *args])
with contextlib.suppress(PermissionError):
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
logs = [a[len("file,path="):-len(",id=com1")] for a in args if a.startswith("file,path=")]
stretches, going_on = [0], None
while process.poll() is None:
    time.sleep(0.002)
    log = open(logs[0]).read() if logs else ""
    if "# Subtest: " in log and not {until!r} in log:
        process.send_signal(signal.SIGSTOP)
        stretches += [time.monotonic() - going_on] if going_on else []
        time.sleep(min(40 * max(stretches[-1], 0.001), 1))
        going_on = time.monotonic()
        process.send_signal(signal.SIGCONT)
open({longest!r}, "w").write(str(max(stretches)))
sys.exit(process.wait())
"""
IN_TIME = 0.010  # seconds: the kernel measures for 200 ms, and a tenth is no starving
TRIES = 5
ONCE_MORE = re.compile(r"# starved: (\S+) had not ended after 1 s, .* once more, for 5 s")


@pytest.fixture
def starved(boot_machine, tmp_path):
    """starved(command line, says, until): a boot in which QEMU has a 40th of its time. Where the
    log does not say so and the host was too busy to see to it, it is booted once more."""

    def run(command_line, says="# TIMEOUT starved", until="# verdict: "):
        program, longest = tmp_path / "starving-qemu", tmp_path / "longest"
        names = {"python": sys.executable, "qemu": "qemu-system-x86_64", "longest": str(longest)}
        program.write_text(STARVING.format(until=until, **names))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        for _ in range(TRIES):
            longest.write_text("0")  # what stands there where the program itself was ended
            boot = boot_machine(qemu=str(program), command_line=command_line)
            if says in boot.text or float(longest.read_text()) <= IN_TIME:
                break
        return boot

    return run


def test_ends_without_a_verdict_on_the_processor(starved):
    boot = starved("test=selftest.deliberate_hang timeout=1")
    assert boot.judgement.status == Status.TIMEOUT, boot.explain()
    assert boot.judgement.log.verdict == "TIMEOUT", boot.explain()
    assert ONCE_MORE.findall(boot.text) == ["selftest.deliberate_hang"], boot.explain()
    assert "deliberate_hang # TIMEOUT starved: no end after 5 s" in boot.text
    assert "hung:" not in boot.text and "broken claims" not in boot.text


def test_a_failure_of_another_test_stands(starved):
    names = "selftest.deliberate_hang_in_subtest,selftest.deliberate_failure"
    boot = starved(f"test={names} timeout=1")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert boot.judgement.counts()["timeout"] == 1, boot.explain()
    assert boot.text.count("ok 1 good") == 1, "a subtest that had its line has a second one"
    assert "not ok 2 hangs # TIMEOUT starved" in boot.text


def test_what_only_takes_longer_passes(starved):
    name = "selftest.takes_half_a_second_of_its_time"
    boot = starved(f"test={name} timeout=1", says="once more", until="once more")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert ONCE_MORE.findall(boot.text) == [name], boot.explain()


def test_a_machine_that_has_its_time_is_not_starved(boot_machine):
    boot = boot_machine(command_line="test=selftest.deliberate_hang timeout=1")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "starved" not in boot.text and "hung: no end after 1 s" in boot.text
