# SPDX-License-Identifier: GPL-2.0-or-later
"""A host that has no time for the machine is no fault of the processor."""

import re
import stat
import sys

import pytest
from judge import Status

# Runs QEMU and lets it have a small part of its time, from one text in the log to another.
STARVING = """#!{python}
import os, signal, subprocess, sys, time
args = sys.argv[1:]
process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", {qemu!r}, *args])
logs = [a[len("file,path="):-len(",id=com1")] for a in args if a.startswith("file,path=")]
while process.poll() is None:
    time.sleep(0.002)
    log = open(logs[0]).read() if logs else ""
    if "# Subtest: " in log and not {until!r} in log:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.048)
        process.send_signal(signal.SIGCONT)
sys.exit(process.wait())
"""
ONCE_MORE = re.compile(r"# starved: (\S+) had not ended after 1 s, .* once more, for 5 s")


@pytest.fixture
def starved(boot_machine, tmp_path):
    """starved(command line, until): a boot in which QEMU has a twentieth of its time at most."""

    def run(command_line, until="# verdict: "):
        program = tmp_path / "starving-qemu"
        qemu = "qemu-system-x86_64"
        program.write_text(STARVING.format(python=sys.executable, qemu=qemu, until=until))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return boot_machine(qemu=str(program), command_line=command_line)

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
    boot = starved(f"test={name} timeout=1", until="once more")
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert ONCE_MORE.findall(boot.text) == [name], boot.explain()


def test_a_machine_that_has_its_time_is_not_starved(boot_machine):
    boot = boot_machine(command_line="test=selftest.deliberate_hang timeout=1")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "starved" not in boot.text and "hung: no end after 1 s" in boot.text
