# SPDX-License-Identifier: GPL-2.0-or-later
"""Is what perf and GDB show what the program did? Each check returns a sentence a difference.

`steps` is the truth: every instruction of the program in the order of execution (program.py).
"""

from clients.linux.output import KERNEL, counts, history, is_user, pairs, plain, stacks
from clients.linux.program import Kind

# Linux runs straight on for no longer than this without a branch that is taken.
STRAIGHT_ON = 1 << 16
MOST = 3


def few(sentences):
    """The first ones, and how many more there are."""
    more = len(sentences) - MOST
    return sentences[:MOST] + ([f"and {more} more"] if more > 0 else [])


def shown(pair):
    """A branch in hexadecimal."""
    return f"{pair[0]:x} => {pair[1]:x}"


def first_difference(got, wanted):
    """Where two lists of branches part."""
    for place, (one, other) in enumerate(zip(got, wanted)):
        if one != other:
            return f"branch {place} is {shown(one)}, the program did {shown(other)}"
    return f"{len(got)} branches, the program did {len(wanted)}"


def trace(lines, steps):
    """A branch trace of ring 3 holds every taken branch, once, in order.

    Records that lead to the kernel or out of it are a choice: they are left out.
    """
    got = [pair for pair in pairs(lines) if is_user(pair)]
    wanted = [step.pair for step in steps if step.taken]
    return [] if got == wanted else [first_difference(got, wanted)]


def whole_trace(lines, steps):
    """The same, of both rings: and from each TO, execution runs straight on to the next FROM."""
    every, found = pairs(lines), trace(lines, steps)
    for (_, before), (start, _) in zip(every, every[1:]):
        if not before <= start < before + STRAIGHT_ON:
            found.append(f"a branch leads to {before:x}, the next comes from {start:x}")
    if not any(pair[0] >= KERNEL and pair[1] >= KERNEL for pair in every):
        found.append("no branch inside the kernel")
    return few(found)


def piece(stack, branches):
    """Whether a branch stack, newest first, is a piece of the branches, as they are in a row."""
    chain = stack[::-1]
    return any(
        branches[place : place + len(chain)] == chain
        for place, branch in enumerate(branches)
        if branch == chain[0]
    )


def branch_stacks(lines, steps, kinds, depth, samples):
    """Each sample's stack is a piece of those branches of the program that the filter lets in."""
    branches = [step.pair for step in steps if step.taken and step.kind in kinds]
    got = [[pair for pair in stack if is_user(pair)] for _, stack in stacks(lines)]
    found = [
        f"a stack that the program never had: {' '.join(map(shown, stack))}"
        for stack in got
        if stack and not piece(stack, branches)
    ]
    # The sample's own interrupt may have taken an entry, which Linux takes out.
    deepest = max(map(len, got), default=0)
    if deepest not in (depth - 1, depth):
        found.append(f"the deepest stack has {deepest} branches, expected {depth}")
    if len(got) < samples:
        found.append(f"{len(got)} samples, expected {samples}")
    return few(found)


def calls_at(steps):
    """By the address of an instruction, the calls that have not returned, newest first."""
    found, calls = {}, []
    for step in steps:
        found[step.start] = calls[::-1]
        if step.kind in (Kind.CALL, Kind.CALL_INDIRECT):
            calls = [*calls, step.pair]
        elif step.kind == Kind.RET:
            calls = calls[:-1]
    return found


def call_stacks(lines, steps, samples):
    """In call-stack mode each sample holds the calls that have not returned where it was taken."""
    truth, got = calls_at(steps), stacks(lines)
    found = [
        f"at {place:x} the calls are {' '.join(map(shown, stack)) or 'none'}"
        for place, stack in got
        if truth.get(place) != stack
    ]
    if not any(stack for _, stack in got):
        found.append("no sample has a call")
    if len(got) < samples:
        found.append(f"{len(got)} samples, expected {samples}")
    return few(found)


def precise(lines, places, period):
    """A sample's address is that of the event that it counted to.

    places: the addresses of all events in order. From one sample to the next lie as many events as
    the period, or one more: whether the one that stores the record counts after the reload is open.
    So is whether the first one is that of the overflow or the one after it.
    """
    samples = [int(line, 16) for line in filter(str.strip, lines)]
    at = {-1}
    for number, address in enumerate(samples):
        steps = {place + period + more for place in at for more in (0, 1)}
        at = {place for place in steps if place < len(places) and places[place] == address}
        if not at:
            return [f"sample {number} is at {address:x}: no event {period} behind the one before"]
    least = len(places) // (period + 1)
    return [] if len(samples) >= least else [f"{len(samples)} samples, expected {least}"]


def counted(lines, wanted):
    """A counter of ring 3 shows exactly what the program did."""
    got = counts(lines)
    return [
        f"{event}: counted {got.get(plain(event))}, the program did {number}"
        for event, number in wanted.items()
        if got.get(plain(event)) != number
    ]


def debugged(lines, steps):
    """GDB has worked out each instruction from the branches, but for the last one, where it is."""
    got, wanted = history(lines), [step.start for step in steps[:-1]]
    if got == wanted:
        return []
    for number, (one, other) in enumerate(zip(got, wanted), 1):
        if one != other:
            return [f"instruction {number} is at {one:x}, the program's at {other:x}"]
    told = f"{len(got)} instructions, the program did {len(wanted)}"
    return [line for line in lines if "Could not" in line] or [told]


def kernel_log(lines, wanted, refused):
    """The kernel's log has every line that is wanted, and none that is refused."""
    text = "\n".join(lines)
    missing = [f"the kernel does not say '{words}'" for words in wanted if words not in text]
    bad = [line for line in lines if any(words in line for words in refused)]
    return few(missing + [f"the kernel says: {line}" for line in bad])
