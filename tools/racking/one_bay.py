# SPDX-License-Identifier: GPL-2.0-or-later
"""One bay from its place in the queue to its row in the store: at most two tries, one result."""

import asyncio
import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path

import slots
from booting import undo
from judge import Judgement, Status
from one_try import Trier, in_thread, nothing_judged
from printed import severity
from program import explain
from result_store import lock_folder
from trouble import NEXT, Kind, Trouble

from run_data import run_data

TRIED_AGAIN = (Kind.HANG, Kind.SILENT)  # once more, after a power cycle


@dataclass
class Result:
    """What came of a bay."""

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
        self.logs = rack.store.with_suffix(".logs") / bay.board
        self.trier = Trier(rack, bay, emulator, self.locks)

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
            run, number = await in_thread(self.store.begin, self.rack.name, self.bay)
            try:
                result = await self.tries(run, number)
            except asyncio.CancelledError:
                asyncio.current_task().uncancel()
                result = await self.interrupted(run, number)
            except Exception as error:  # pylint: disable=broad-except
                trouble = Trouble(Kind.LAB, explain(error)[1])
                result = await self.kept(run, number, [], trouble, of_trouble(trouble))
            with contextlib.suppress(Exception):
                await undo(self.bay)
            return result

    def refused(self, trouble):
        return Result(self.bay, trouble.status, str(trouble), trouble.advice, str(trouble.kind))

    async def tries(self, run, number):
        """A board that hangs, or says nothing, is switched off and on once."""
        self.tell(self.bay, "starts")
        try:
            tried = await self.once_or_twice(run, number)
        finally:
            if left_on := await self.trier.off():
                self.tell(self.bay, f"{left_on}; {left_on.advice}")
        trouble, judgement = verdict_of(tried)
        if left_on and not trouble:
            trouble, judgement = left_on, with_trouble(judgement, left_on)
        return await self.kept(run, number, tried, trouble, judgement)

    async def once_or_twice(self, run, number):
        tried = [await self.one(run, number, 1)]
        trouble = tried[0].trouble
        if trouble and trouble.kind in TRIED_AGAIN and self.trier.can_cycle():
            self.tell(self.bay, f"{trouble}; switched off and on, tried again")
            tried.append(await self.one(run, number, 2))
        return tried

    async def one(self, run, number, each):
        tried = await self.trier.once(each, self.logs / f"{number}-{each}.ktap")
        await in_thread(self.store.add_try, run, each, tried.row())
        return tried

    async def interrupted(self, run, number):
        """The machine is off by now."""
        trouble = Trouble(Kind.INTERRUPTED, "the rack was interrupted while this ran")
        return await self.kept(run, number, [], trouble, of_trouble(trouble))

    async def kept(self, run, number, tried, trouble, judgement):
        """The result, once it is in the store."""
        result = Result(
            **{"bay": self.bay, "status": judgement.status, "number": number},
            **{"trouble": str(trouble.kind) if trouble else "", "tries": len(tried)},
            told="; ".join((judgement.reasons[:3] or [judgement.meaning()[0]]) + judgement.remarks),
            advice=judgement.meaning()[1],
            seconds=sum(each.seconds for each in tried),
            log=max(self.logs.glob(f"{number}-?.ktap"), default=None),
        )
        await in_thread(self.finish, run, result, judgement, tried)
        return result

    def finish(self, run, result, judgement, tried):
        data = run_data(
            judgement,
            board=self.bay.board,
            when=tried[0].started if tried else None,
            log_path=result.log,
            seconds=round(result.seconds, 3),
        )
        told = f"{result.told}; {result.advice}" if result.advice else result.told
        self.store.finish(run, data, tries=result.tries, trouble=result.trouble, told=told)


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
    if first.reached_the_kernel():
        once = f"it hung once ({first.trouble}), and after a power cycle: {judgement.status.name}"
        worse = max(judgement.status, first.trouble.status, key=severity)
        reasons = [once, *judgement.reasons]
        advice = NEXT[Kind.HANG][1]
        return first.trouble, Judgement(worse, reasons, judgement.log, judgement.remarks, advice)
    judgement.remarks.append(f"the first try never reached the kernel: {first.trouble}")
    return None, judgement


def same(first, last):
    return first.trouble.kind == last.trouble.kind


def judged(tried):
    """The judgement of one try, its trouble told; a list of tests tested nothing: a skip."""
    trouble, judgement = tried.trouble, tried.judgement
    if judgement is None:
        return of_trouble(trouble)
    if judgement.listed():
        judgement.status = Status.SKIP
    if trouble is None:
        return judgement
    if trouble.kind == Kind.WRONG_IMAGE:
        return Judgement(trouble.status, [str(trouble)], judgement.log, advice=trouble.advice)
    return with_trouble(judgement, trouble)


def with_trouble(judgement, trouble):
    """The worse of the two, the trouble told first."""
    worse = max(judgement.status, trouble.status, key=severity)
    reasons = [each for each in judgement.reasons if each != str(trouble)]
    return Judgement(
        worse, [str(trouble), *reasons], judgement.log, judgement.remarks, trouble.advice
    )


def of_trouble(trouble):
    return nothing_judged(trouble.status, [str(trouble)], trouble.advice)


def tell_on(stream=sys.stderr):
    """A tell() that writes lines."""

    def tell(bay, text):
        print(f"{bay.name}: {text}", file=stream, flush=True)

    return tell
