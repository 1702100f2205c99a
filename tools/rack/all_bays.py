# SPDX-License-Identifier: GPL-2.0-or-later
"""All bays of a rack at once, as far as its limits allow; Ctrl-C and SIGTERM end them in order."""

import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor

from one_bay import BayRun
from program import Terminated

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
THREADS = 3  # for each bay: its console, its BMC, the store


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
