# SPDX-License-Identifier: GPL-2.0-or-later
"""transport.hear(): a log over a line that never ends by itself, to its verdict or its limits.

A clock that counts what was read stands for time, so that each way to an end is met exactly.
"""

import itertools

import pytest
from judge_logs import GOOD
from transport import hear, never

LIMIT = 30  # chunks
QUIET = 5  # so many without a byte are silence
LINES = GOOD.encode().splitlines(keepends=True)
VERDICT = next(number for number, line in enumerate(LINES) if b"# verdict: " in line)
TALK = b"the loader has the line again\n"


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
