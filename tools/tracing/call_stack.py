# SPDX-License-Identifier: GPL-2.0-or-later
"""Which calls are open after each branch of a trace, as far as its branches show.

A trace begins anywhere, and records may be missing. A return closes calls back to the nearest open
one of its target. A return to an unknown place opens a frame if it changes ring; otherwise the
stack stays.
"""

from dataclasses import dataclass, replace

CALLS = {"CALL", "CALL indirect", "far CALL"}
RETURNS = {"RET", "far RET", "IRET", "SYSRET", "SYSEXIT"}
EVENTS = {
    "INT n",
    "INT n in real-address mode",
    "INT3",
    "INTO",
    "INT1",
    "exception",
    "debug exception",
    "instruction breakpoint",
    "data breakpoint",
    "interrupt",
    "SYSCALL",
    "SYSENTER",
}


@dataclass(frozen=True)
class Frame:
    """A call, and the label within it where the processor is."""

    label: str
    function: str
    ring: int | None
    since: int  # number of the step that opened it: another call is another frame

    def __str__(self):
        return f"{self.label} [ring {'?' if self.ring is None else self.ring}]"

    def is_in(self, other):
        return (self.function, self.ring) == (other.function, other.ring)


def rings_of(step, symbols):
    """Before and after; where the test does not know them, by the addresses."""
    return step.rings or tuple(symbols.ring(each) for each in step.way)


def frame_of(place, ring, number):
    return Frame(place.label, place.function, ring, number)


def goes_back(step, crosses):
    """May it lead to a call that is open?"""
    return step.kind is None or step.kind in RETURNS or (step.kind in EVENTS and crosses)


def goes_in(step, place, crosses):
    """Does it lead into something that a way back is to be expected from?"""
    if step.kind is None:
        return crosses or (place.symbol == place.function and place.offset == 0)
    return crosses or step.kind in EVENTS


def follow(stack, step, symbols):
    """The calls that are open behind a step that was executed."""
    place = symbols.place(step.way[1])
    before, after = rings_of(step, symbols)
    frame = frame_of(place, after, step.number)
    if step.kind in CALLS:
        return stack + [frame]
    if goes_back(step, before != after):
        for depth in range(len(stack) - 1, 0, -1):
            if frame.is_in(stack[depth - 1]):
                return stack[: depth - 1] + [replace(frame, since=stack[depth - 1].since)]
    if not frame.is_in(stack[-1]) and goes_in(step, place, before != after):
        return stack + [frame]
    if step.kind in EVENTS:
        return stack + [frame]
    return stack[:-1] + [replace(frame, since=stack[-1].since)]


def stacks(trace, symbols):
    """(step, calls that are open from it up to the next one), for each step."""
    if not trace.steps:
        return
    first = trace.steps[0]
    ring = rings_of(first, symbols)[0]
    stack = [frame_of(symbols.place(first.way[0]), ring, first.number)]
    for step in trace.steps:
        if step.is_executed:
            stack = follow(stack, step, symbols)
        yield step, stack
