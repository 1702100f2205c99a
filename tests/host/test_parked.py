# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the machine's other processors are at the verdict, as QEMU's monitor shows."""

import re
import subprocess
import time

import pytest
from machine import Machine
from qmp import Monitor

PATIENCE = 120.0  # seconds
PROCESSORS = 8  # more than are used for tests
TESTS = "test=selftest.other_processor_works,selftest.every_processor_comes,init.*"
AFTER_INIT = 0xFFFF0000
STATE = re.compile(r"\bII=\d A20=\d SMM=(\d) HLT=(\d)\nES =.*\nCS =\w+ (\w{8,16}) ")
PARK = 0x4000  # LOW_PARK of arch/cpu/smp/processors.h


def processors_at_the_end(emulator, iso, folder, variation):
    """(log, [(in SMM, halted, base of CS) of the others])"""
    log, path = folder / "log", folder / "monitor"
    machine = Machine(
        qemu=emulator,
        iso=iso,
        processors=PROCESSORS,
        monitor=path,
        variation=variation,
        command_line=f"exit=halt {TESTS}",
    )
    with subprocess.Popen(machine.arguments(f"file,path={log}")) as process:
        try:
            end = time.monotonic() + PATIENCE
            while not (log.exists() and re.search(rb"# verdict: .*\n", log.read_bytes())):
                assert time.monotonic() < end, "no verdict"
                time.sleep(0.1)
            monitor = Monitor(path)
            told = monitor.ask("info registers -a").replace("\r", "")
            monitor.close()
        finally:
            process.kill()
    found = [(int(smm), int(hlt), int(base, 16)) for smm, hlt, base in STATE.findall(told)]
    assert len(found) == PROCESSORS, told
    return log.read_text(), found[1:]


@pytest.mark.parametrize("variation", ["hypervisor=off", ""])
def test_on_a_board_they_stand_still_outside_init(emulator, iso, tmp_path, variation):
    """Those that tests used, and those that were called once."""
    log, others = processors_at_the_end(emulator, iso, tmp_path, variation)
    assert "# verdict: PASS" in log, log
    start = int(re.search(r"# starting for a trial: .*, at 0x(\w+)", log)[1], 16)
    assert others == [(0, 1, start + PARK if variation else AFTER_INIT)] * (PROCESSORS - 1)
