# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces as a file of speedscope: a profile each, functions over the ordinals of branches.

A missing, extra or altered record is a frame of its own on top, one branch wide.
"""

from call_stack import stacks

SCHEMA = "https://www.speedscope.app/file-format-schema.json"  # the format's name for itself


class Frames:
    """The frames of the file, each name once."""

    def __init__(self):
        self.numbers = {}

    def number(self, name):
        return self.numbers.setdefault(name, len(self.numbers))

    def listed(self):
        return [{"name": name} for name in self.numbers]


def mark_of(step, symbols):
    source, target = symbols.place(step.source), symbols.place(step.target)
    text = f"{step.difference.upper()} {step.kind or 'record'}: {source} => {target}"
    if step.expected:
        text += f", expected {' => '.join(str(symbols.place(each)) for each in step.expected)}"
    return text


def columns(trace, symbols):
    """(number, keys, names) of the frames that are open from each step on; a key is one frame's."""
    for step, stack in stacks(trace, symbols):
        keys, names = list(stack), [str(frame) for frame in stack]
        if step.difference:
            keys.append(step.number)
            names.append(mark_of(step, symbols))
        yield step.number, keys, names


def events_of(trace, symbols, frames):
    """Frames open and close, the innermost first."""
    events, open_keys, open_names = [], [], []
    for number, keys, names in [*columns(trace, symbols), (end_of(trace), [], [])]:
        same = 0
        while same < min(len(keys), len(open_keys)) and keys[same] == open_keys[same]:
            same += 1
        for name in reversed(open_names[same:]):
            events.append({"type": "C", "at": number, "frame": frames.number(name)})
        for name in names[same:]:
            events.append({"type": "O", "at": number, "frame": frames.number(name)})
        open_keys, open_names = keys, names
    return events


def end_of(trace):
    return trace.steps[-1].number + 1


def profile_of(trace, symbols, frames):
    return {
        "type": "evented",
        "name": trace.name(),
        "unit": "none",
        "startValue": trace.steps[0].number,
        "endValue": end_of(trace),
        "events": events_of(trace, symbols, frames),
    }


def speedscope_file(traces, symbols, version):
    """A JSON-able object. version: of btscheck, as the log has it."""
    frames = Frames()
    profiles = [profile_of(trace, symbols, frames) for trace in traces if trace.steps]
    return {
        "$schema": SCHEMA,
        "exporter": f"btscheck {version}",
        "name": "branch records",
        "activeProfileIndex": 0,
        "shared": {"frames": frames.listed()},
        "profiles": profiles,
    }
