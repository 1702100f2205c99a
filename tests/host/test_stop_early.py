# SPDX-License-Identifier: GPL-2.0-or-later
"""When a boot is over: at the failure that was waited for, at the verdict, at its limits.

transport.hear() reads a line that never ends by itself. A clock that counts what was read stands
for time, so that each way to an end is met exactly.
"""

import contextlib
import itertools
import time
from dataclasses import replace
from pathlib import Path

import plan
import pytest
from judge import Status
from judge_logs import GOOD, changed, raw
from outcome import CAUGHT, judge_fault
from stop_early import FailureWatch
from test_laboratory import boots, laboratory  # noqa: F401 pylint: disable=unused-import
from test_matrix import BROKEN, TESTS, a_fault
from transport import hear, never

# Two tests fail, the first one in a subtest, the second one twice; an erratum explains a third.
TWO = """\
KTAP version 1
1..2
  KTAP version 1
  # Subtest: probe
  1..3
    KTAP version 1
    # Subtest: ds_area
    1..2
    # claims: X-1
    not ok 1 one
    ok 2 two
  not ok 1 ds_area
  # claims: X-4
  ok 2 excused # XFAIL HSD53 x1
  ok 3 fine
not ok 1 probe
  KTAP version 1
  # Subtest: other
  1..1
  # breaks X-2
  # claims: X-3
  not ok 1 ds_area
not ok 2 other
# totals: planned=4 run=4 pass=1 fail=2 skip=0 xfail=1 timeout=0
"""
FIRST, SECOND = TWO.index("  # claims: X-4"), TWO.index("not ok 2 other")
LIMIT = 30  # chunks
QUIET = 5  # so many without a byte are silence
LINES = GOOD.encode().splitlines(keepends=True)
VERDICT = next(number for number, line in enumerate(LINES) if b"# verdict: " in line)
TALK = b"the loader has the line again\n"


def said_at(watch, text, size):
    """How much of the log has been told when the watch says that it is enough; None: never."""
    data = text.replace("\n", "\r\n").encode()
    for start in range(0, len(data), size):
        if watch(data[start : start + size]):
            return len(data[: start + size].decode().replace("\r\n", "\n"))
    return None


@pytest.mark.parametrize(
    ("claims", "known", "where"),
    [
        (None, [], FIRST),
        (["X-1"], [], FIRST),
        (["X-2"], [], SECOND),
        (["X-3", "X-1"], [], SECOND),
        (["X-4"], [], None),
        (["X-1", "X-5"], [], None),
        ([], [], None),
        (None, ["probe.ds_area"], SECOND),
        (["X-1"], ["probe.ds_area"], None),
        (["X-2"], ["probe.ds_area"], SECOND),
        (None, ["probe.ds_area", "other.ds_area"], None),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 7, 50, 4096])
def test_enough_is_said_when_the_last_claim_was_named(claims, known, where, size):
    at = said_at(FailureWatch(claims, known), TWO, size)
    if where is None:
        assert at is None
    else:
        assert where <= at <= where + size


def test_a_log_that_passes_is_never_enough():
    assert said_at(FailureWatch(), GOOD, 5) is None


SLOW = """
import contextlib
import time
path = re.search(r"file,path=(\\S+),id=com1", words)[1]
data = open({bad!r}, "rb").read()
end = data.index(b"not ok 1 encodings") + 20
open(path, "ab").write(data[:end])
if "x-ds-fault=" in words:
    time.sleep(40)
open(path, "ab").write(data[end:])
sys.exit(35)
"""


def test_the_machine_is_ended_at_the_failure(laboratory, tmp_path):  # noqa: F811
    """And the result is kept; what the log says behind it was not needed."""
    text = changed(("    not ok 2 tr1", "    # claims: X-1\n    not ok 2 tr1"), text=BROKEN)
    (tmp_path / "bad").write_bytes(raw(text))
    fake = Path(laboratory.qemu)
    head = fake.read_text().split("name, code")[0]
    fake.write_text(head + SLOW.format(bad=str(tmp_path / "bad")))
    healthy = replace_failures(laboratory.run(plan.Case("haswell")))
    case, fault, start = plan.Case("skylake", fault="broken"), a_fault("X-1"), time.monotonic()
    found = laboratory.run_fault(case, fault, healthy)
    assert time.monotonic() - start < 20
    assert (found.status, found.failed) == (Status.FAIL.name, ["table17_6.encodings"])
    assert found.broken == ["X-1"] and judge_fault(fault, found) == CAUGHT
    before = len(boots(laboratory))
    assert laboratory.run_fault(case, fault, healthy) == found
    assert len(boots(laboratory)) == before


def replace_failures(outcome):
    return replace(outcome, failed=[], broken=[])


def test_it_waits_for_all_claims_that_the_tests_declare(laboratory):  # noqa: F811
    """What the healthy processor fails too is not waited for, nor what no test of these checks."""
    focus, fault = "test=" + ",".join(TESTS), a_fault("X-1", "X-2")
    passed = laboratory.run(plan.Case("skylake"))
    assert laboratory.enough(fault, passed, focus).wanted == {"X-1"}
    failing = replace(passed, failed=["table17_6.encodings"], broken=["X-1"])
    watch = laboratory.enough(fault, failing, focus)
    assert watch.wanted == set() and watch.known == {"table17_6.encodings"}


class Recorded:
    """Snapshots that only note what they are asked for."""

    def __init__(self):
        self.asked = []

    @contextlib.contextmanager
    def resumed(self, machine, cpu):
        self.asked.append(cpu)
        yield machine


def test_only_faults_begin_at_the_kernels_entry(laboratory):  # noqa: F811
    """From the state of the same processor without the fault; a long command line has no room."""
    laboratory.snapshots, case = Recorded(), plan.Case("skylake", plan.BARE, "broken")
    laboratory.run(case.healthy())
    assert laboratory.snapshots.asked == []
    laboratory.run(case)
    assert laboratory.snapshots.asked == [case.healthy().cpu(laboratory.profiles)]
    laboratory.run(case, "test=" + "x" * 700)
    assert len(laboratory.snapshots.asked) == 1 and len(boots(laboratory)) == 3


class Reads:
    """Reads chunks, then for ever what comes behind them; its own clock."""

    def __init__(self, chunks, behind):
        self.chunks, self.done, self.last = itertools.chain(chunks, itertools.repeat(behind)), 0, 0

    def read(self):
        self.done += 1
        return next(self.chunks)

    def heard(self):
        self.last = self.done

    def expired(self):
        return self.done >= LIMIT or self.done - self.last >= 2 * QUIET

    def silent_for(self, _seconds):
        return self.done - self.last >= QUIET

    def seconds(self):
        return self.done


def heard(chunks, behind, enough=never):
    reads, told = Reads(chunks, behind), []
    outcome = hear(reads.read, reads, told.append, enough)
    assert outcome.raw == b"".join(told) and outcome.exit_code is None
    return outcome


ENDS = {"talks on": TALK, "is silent": b"", "ends": None}


@pytest.mark.parametrize("behind", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("lines", range(len(LINES) + 1))
def test_time_is_up_only_where_no_verdict_came(lines, behind):
    """The log cut behind any of its lines, and what may come then."""
    all_at_once = [b"".join(LINES[:lines])] if lines else []
    outcome = heard(all_at_once, behind)
    assert outcome.timed_out == (lines <= VERDICT and behind is not None)
    assert outcome.raw.startswith(b"".join(LINES[:lines]))


def test_it_listens_on_behind_the_verdict_until_the_line_is_silent():
    outcome = heard([GOOD.encode(), TALK, b"", TALK], b"")
    assert outcome.raw.count(TALK) == 2 and not outcome.timed_out


def test_who_has_heard_enough_ends_it():
    outcome = heard([TALK, TALK], TALK, enough=lambda chunk: True)
    assert outcome.stopped and not outcome.timed_out and outcome.raw == TALK
