# SPDX-License-Identifier: GPL-2.0-or-later
"""What perf and GDB are asked in the guest, part by part, and what each answer must be.

A part is a `perf record` of the program and a `perf script` of what was recorded; the last three
ask for counts, for GDB's history of a branch trace, and for the kernel's log.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from clients.linux import checks
from clients.linux.output import BEGIN, END, FINISHED
from clients.linux.program import Kind

# Linux refuses shorter ones than 128 for precise distribution on newer processors.
PERIOD = 131
DATA = "/tmp/data"
PROGRAM = "/program"
CALLS = {Kind.CALL, Kind.CALL_INDIRECT}
# The kinds of branches that each of perf's filters lets in.
FILTERS = {
    "any": {kind for kind in Kind if kind > Kind.NOT_TAKEN and kind != Kind.SYSCALL},
    "any_call": CALLS,
    "any_ret": {Kind.RET},
    "call": {Kind.CALL},
    "ind_call": {Kind.CALL_INDIRECT},
    "ind_jmp": {Kind.JMP_INDIRECT},
    "cond": {Kind.JCC},
}
# What no kernel may say that likes its processor.
REFUSED = (
    "WARNING:",
    "BUG:",
    "unchecked MSR access",
    "Call Trace:",
    "unknown reason",
    "irq loop stuck",
    "PMU not available",
    "Broken",
    "AUX data lost",
)


@dataclass(frozen=True)
class Part:
    """Its name, two commands of perf's, and the check of what the second one prints."""

    name: str
    record: str
    script: str
    check: Callable


def user(machine, name, precise=""):
    """An event of a row, in ring 3 alone, as perf wants it: e:u, or unit/e/u of a hybrid."""
    event = machine[name]
    return f"{event}{'' if event.endswith('/') else ':'}u{precise}"


def traces():
    """Branch traces of ring 3 alone, and of both rings."""
    fields = "--itrace=b -F ip,addr"
    record = "--per-thread -e intel_bts//"
    yield Part("bts_user", record + "u", fields, checks.trace)
    yield Part("bts_both", record, fields, checks.whole_trace)


def stacks(machine, steps):
    """Branch stacks through each filter, and in call-stack mode, at every so many branches."""
    branches = f"-e {user(machine, 'counted_branches')} -c {PERIOD}"
    samples = sum(step.branch for step in steps) // (2 * PERIOD)
    for name, kinds in FILTERS.items():

        def check(lines, steps, kinds=kinds):
            return checks.branch_stacks(lines, steps, kinds, machine["depth"], samples)

        yield Part(f"lbr_{name}", f"{branches} -j {name},u", "-F ip,brstack", check)
    if machine.get("call_stack_mode", True):
        yield Part(
            "lbr_stack",
            f"{branches} -j stack,u",
            "-F ip,brstack",
            lambda lines, steps: checks.call_stacks(lines, steps, samples),
        )


def samples(machine):
    """PEBS: branches and instructions; the address of the event, or of the next instruction."""

    def part(name, event, precise, places):
        record = f"-e {user(machine, event, precise)} -c {PERIOD} -d"
        return Part(
            name,
            record,
            "-F ip",
            lambda lines, steps: checks.precise(lines, places(steps), PERIOD),
        )

    branches, instructions = "precise_branches", "precise_instructions"
    yield part("pebs_branches", branches, "pp", lambda s: [x.start for x in s if x.branch])
    yield part("pebs_branches_next", branches, "p", lambda s: [x.to for x in s if x.branch])
    yield part("pebs_instructions", instructions, "ppp", lambda s: [x.start for x in s])


def recorded(machine, steps):
    """All parts that record something."""
    return [*traces(), *stacks(machine, steps), *samples(machine)]


def counted(machine, steps):
    """By event what it must count, in ring 3."""
    return {
        user(machine, "counted_instructions"): len(steps),
        user(machine, "counted_branches"): sum(step.branch for step in steps),
    }


SETUP = f"""\
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin LD_LIBRARY_PATH=/lib HOME=/tmp PERF_PAGER=cat
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
echo -1 >/proc/sys/kernel/perf_event_paranoid
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
stty -F /dev/ttyS1 raw
exec >/dev/ttyS1 2>&1
part() {{
    name=$1
    shift
    echo "{BEGIN} $name"
    "$@"
    echo "{END} $name $?"
}}
"""


def debugger(steps):
    """GDB's command line: the program runs up to its last instruction, recorded by BTS."""
    commands = ["set width 0", "starti", "record btrace bts", f"break *{steps[-1].start}"]
    commands += ["continue", "set record instruction-history-size unlimited"]
    commands += ["record instruction-history", "kill"]
    return " ".join(["gdb -nx -batch", *(f"-ex '{each}'" for each in commands), PROGRAM])


def script(machine, steps):
    """The guest's /init."""
    lines = [SETUP]
    pinned = f"taskset {machine['mask']} " if "mask" in machine else ""
    for part in recorded(machine, steps):
        record = f"{pinned}perf record -o {DATA} {part.record} {PROGRAM}"
        lines.append(f"part {part.name} {record}")
        lines.append(f"part {part.name}.script perf script -i {DATA} {part.script}")
    events = shlex.quote(",".join(counted(machine, steps)))
    lines.append(f"part count {pinned}perf stat -x '|' -e {events} {PROGRAM}")
    lines.append(f"part gdb {pinned}{debugger(steps)}")
    lines.append(f"part log dmesg\necho '{FINISHED}'\nsync\npoweroff -f\n")
    return "\n".join(lines)


def judge_part(part, said, steps):
    """The differences of one part."""
    for name in (part.name, f"{part.name}.script"):
        if name not in said:
            return [f"{name}: the guest did not come so far"]
        if said[name].status:
            end = " ".join(said[name].lines[-3:])
            return [f"{name}: status {said[name].status}: {end}"]
    return part.check(said[f"{part.name}.script"].lines, steps)


def judge(machine, steps, said):
    """By the name of each part, its differences."""
    found = {part.name: judge_part(part, said, steps) for part in recorded(machine, steps)}
    for name, check in (
        ("count", lambda lines: checks.counted(lines, counted(machine, steps))),
        ("gdb", lambda lines: checks.debugged(lines, steps)),
        ("log", lambda lines: checks.kernel_log(lines, machine["says"], REFUSED)),
    ):
        found[name] = check(said[name].lines) if name in said else ["the guest did not come so far"]
    return found
