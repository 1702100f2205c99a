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
def locked(path):
    """Yields whether it is ours."""
    handle = try_lock(path)
    try:
        yield handle is not None
    finally:
        if handle:
            handle.close()


@contextlib.asynccontextmanager
async def locked_soon(path):
    """As locked(), for who wants to keep it: one that only looks (locked) is gone at once."""
    handle, until = try_lock(path), time.monotonic() + A_LOOK
    while handle is None and time.monotonic() < until:
        await asyncio.sleep(LOOK_AGAIN)
        handle = try_lock(path)
    try:
        yield handle is not None
    finally:
        if handle:
            handle.close()


@contextlib.asynccontextmanager
async def place(folder, name, number):
    """One of `number` places; waits until one is free."""
    handle = None
    try:
        while handle is None:
            for each in range(number):
                if handle := try_lock(folder / f"group-{name}.{each}"):
                    break
            else:
                await asyncio.sleep(LOOK_AGAIN)
        yield
    finally:
        if handle:
            handle.close()


async def wait_for_turn(folder, group):
    """
    Until `seconds_between` have gone since another bay of the group was switched on.

    The file's time is when the last one was; a clock that was put back makes nobody wait longer.
    """
    if not group.seconds_between:
        return
    path = folder / f"group-{group.name}.turn"
    async with place(folder, f"{group.name}.turn", 1):
        path.touch(exist_ok=True)
        with contextlib.suppress(ValueError, OSError):
            gone = time.time() - float(path.read_text(encoding="ascii") or 0)
            await asyncio.sleep(min(max(0, group.seconds_between - gone), group.seconds_between))
        path.write_text(str(time.time()), encoding="ascii")
