# SPDX-License-Identifier: GPL-2.0-or-later
"""One try of one bay: switched on, its log followed to the end, switched off, looked at."""

import asyncio
import functools
import threading
import time
from dataclasses import dataclass, replace

import ktap
import slots
import transport
from booting import prepare
from console import forget_old, open_console
from judge import Judgement
from machine import LabError, Machine
from power import Switch
from result_store import now
from trouble import Kind, Trouble
from watching import ImageWatch
from witnesses import judge_outcome

SWITCHED_ON = 300  # seconds until a board's first byte: firmware is slow, and memory is trained


@dataclass
class Try:
    """What came of it. trouble: None where the log was judged and nothing was the matter."""

    number: int
    started: str
    log_path: object
    seconds: float = 0
    judgement: Judgement | None = None
    trouble: Trouble | None = None

    def row(self):
        """For the store."""
        trouble = self.trouble
        return {
            **{"started": self.started, "seconds": round(self.seconds, 3)},
            **{"trouble": str(trouble.kind) if trouble else ""},
            "told": str(trouble) if trouble else "; ".join(self.judgement.reasons[:5]),
            "log": str(self.log_path) if self.log_path.is_file() else None,
        }

    def reached_the_kernel(self):
        return bool(self.judgement and self.judgement.log and self.judgement.log.root)


class Trier:
    """Tries one bay; emulator: the program of a QEMU bay. locks: where its groups have places."""

    def __init__(self, rack, bay, emulator, locks):
        self.rack, self.bay, self.emulator, self.locks = rack, bay, emulator, locks
        self.switch = Switch(bay)

    def can_cycle(self):
        return self.bay.qemu is not None or self.switch.exists()

    async def once(self, number, log_path):
        """Never raises but when it is cancelled; a board is still on behind it, see off()."""
        started, begin = now(), time.monotonic()
        tried = Try(number, started, log_path)
        watch = ImageWatch(self.bay.image)
        try:
            outcome = await self.get_log(number, log_path, watch)
            tried.judgement = await in_thread(judge_outcome, outcome, self.bay.options)
            tried.trouble = what_is_the_matter(self.bay, outcome, tried.judgement, watch)
        except Trouble as trouble:
            tried.trouble = trouble
        except (LabError, OSError) as error:
            tried.trouble = Trouble(Kind.LAB, str(error))
        finally:
            tried.seconds = time.monotonic() - begin
        return tried

    async def get_log(self, number, log_path, watch):
        stop = threading.Event()
        if self.bay.qemu is not None:
            return await in_thread(
                transport.boot,
                *(self.machine(), log_path, self.limits(stop), silently, watch),
                stop=stop,
            )
        return await self.listen(number, log_path, watch, stop)

    async def listen(self, number, log_path, watch, stop):
        """A board's log. It is off before; whoever has tried enough switches it off."""
        again = number > 1 and self.switch.has_cycle()
        if not again:
            await self.switch.off_for_a_while()
        await prepare(self.bay)
        port = await in_thread(open_console, self.bay)
        try:
            if self.switch.exists() and not again:
                await in_thread(forget_old, port)
            clock = transport.Clock(self.limits(stop))
            hear = functools.partial(transport.receive, port)
            arguments = (hear, log_path, clock, silently, watch)
            listening = asyncio.ensure_future(in_thread(transport.keep, *arguments, stop=stop))
            await self.switch_on(again, listening, stop)
            return with_messages(await listening, port)
        finally:
            await in_thread(port.close)

    async def switch_on(self, again, listening, stop):
        """Who listens is told to end where that does not succeed."""
        try:
            for name in self.bay.groups:
                await slots.wait_for_turn(self.locks, self.rack.groups[name])
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


def with_messages(outcome, port):
    """What a tool that showed the console complained of."""
    if words := getattr(port, "last_words", str)():
        outcome.messages = words
    return outcome


async def in_thread(function, *arguments, stop=None):
    """
    In a thread of the loop's executor. Cancelled, it sets `stop` and waits for the thread: what is
    being written is whole then, and an emulator has ended.
    """
    future = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if stop:
            stop.set()
        await asyncio.wait([future])
        raise


def what_is_the_matter(bay, outcome, judgement, watch):
    """The Trouble of a try whose log has ended, or None."""
    silent = not outcome.raw.strip(b"\0\xff\r\n ")
    if outcome.timed_out and silent:
        return Trouble(Kind.SILENT, f"not one byte in {outcome.seconds:.0f} s")
    if watch.is_wrong():
        return Trouble(Kind.WRONG_IMAGE, watch.wrong())
    if outcome.timed_out:
        return Trouble(Kind.HANG, judgement.reasons[-1] if judgement.reasons else "a hang")
    log = judgement.log
    if bay.qemu is None and log.verdict is None and not log.restarted_at:
        return closed(outcome, silent)
    return wrong_words(bay, judgement, watch)


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
    there = judgement.log.command_line()
    if missing := [word for word in bay.options.split() if word not in there]:
        return Trouble(
            Kind.WRONG_OPTIONS,
            f"the kernel was started with '{' '.join(there)}', without {' '.join(missing)}",
        )
    return None


def nothing_judged(status, reasons, advice=""):
    """A judgement where there is no log, or one that is not to be judged."""
    return Judgement(status, reasons, ktap.read(b""), advice=advice)
