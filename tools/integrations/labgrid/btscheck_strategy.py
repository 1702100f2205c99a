# SPDX-License-Identifier: GPL-2.0-or-later
"""A board's states under labgrid: off, booting, judged. The verdict is that of tools/lab.

Needs only a PowerProtocol and a ConsoleProtocol with read(), which 0.4.1 and the versions with a
coordinator of their own have.
"""

import enum
import sys
import time
from dataclasses import replace
from pathlib import Path

import attr
from attr.converters import optional
from labgrid import step, target_factory
from labgrid.strategy import Strategy, StrategyError
from pexpect import TIMEOUT

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

from errors import LabError  # noqa: E402
from judge import judge  # noqa: E402
from transport import Clock, CommandLineWatch, Limits, keep, own_log  # noqa: E402

CHUNK = 4096  # bytes
MOMENT = 0.2  # seconds that a read waits for so many
LEFTOVERS = 5.0  # seconds, at most, to hear what a line still holds of an earlier run


class State(enum.Enum):
    """unknown: whatever it was left in."""

    unknown = 0
    off = 1
    booting = 2
    judged = 3


@target_factory.reg_driver
@attr.s(eq=False)
class BtscheckStrategy(Strategy):
    """off: no power. booting: switched on, and nothing that it says is lost. judged: its log is
    in the file `log`, `judgement` is what tools/lab says of it, and the board is off again.

    LabError says in words why a board cannot be switched or heard.
    """

    bindings = {"power": "PowerProtocol", "console": "ConsoleProtocol"}

    log = attr.ib(default="build/log/labgrid.ktap", validator=attr.validators.instance_of(str))
    first = attr.ib(default=300.0, converter=float)  # seconds to the first byte
    silence = attr.ib(default=None, converter=optional(float))  # … without a byte
    total = attr.ib(default=None, converter=optional(float))  # … from power to verdict
    status = attr.ib(default=State.unknown)
    judgement = attr.ib(default=None, init=False)
    seconds = attr.ib(default=0.0, init=False)

    @step(args=["status"])
    def transition(self, status, *, step):  # pylint: disable=redefined-outer-name
        """status: a State or its name. From booting the way leads to judged or off, never back."""
        status = State[status] if isinstance(status, str) else status
        if status == self.status:
            step.skip("nothing to do")
            return
        if status == State.unknown:
            raise StrategyError("nobody can want a board in a state that is unknown")
        {State.off: self.go_off, State.booting: self.boot, State.judged: self.hear_out}[status]()
        self.status = status

    def go_off(self):
        self.in_words("switched off", self.target.activate, self.power)
        self.in_words("switched off", self.power.off)

    def boot(self):
        """The console comes first: a board that nobody hears yet would lose its beginning."""
        self.judgement = None
        with own_log(Path(self.log)):
            pass  # what it holds is another run's
        self.transition(State.off)  # pylint: disable=missing-kwoa
        self.in_words("heard", self.target.activate, self.console)
        self.forget_leftovers()
        self.in_words("switched on", self.power.on)

    def hear_out(self):
        """Off again, whatever comes: a power command may have failed half way."""
        try:
            self.transition(State.booting)  # pylint: disable=missing-kwoa
            outcome = self.listen()
        finally:
            self.target.deactivate(self.console)
            self.status = State.unknown
            self.go_off()
            self.status = State.off
        self.seconds = outcome.seconds
        self.judgement = judge(outcome.raw, None, outcome.timed_out)

    def listen(self):
        """Limits that env.yaml does not name grow with what the kernel is asked."""
        usual, asked = Limits(first=self.first), CommandLineWatch()
        total, silence = self.total or usual.total, self.silence or usual.silence
        clock = Clock(replace(usual, total=total, silence=silence))

        def heard(chunk):
            if words := asked.heard(chunk):
                clock.grow(words, self.total is None, self.silence is None)

        return keep(self.hear, Path(self.log), clock, heard)

    def hear(self):
        """Some bytes, b"" when none came for a moment, None when the line is gone."""
        try:
            return self.console.read(size=CHUNK, timeout=MOMENT)
        except TIMEOUT:
            return b""
        except OSError:
            return None

    def forget_leftovers(self):
        until = time.monotonic() + LEFTOVERS
        while time.monotonic() < until and self.hear():
            pass

    @staticmethod
    def in_words(what, action, *arguments):
        try:
            action(*arguments)
        except Exception as error:
            said = getattr(error, "output", None) or b""
            words = said.decode("utf-8", "replace").strip() if isinstance(said, bytes) else said
            raise LabError(f"the board cannot be {what}: {words or error}") from error
