# SPDX-License-Identifier: GPL-2.0-or-later
"""Logs of a machine that started twice: neither run hides the other."""

import pytest
from judge import Status, judge
from judge_logs import CRASHED, FAILING, GOOD, changed, raw

DAMAGED = changed(("KTAP version 1\n# btscheck", "KTAP v\0rsion 1\n# btscheck"), text=FAILING)
BEFORE_A_GOOD_LOG = {
    "rest_of_a_failure": FAILING[FAILING.index("  1..1") :],
    "result_alone": "  not ok 7 somewhere\n",
    "plan_alone": "1..2\n",
    "subtest_alone": "  # Subtest: probe\n",
    "verdict_alone": "# verdict: FAIL\n",
    "first_line_damaged": DAMAGED,
    "first_line_damaged_and_cut_off": DAMAGED[: DAMAGED.index("    # a diag")],
    "first_line_damaged_and_cut_off_in_the_head": DAMAGED[: DAMAGED.index("1..2")],
    "panic": CRASHED,
}


@pytest.mark.parametrize("name", BEFORE_A_GOOD_LOG)
def test_good_log_does_not_hide_the_one_before(name):
    judgement = judge(raw(BEFORE_A_GOOD_LOG[name] + GOOD), None)
    assert judgement.status == Status.CUT_OFF, judgement.reasons
    assert "started again" in judgement.reasons[0]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("GNU GRUB  version 2.06\n", Status.DISAGREE),
        (GOOD[: GOOD.index("1..2")], Status.CUT_OFF),
        (GOOD, Status.CUT_OFF),
    ],
)
def test_restart_after_the_verdict_is_named(more, status):
    """A board's log has no exit status; under an emulator nobody restarts anything."""
    judgement = judge(raw(GOOD + more), None)
    assert judgement.status == status
    number = raw(GOOD).count(b"\n")
    assert f"restarted? cut the log after line {number}" in " ".join(judgement.reasons)
    lines = raw(GOOD + more).split(b"\n")[:number]
    assert judge(b"\n".join(lines) + b"\n").status == Status.PASS
    assert "restarted?" not in " ".join(judge(raw(GOOD[:300] + GOOD)).reasons)


def test_second_start_is_a_reset():
    judgement = judge(raw(GOOD[: GOOD.index("# time")] + GOOD), None)
    assert judgement.status == Status.CUT_OFF
    assert "started again" in judgement.reasons[0]
