# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces as text in the form that `perf script` has for branches: one a line.

Time stamps are the ordinals of branches, in seconds. What was not recorded is a line of comment.
"""

COMMAND = "btscheck"

# What perf calls them; a kind that is not here has no word.
WORDS = {
    "JMP": "jmp",
    "JMP indirect": "jmp",
    "far JMP": "jmp",
    "Jcc": "jcc",
    "LOOP": "jcc",
    "JRCXZ": "jcc",
    "CALL": "call",
    "CALL indirect": "call",
    "far CALL": "call",
    "RET": "return",
    "far RET": "return",
    "INT n": "int",
    "INT n in real-address mode": "int",
    "INT3": "int",
    "INTO": "int",
    "INT1": "int",
    "exception": "int",
    "debug exception": "int",
    "instruction breakpoint": "int",
    "data breakpoint": "int",
    "interrupt": "hw int",
    "IRET": "iret",
    "SYSCALL": "syscall",
    "SYSENTER": "syscall",
    "SYSRET": "sysret",
    "SYSEXIT": "sysret",
    "transaction abort": "tx abrt",
}


def privilege(step, symbols):
    """The event's modifier, with its colon: in which ring FROM was."""
    ring = step.rings[0] if step.rings else symbols.ring(step.source)
    return "" if ring is None else "k:" if ring == 0 else "u:"


def address(value, symbols):
    place = symbols.place(value)
    name = "[unknown]" if place.symbol is None else f"{place.symbol}+0x{place.offset:x}"
    return f"{value:16x} {name} ({symbols.path.name if symbols.path else '[unknown]'})"


def branch_line(process, step, symbols):
    event = f"branches:{privilege(step, symbols)}"
    return (
        f"{COMMAND:>16} {process:5} [000] {step.number:5}.000000: {1:10} {event:>12}"
        f"   {WORDS.get(step.kind, ''):<21}  {address(step.source, symbols)}"
        f" => {address(step.target, symbols)}"
    )


def comment_line(step, symbols):
    source, target = symbols.place(step.way[0]), symbols.place(step.way[1])
    word = step.difference or "not recorded, as it may be"
    kind = f" {step.kind}" if step.kind else ""
    return f"# {step.number}: {word}:{kind} {source} => {target}"


def head_lines(process, trace):
    yield f"# process {process}: {trace.name()}"
    yield (
        f"# steps {trace.first} to {trace.first + trace.shown - 1} of {trace.steps_in_all}; "
        "the time is the number of the step"
    )
    yield from (f"# damaged: {problem}" for problem in trace.problems)


def branch_text(traces, symbols):
    """A process for each trace."""
    lines = []
    for process, trace in enumerate(traces, 1):
        lines += head_lines(process, trace)
        for step in trace.steps:
            if step.difference or not step.is_got:
                lines.append(comment_line(step, symbols))
            if step.is_got:
                lines.append(branch_line(process, step, symbols))
    return "\n".join(lines) + "\n"
