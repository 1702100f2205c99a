# SPDX-License-Identifier: GPL-2.0-or-later
"""Who may go on: places in files that the system gives back whatever becomes of their holder.

So a limit holds over all rack processes that share a store, and a killed one holds nobody up.
"""

import asyncio
import contextlib
import fcntl
import time

LOOK_AGAIN = 0.1  # seconds
A_LOOK = 1.0  # seconds; longer than `rack status` holds a lock


def try_lock(path):
    """The open file, held; None where another holds it."""
    handle = open(path, "ab")  # pylint: disable=consider-using-with
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        return None
    return handle


@contextlib.contextmanager
def held(handle):
    """Yields whether it is a lock, which is given back behind that."""
    try:
        yield handle is not None
    finally:
        if handle:
            handle.close()


def locked(path):
    """Yields whether it is ours."""
    return held(try_lock(path))


@contextlib.asynccontextmanager
async def locked_soon(path):
    """As locked(), for who wants to keep it: one that only looks (locked) is gone at once."""
    handle, until = try_lock(path), time.monotonic() + A_LOOK
    while handle is None and time.monotonic() < until:
        await asyncio.sleep(LOOK_AGAIN)
        handle = try_lock(path)
    with held(handle) as ours:
        yield ours


@contextlib.asynccontextmanager
async def first_free(paths):
    """One of them is ours; waits until one is free."""
    while not (handle := next(filter(None, map(try_lock, paths)), None)):
        await asyncio.sleep(LOOK_AGAIN)
    with handle:
        yield


def place(folder, name, number):
    """One of a group's `number` places."""
    return first_free([folder / f"group-{name}.{each}" for each in range(number)])


async def wait_for_turn(folder, groups):
    """Until in each of the groups `seconds_between` have gone since a bay was switched on."""
    groups = [each for each in sorted(groups, key=lambda g: g.name) if each.seconds_between]
    async with contextlib.AsyncExitStack() as held:
        for each in groups:
            await held.enter_async_context(first_free([folder / f"turn-{each.name}.lock"]))
        await asyncio.sleep(max((seconds_left(folder, each) for each in groups), default=0))
        for each in groups:
            turn_of(folder, each).write_text(str(time.time()), encoding="ascii")


def turn_of(folder, group):
    """The file that holds when the last bay of the group was switched on."""
    return folder / f"turn-{group.name}"


def seconds_left(folder, group):
    """A clock that was put back makes nobody wait longer."""
    try:
        gone = time.time() - float(turn_of(folder, group).read_text(encoding="ascii"))
    except (ValueError, OSError):
        return 0  # nobody was, yet
    return min(max(0, group.seconds_between - gone), group.seconds_between)
