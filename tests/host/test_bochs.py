# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole runs under a second engine, on processors that enumerate registers that are not there.

Bochs gives its models the CPUID of what they are named after, but neither counters nor a Debug
Store. An access to a register that it lacks raises #GP, or is dropped.
"""

import bochs
import pytest
from judge import Status

# (model, does CPUID enumerate DS and counters?, are accesses dropped?)
MACHINES = [
    ("corei7_haswell_4770", True, False),
    ("core2_penryn_t9600", True, True),
    ("ryzen", False, False),
    ("athlon64_venice", False, True),
]
CLAIMS = {"DS-1", "DS-2", "DS-3", "FRZ-1"}  # of registers that are there, or take a bit


@pytest.mark.parametrize("model, enumerates, drops", MACHINES)
def test_run_comes_to_its_end(iso, tmp_path, model, enumerates, drops):
    if missing := bochs.what_is_missing():
        pytest.skip(f"no Bochs, `make setup` installs it: there is no {', '.join(missing)}")
    judgement, outcome = bochs.boot(iso, tmp_path, model, drops)
    told = f"{judgement.status!r} {judgement.reasons[:20]} {outcome.messages[-500:]}"
    assert judgement.status == (Status.FAIL if enumerates else Status.SKIP), told
    log = judgement.log
    # It says nowhere that it is no board, and its serial line takes as long as a real one.
    assert log.is_compact() and "us for a byte" in log.header()["log"]
    assert log.totals["run"] == log.totals["planned"] > 200
    assert not [line for line in log.lines if "hung: " in line or "the test ended before" in line]
    failed = {path.split(".")[0] for path, leaf in log.leaves() if not leaf.ok}
    suites = {"probe", "beside", "counters", "freeze", "isr"}
    assert failed == (suites if enumerates else set()), told
    assert not enumerates or CLAIMS <= broken_claims(log)
    refused = [line for line in log.lines if "raised #GP at bracket_on" in line]
    assert bool(refused) == (enumerates and not drops)


def broken_claims(log):
    lines = [line for line in log.lines if line.startswith("# broken claims: ")]
    return set(lines[0].split(": ")[1].split())
