# SPDX-License-Identifier: GPL-2.0-or-later
"""One try of one bay: switched on, its log followed to the end, switched off, looked at.

A log need not go on where it shows another image than the expected one, or a second start.
"""

import asyncio
import functools
import threading
import time
from dataclasses import dataclass, replace

import ktap
import slots
import transport
from power import Switch, prepare
from console import forget_old, last_words, open_console
from judge import Judgement
from log_lines import Follower, split_lines
from machine import LabError, Machine
from line_kinds import IMAGE, TOTAL_TIME, VERSION
from result_store import lines_of_log, now
from trouble import Kind, Trouble
from witnesses import judge_outcome

SWITCHED_ON = 300  # seconds until a board's first byte: firmware is slow, and memory is trained
RUN_LESS = ("test", "list", "dry-run")  # a pass is one of less then
CLOCK = 0.75  # of what a kernel says of its time are true at least


@dataclass
class Try:
    """The result of a try. trouble: None if the log was judged without trouble."""

    number: int
    started: str
    log_path: object
    seconds: float = 0
    came_in: float | None = None  # seconds from the switch on to the last byte; None: emulated
    judgement: Judgement | None = None
    trouble: Trouble | None = None

    def row(self):
        """For the store."""
        trouble = self.trouble
        return {
            "started": self.started,
            "seconds": round(self.seconds, 3),
            "trouble": str(trouble.kind) if trouble else "",
            "told": str(trouble) if trouble else "; ".join(self.judgement.reasons[:5]),
            "log": str(self.log_path) if self.log_path.is_file() else None,
        }

    def reached_the_kernel(self):
        return bool(self.judgement and self.judgement.log and self.judgement.log.root)


class Trier:
    """Tries one bay; emulator: the program of a QEMU bay. locks: where its groups have places.
    tell: told what a person is to do."""

    def __init__(self, rack, bay, emulator, locks, tell):
        self.rack, self.bay, self.emulator, self.locks = rack, bay, emulator, locks
        self.tell = tell
        self.switch = Switch(bay)
        self.dropped = b""  # what the line said before the board was on

    def can_cycle(self):
        return self.bay.qemu is not None or self.switch.exists()

    async def once(self, number, log_path):
        """Raises only when cancelled. The board is still on afterwards, see off()."""
        started, begin = now(), time.monotonic()
        tried = Try(number, started, log_path)
        watch = Watch(self.bay.image)
        try:
            outcome = await self.get_log(tried, watch)
            tried.judgement = await in_thread(judge_outcome, outcome, self.bay.options)
            tried.trouble = what_is_the_matter(self.bay, outcome, tried, watch)
        except Trouble as trouble:
            tried.trouble = trouble
        except (LabError, OSError) as error:
            tried.trouble = Trouble(Kind.LAB, str(error))
        finally:
            tried.seconds = time.monotonic() - begin
        return tried

    async def get_log(self, tried, watch):
        stop = threading.Event()
        if self.bay.qemu is not None:
            return await in_thread(
                transport.boot,
                *(self.machine(), tried.log_path, self.limits(stop), silently, watch),
                stop=stop,
            )
        return await self.listen(tried, watch, stop)

    async def listen(self, tried, watch, stop):
        """A board's log. It is off before; whoever has tried enough switches it off."""
        again = tried.number > 1 and self.switch.has_cycle()
        if not again:
            await self.switch.off_for_a_while()
        await prepare(self.bay)
        port = await in_thread(open_console, self.bay, unwanted=lambda port: port.close())
        try:
            await self.wait_until_quiet(port)
            clock = transport.Clock(self.limits(stop))
            hear = functools.partial(transport.receive, port)
            arguments = (hear, tried.log_path, clock, silently, watch)
            listening = asyncio.ensure_future(in_thread(transport.keep, *arguments, stop=stop))
            await self.switch_on(again, listening, stop)
            outcome = await listening
            tried.came_in = clock.last - clock.start
            outcome.messages = last_words(port)
            return outcome
        finally:
            await in_thread(port.close)

    async def wait_until_quiet(self, port):
        """What comes before it is this board's turn to be switched on is old."""
        self.dropped += await in_thread(forget_old, port)
        await slots.wait_for_turn(self.locks, [self.rack.groups[n] for n in self.bay.groups])
        self.dropped += await in_thread(forget_old, port, 0)

    async def switch_on(self, again, listening, stop):
        """Who listens is told to end where that does not succeed."""
        try:
            if not self.switch.exists():
                self.tell("switch it on now")
            await (self.switch.cycle() if again else self.switch.on())
        except BaseException:
            stop.set()
            await asyncio.wait([listening])
            raise

    async def off(self):
        """The machine is off when this comes back, or there is a Trouble that says why not."""
        if self.bay.qemu is not None:
            return None
        try:
            # A task of its own: that this one was cancelled must not shorten its time limits.
            await asyncio.ensure_future(self.switch.off())
        except Trouble as trouble:
            return trouble
        return None

    def machine(self):
        table = dict(self.bay.qemu)
        processors = table.pop("smp", Machine.processors)
        return Machine(
            qemu=self.emulator,
            processors=processors,
            iso=self.rack.iso,
            command_line=self.bay.options,
            **table,
        )

    def was_dropped(self, log):
        """Is this log, to the letter, among what came before the board was on?"""
        text = "\n".join(lines_of_log(log))
        return bool(text) and text in "\n".join(split_lines(self.dropped))

    def limits(self, stop):
        """The usual ones grow with what the kernel is asked; what the rack file names stands."""
        limits = transport.stretched(transport.Limits(stop=stop), self.bay.options)
        named = self.bay.seconds
        first = 0 if self.bay.qemu is not None else SWITCHED_ON + named.power
        return replace(
            limits,
            total=named.total or limits.total,
            silence=named.silence or limits.silence,
            first=named.first or first,
        )


def silently(_):
    """Nobody watches the log of a bay as it comes."""


async def in_thread(function, *arguments, stop=None, unwanted=None):
    """
    In a thread of the loop's executor. Cancelled, it sets `stop` and waits for the thread: what is
    being written is whole then, and an emulator has ended. unwanted: gets what nobody takes then.
    """
    future = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if stop:
            stop.set()
        await asyncio.wait([future])
        if unwanted and not future.exception():
            await in_thread(unwanted, future.result())
        raise


def what_is_the_matter(bay, outcome, tried, watch):
    """The Trouble of a try whose log has ended, or None."""
    judgement = tried.judgement
    silent = outcome.is_silent()
    if outcome.timed_out and silent:
        return Trouble(Kind.SILENT, f"not one byte in {outcome.seconds:.0f} s")
    if watch.is_wrong():
        return Trouble(Kind.WRONG_IMAGE, watch.wrong())
    if outcome.timed_out:
        return Trouble(Kind.HANG, judgement.reasons[-1] if judgement.reasons else "a hang")
    log = judgement.log
    if outcome.stopped or log.restarted_at:
        return Trouble(Kind.RESTARTED, "the machine started again before the verdict")
    if too_soon := sooner_than_it_ran(tried):
        return Trouble(Kind.OLD_LOG, too_soon)
    if bay.qemu is None and log.verdict is None:
        return closed(outcome, silent)
    return wrong_words(bay, judgement, watch)


def sooner_than_it_ran(tried):
    """Why the log cannot be of this run, or ""."""
    times = [float(m[1]) / 1000 for m in map(TOTAL_TIME.fullmatch, tried.judgement.log.lines) if m]
    if tried.came_in is None or not times or tried.came_in >= CLOCK * max(times):
        return ""
    return (
        f"the log came sooner than its kernel can have run: {tried.came_in:.1f} s after the board"
        f" was switched on, and it says that it ran for {max(times):.1f} s"
    )


def closed(outcome, silent):
    said = f": {outcome.messages}" if outcome.messages else ""
    if silent:
        return Trouble(Kind.DEAD_CONSOLE, f"the console closed before a byte came{said}")
    return Trouble(Kind.CLOSED, f"the console closed before the verdict{said}")


def wrong_words(bay, judgement, watch):
    """An image or options that are not those of the rack file."""
    if judgement.log.root is None:
        return None
    if wrong := watch.wrong():
        return Trouble(Kind.WRONG_IMAGE, wrong)
    there, wanted = judgement.log.command_line(), bay.options.split()
    missing = [word for word in wanted if word not in there]
    more = [w for w in there if wanted and w not in wanted and w.split("=")[0] in RUN_LESS]
    if not missing and not more:
        return None
    said = [f"without {' '.join(missing)}"] if missing else []
    said += [f"with {' '.join(more)} that the rack file does not name"] if more else []
    text = f"the kernel was started with '{' '.join(there)}', {' and '.join(said)}"
    return Trouble(Kind.WRONG_OPTIONS, text)


def nothing_judged(status, reasons, advice=""):
    """A judgement where there is no log, or one that is not to be judged."""
    return Judgement(status, reasons, ktap.read(b""), advice=advice)


class Watch:
    """Called with bytes as they come, cut anywhere: has enough been heard of this log?

    expected: what must stand behind "# btscheck:"; "" takes any. A "-dirty" or another suffix is
    another image. Prefixes and checksums of the lines are taken off, as the judge does.
    """

    def __init__(self, expected):
        self.expected, self.image = expected, None
        self.starts = 0  # of a kernel
        self.follower = Follower()

    def __call__(self, chunk):
        for line in self.follower.heard(chunk):
            self.starts += line == VERSION
            if self.image is None and line.startswith(IMAGE):
                self.image = line.removeprefix(IMAGE)
        return self.is_wrong() or self.starts > 1

    def is_wrong(self):
        """None has come yet: nothing is wrong yet."""
        return bool(self.expected and self.image is not None and self.image != self.expected)

    def wrong(self):
        """The sentence about it at the end of a log; "" where all is well."""
        if not self.expected or self.image == self.expected:
            return ""
        if self.image is None:
            return f"the log names no image, expected '{self.expected}'"
        return f"the image is '{self.image}', expected '{self.expected}'"
