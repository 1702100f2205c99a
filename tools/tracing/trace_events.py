# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces as trace-event JSON, for Perfetto and what else reads it.

A process for each trace, a thread for each ring, a slice for each branch: from the branch up to the
next one, named after the label that it led to. Arrows go from ring to ring, and missing, extra or
altered records have a thread of their own.
"""


UNKNOWN_RING = 4  # their threads' numbers
DIFFERENCES = 5
BRANCH = "branch"  # the category; where an arrow has another one, not all readers bind it
NOTE = "ts is the ordinal of a branch, not a time"
THREADS = {UNKNOWN_RING: "ring not known", DIFFERENCES: "differences"}


def rings_of(step, symbols):
    """Before and after; where the test does not know them, by the addresses."""
    return step.rings or tuple(symbols.ring(each) for each in step.way)


def thread_of(ring):
    return UNKNOWN_RING if ring is None else ring


def named(process, thread, what, name):
    return {"ph": "M", "pid": process, "tid": thread, "name": what, "args": {"name": name}}


def arguments(step, symbols):
    rings = rings_of(step, symbols)
    found = {
        "kind": step.kind or "?",
        "from": str(symbols.place(step.source)),
        "to": str(symbols.place(step.target)),
        "from_address": f"0x{step.source:x}",
        "to_address": f"0x{step.target:x}",
        "ordinal": step.number,
        "rings": ">".join("?" if ring is None else str(ring) for ring in rings),
        "rings_by": "truth" if step.rings else "address",
        "recorded": step.is_got,
    }
    if step.flags is not None:
        found["flags"] = f"0x{step.flags:x}"
    if step.expected:
        found["expected_from"], found["expected_to"] = (
            str(symbols.place(each)) for each in step.expected
        )
    return found


def slice_of(process, step, symbols):
    """What the processor went on with. pid and tid make a track, on which slices never overlap."""
    return {
        "ph": "X",
        "pid": process,
        "tid": thread_of(rings_of(step, symbols)[1]),
        "ts": step.number,
        "dur": 1,
        "name": symbols.place(step.way[1]).label,
        "cat": BRANCH,
        "args": arguments(step, symbols),
    }


def difference_of(process, step, symbols):
    return {
        "ph": "X",
        "pid": process,
        "tid": DIFFERENCES,
        "ts": step.number,
        "dur": 1,
        "name": f"{step.difference} {step.kind or 'record'}",
        "cat": "difference",
        "cname": "terrible",
        "args": arguments(step, symbols),
    }


def arrow(process, number, last, step, symbols):
    """From the slice of the step that was executed last to the one of this step."""
    before, after = (thread_of(ring) for ring in rings_of(step, symbols))
    common = {"pid": process, "name": "ring", "cat": BRANCH, "id": number}
    return [
        {"ph": "s", "tid": before, "ts": last, **common},
        {"ph": "f", "bp": "e", "tid": after, "ts": step.number, **common},
    ]


def steps_events(process, trace, symbols, arrows):
    """arrows: how many there were in the processes before."""
    before = None
    for step in trace.steps:
        if step.difference:
            yield difference_of(process, step, symbols)
        if not step.is_executed:
            continue
        rings = rings_of(step, symbols)
        if before and before[1] == rings[0] != rings[1]:
            arrows.append(step)
            yield from arrow(process, len(arrows), before[0], step, symbols)
        before = step.number, rings[1]
        yield slice_of(process, step, symbols)


def trace_of(process, trace, symbols, arrows):
    events = list(steps_events(process, trace, symbols, arrows))
    yield named(process, 0, "process_name", trace.name())
    yield {**named(process, 0, "process_sort_index", ""), "args": {"sort_index": process}}
    for thread in sorted({event["tid"] for event in events}):
        yield named(process, thread, "thread_name", THREADS.get(thread, f"ring {thread}"))
    yield from events


def trace_event_file(traces, symbols, version):
    """A JSON-able object. version: of btscheck, as the log has it."""
    events, arrows = [], []
    for process, trace in enumerate(traces, 1):
        events += trace_of(process, trace, symbols, arrows)
    return {
        "displayTimeUnit": "ns",
        "otherData": {"note": NOTE, "exporter": f"btscheck {version}"},
        "traceEvents": events,
    }
