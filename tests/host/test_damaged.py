# SPDX-License-Identifier: GPL-2.0-or-later
"""Logs damaged at random: no exception, a status of the table, and no PASS that is not one."""

import difflib
import random

import pytest
from damage import PREFIXES, damaged, text_of, with_prefix
from judge import Status, judge
from outcomes import PATIENT
from judgement_text import ENDED_WELL
from judge_logs import FAILING, GOOD, raw

SEED = 20261126
SMALL = f"test=probe.*availab*,freeze.* {PATIENT}"
# What is booted -> (options, damaged so many times)
LOGS = {
    "pass": (SMALL, 3000),
    "compact": (f"{SMALL} log=compact", 1500),
    "summed": (f"{SMALL} log=full,sum", 1500),
    "fail": ("test=selftest.deliberate_failure,selftest.deliberate_subtest_failure", 1500),
    "soak": ("test=probe.*availab* repeat=2s", 1500),
    "skip": ("test=circular.*", 1500),
    "crash": ("test=selftest.deliberate_crash", 1000),
}
STATUS = {"fail": Status.FAIL, "crash": Status.CRASH, "skip": Status.SKIP}
STOCK = ("skip",)  # QEMU without a Debug Store


def others():
    """Logs of other boards, to be mixed in."""
    return [text_of(raw(text)).replace("\r\n", "\n") for text in (GOOD, FAILING)]


def explain(seed, log, damage, judgement, folder):
    """The message of a failed assertion, with the first lines that differ; the log is kept."""
    path = folder / f"{seed}.ktap"
    path.write_bytes(damage.raw)
    new = text_of(damage.raw).replace("\r", "").split("\n")
    lines = list(difflib.unified_diff(log.split("\n"), new, lineterm="", n=0))[:20]
    told = f"seed {seed}, {damage.how}: {judgement.status!r} {judgement.reasons}, see {path}"
    return "\n".join([told, *map(repr, lines)])


@pytest.fixture
def log(boot_machine, emulator, request):
    """The text of one that the kernel sent."""
    qemu = {} if request.param in STOCK else {"qemu": emulator}
    boot = boot_machine(**qemu, command_line=LOGS[request.param][0])
    assert boot.judgement.status == STATUS.get(request.param, Status.PASS), boot.explain()
    return text_of(boot.outcome.raw).replace("\r\n", "\n")


@pytest.mark.parametrize(("log", "name"), [(name, name) for name in LOGS], indirect=["log"])
def test_damaged_log_never_passes(log, name, tmp_path):
    for seed in range(LOGS[name][1]):
        damage = damaged(f"{SEED} {name} {seed}", log, others())
        exit_code = random.Random(seed).choice((None, None, None, 33, 35, 0))
        judgement = judge(damage.raw, exit_code)
        if is_wrong(judgement, damage, name):
            pytest.fail(explain(seed, log, damage, judgement, tmp_path))


def is_wrong(judgement, damage, name):
    """A pass of a log that is not whole or never was one, or a failure where none was.

    What is whole may be another log, behind the first lines of this one, which nothing checks.
    """
    if damage.is_other:
        return False
    if judgement.status in ENDED_WELL:
        return not damage.is_whole or judgement.status != STATUS.get(name, Status.PASS)
    return judgement.status == Status.FAIL and name != "fail"


@pytest.mark.parametrize("log", ["summed"], indirect=True)
def test_prefix_alone_changes_nothing(log):
    """Of a real log, with its checksums."""
    for prefix in PREFIXES:
        judgement = judge(with_prefix(prefix, log).encode())
        assert judgement.status == Status.PASS, (prefix, judgement.reasons)
        assert judgement.log.received.sums.good and not judgement.log.received.sums
