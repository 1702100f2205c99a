# SPDX-License-Identifier: GPL-2.0-or-later
"""The bays of a rack, all at once as far as its limits allow; Ctrl-C and SIGTERM end them in order.

Each goes from its place in the queue to its row in the store: at most two tries, one result.
"""

import asyncio
import contextlib
import functools
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import slots
from judge import Judgement, Status
from judgement_text import severity
from machine import LabError
from one_try import Trier, in_thread, nothing_judged
from power import undo
from program import Terminated, explain
from result_store import lock_folder, logs_folder, sum_of_log
from run_data import run_data
from trouble import NEXT, Kind, Trouble

TRIED_AGAIN = (Kind.HANG, Kind.SILENT, Kind.OLD_LOG)  # once more, after a power cycle
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
THREADS = 3  # for each bay: its console, its power, the store


@dataclass
class Result:
    """The result of a bay."""

    bay: object
    status: Status
    told: str  # why, in one sentence
    advice: str = ""  # what to do next
    trouble: str = ""
    number: int | None = None  # of the board's run in the store; None: there is none
    tries: int = 0
    seconds: float = 0
    log: Path | None = None


class BayRun:
    """rack: the whole rack; emulator: of QEMU bays; tell: told each step, a sentence."""

    def __init__(self, rack, bay, store, emulator, tell):
        self.rack, self.bay, self.store = rack, bay, store
        self.tell = tell
        self.locks = lock_folder(rack.store)
        self.logs = logs_folder(rack.store) / bay.board
        self.trier = Trier(rack, bay, emulator, self.locks, functools.partial(tell, bay))
        self.tried, self.left_on = [], None

    async def run(self, parallel):
        """Waits for its places, and never raises: the other bays go on."""
        try:
            async with contextlib.AsyncExitStack() as held:
                for name in sorted(self.bay.groups):
                    group = self.rack.groups[name]
                    place = slots.place(self.locks, name, group.on_at_once)
                    await held.enter_async_context(place)
                await held.enter_async_context(parallel)
                return await self.run_alone()
        except asyncio.CancelledError:
            return self.refused(Trouble(Kind.INTERRUPTED, "it was not started"))
        except Exception as error:  # pylint: disable=broad-except
            return self.refused(Trouble(Kind.LAB, explain(error)[1]))

    async def run_alone(self):
        """Nobody else uses the board meanwhile."""
        async with slots.locked_soon(self.locks / f"board-{self.bay.board}") as is_ours:
            if not is_ours:
                return self.refused(Trouble(Kind.BUSY, "another rack process runs this board"))
            (run, number), cancelled = await whole(self.store.begin, self.rack.name, self.bay)
            try:
                if cancelled:
                    raise asyncio.CancelledError
                result = await self.tries(run, number)
            except asyncio.CancelledError:
                asyncio.current_task().uncancel()
                trouble = Trouble(Kind.INTERRUPTED, "the rack was interrupted while this ran")
                result = await self.kept(run, number, trouble, of_trouble(trouble))
            except Exception as error:  # pylint: disable=broad-except
                trouble = Trouble(Kind.LAB, explain(error)[1])
                result = await self.kept(run, number, trouble, of_trouble(trouble))
            with contextlib.suppress(Exception):
                await undo(self.bay)
            return result

    def refused(self, trouble):
        return Result(self.bay, trouble.status, str(trouble), trouble.advice, str(trouble.kind))

    async def tries(self, run, number):
        """A board that hangs, or says nothing, is switched off and on once."""
        self.tell(self.bay, "starts")
        try:
            await self.once_or_twice(run, number)
        finally:
            self.left_on = await self.trier.off()
        trouble, judgement = verdict_of(self.tried)
        if self.left_on and not trouble:
            said = f"the log before that says {judgement.status.name}"
            trouble, judgement = self.left_on, with_trouble(judgement, self.left_on)
            judgement.remarks.append(said)
        return await self.kept(run, number, trouble, judgement)

    async def once_or_twice(self, run, number):
        await self.one(run, number, 1)
        trouble = self.tried[0].trouble
        if trouble and trouble.kind in TRIED_AGAIN and self.trier.can_cycle():
            self.tell(self.bay, f"{trouble}; switched off and on, tried again")
            await self.one(run, number, 2)

    async def one(self, run, number, each):
        tried = await self.trier.once(each, self.logs / f"{number}-{each}.ktap")
        self.tried.append(tried)
        try:
            await in_thread(self.doubt, run, tried)
            await in_thread(self.store.add_try, run, each, tried.row())
        except LabError as error:
            self.tell(self.bay, f"this try is not in the store: {error}")

    def doubt(self, run, tried):
        """No two runs of a board take the same milliseconds: that is an old log."""
        log = tried.judgement.log if tried.judgement else None
        if self.bay.qemu is not None or tried.trouble or not log.verdict:
            return
        known = self.store.run_with_log(run, sum_of_log(log))
        where = f"run {known}" if known else "what was said before the board was on"
        if known or self.trier.was_dropped(log):
            text = f"the log is old, to the letter that of {where}"
            tried.trouble = Trouble(Kind.OLD_LOG, text)

    async def kept(self, run, number, trouble, judgement):
        """The result, once it is in the store."""
        told = (judgement.reasons[:3] or [judgement.meaning()[0]]) + judgement.remarks
        if self.left_on and str(self.left_on) != str(trouble):
            told.append(f"the board may still be on: {self.left_on}")
        result = Result(
            bay=self.bay,
            status=judgement.status,
            number=number,
            trouble=str(trouble.kind) if trouble else "",
            tries=len(self.tried),
            told="; ".join(told),
            advice=judgement.meaning()[1],
            seconds=sum(each.seconds for each in self.tried),
            log=max(self.logs.glob(f"{number}-?.ktap"), default=None),
        )
        try:
            await whole(self.finish, run, result, judgement)
        except LabError as error:
            result.status = max(result.status, Status.ERROR, key=severity)
            result.trouble = result.trouble or str(Kind.LAB)
            result.told += f"; this is not in the store: {error}"
        return result

    def finish(self, run, result, judgement):
        data = run_data(
            judgement,
            board=self.bay.board,
            when=self.tried[0].started if self.tried else None,
            log_path=result.log,
            seconds=round(result.seconds, 3),
        )
        told = f"{result.told}; {result.advice}" if result.advice else result.told
        self.store.finish(
            run=run,
            data=data,
            tries=result.tries,
            trouble=result.trouble,
            told=told,
            log_sum=sum_of_log(judgement.log),
        )


async def whole(function, *arguments):
    """In a thread, to its end: (what it returns, whether we were cancelled meanwhile)."""
    future = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    cancelled = False
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            asyncio.current_task().uncancel()
            cancelled = True
    return future.result(), cancelled


def verdict_of(tried):
    """
    (the trouble, or None; one judgement) of one or two tries.

    A hang in the kernel is not made good by a second try that passes: it is the worse of the two.
    Where the first one never came to the kernel, nothing is known of the processor from it.
    """
    first, last = tried[0], tried[-1]
    judgement = judged(last)
    if len(tried) == 1:
        return first.trouble, judgement
    if last.trouble:
        judgement.reasons.insert(
            0, "in both of two tries" if same(first, last) else str(first.trouble)
        )
        return last.trouble, judgement
    if first.trouble.kind != Kind.OLD_LOG and first.reached_the_kernel():
        once = f"it hung once ({first.trouble}), and after a power cycle: {judgement.status.name}"
        worse = max(judgement.status, first.trouble.status, key=severity)
        reasons = [once, *judgement.reasons]
        advice = NEXT[Kind.HANG][1]
        return first.trouble, Judgement(worse, reasons, judgement.log, judgement.remarks, advice)
    judgement.remarks.append(f"the first try told nothing of the kernel: {first.trouble}")
    return None, judgement


def same(first, last):
    return first.trouble.kind == last.trouble.kind


def judged(tried):
    """The judgement of one try, with its trouble reported."""
    trouble, judgement = tried.trouble, tried.judgement
    if judgement is None:
        return of_trouble(trouble)
    if trouble is None:
        return judgement
    if trouble.kind in (Kind.WRONG_IMAGE, Kind.OLD_LOG):
        return Judgement(trouble.status, [str(trouble)], judgement.log, advice=trouble.advice)
    return with_trouble(judgement, trouble)


def with_trouble(judgement, trouble):
    """The worse of the two; the trouble is reported first."""
    worse = max(judgement.status, trouble.status, key=severity)
    reasons = [each for each in judgement.reasons if each != str(trouble)]
    return Judgement(
        worse, [str(trouble), *reasons], judgement.log, judgement.remarks, trouble.advice
    )


def of_trouble(trouble):
    return nothing_judged(trouble.status, [str(trouble)], trouble.advice)


def print_states_to(stream=sys.stderr):
    """A tell() that writes lines."""

    def tell(bay, text):
        with contextlib.suppress(OSError):  # a full disk ends no run
            print(f"{bay.name}: {text}", file=stream, flush=True)

    return tell


def run_rack(rack, bays, store, emulator, tell):
    """Result of each of the bays, in their order. After a signal, when all machines are off:
    KeyboardInterrupt or Terminated."""
    results, number = asyncio.run(run_bays(rack, bays, store, emulator, tell))
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    if number:
        raise Terminated(number)
    return results


async def run_bays(rack, bays, store, emulator, tell):
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(THREADS * len(bays) + 1))
    parallel = asyncio.Semaphore(rack.parallel)
    tasks = [
        asyncio.ensure_future(one(BayRun(rack, bay, store, emulator, tell), parallel, tell))
        for bay in bays
    ]
    caught = catch_signals(loop, tasks)
    return await asyncio.gather(*tasks), caught[0] if caught else None


async def one(bay_run, parallel, tell):
    result = await bay_run.run(parallel)
    tell(result.bay, f"{result.status.name}: {result.told}")
    return result


def catch_signals(loop, tasks):
    """The list of signals that came; the first cancels everything, the others change nothing."""
    caught = []

    def end(number):
        caught.append(number)
        if len(caught) == 1:
            for task in tasks:
                task.cancel()

    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, end, number)
    return caught
