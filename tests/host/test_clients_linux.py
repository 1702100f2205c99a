# SPDX-License-Identifier: GPL-2.0-or-later
"""`make clients`, Linux and perf: the program's truth, what is read from perf, and each check.

No guest is booted, no package fetched: small outputs in perf's forms, each then wrong in one point.
"""

import gzip
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, stand_ins

sys.path.append(str(ROOT / "tools"))
from clients.linux import checks, packages, part, parts, program  # noqa: E402
from clients.linux.output import counts, pairs, split, stacks  # noqa: E402
from clients.linux.program import Kind  # noqa: E402
from clients.steps import NO_PACKAGE, Stopped  # noqa: E402

ROUNDS = 8
KERNEL = 0xFFFFFFFF81000000


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return program.build(tmp_path_factory.mktemp("program"), ROUNDS)


@pytest.fixture(scope="module")
def steps(built):
    return built[1]


def taken(steps):
    return [step.pair for step in steps if step.taken]


def trace_lines(branches):
    return [f" {start:16x} => {to:16x}" for start, to in branches]


def stack_lines(samples):
    """As perf script -F ip,brstack prints: an address, and branches newest first."""
    return [
        f" {place:16x} " + "  ".join(f"0x{start:x}/0x{to:x}/P/-/-/12/" for start, to in stack)
        for place, stack in samples
    ]


def test_program_does_what_its_truth_says(built):
    """The processor that runs this test is asked, one instruction after the other, by gdb."""
    file, steps = built
    if not shutil.which("gdb"):
        pytest.skip("no gdb")
    commands = file.with_suffix(".gdb")
    commands.write_text(
        "set pagination off\nset disassemble-next-line off\nset print frame-info location\nstarti\n"
        f"set $left = {len(steps)}\n"
        'while $left > 0\nprintf "at %lx\\n", $pc\nstepi\nset $left = $left - 1\nend\nkill\n'
    )
    words = ["gdb", "-nx", "-batch", "-x", commands, file]
    said = subprocess.run(words, capture_output=True, text=True, timeout=120).stdout
    if "at " not in said:
        pytest.skip("gdb may not trace here")
    places = [int(line[3:], 16) for line in said.splitlines() if line.startswith("at ")]
    assert places == [step.start for step in steps]


def test_truth_goes_on_from_step_to_step(steps):
    assert all(one.to == other.start for one, other in zip(steps, steps[1:]))
    assert steps[-1].kind == Kind.SYSCALL
    assert {step.kind for step in steps} == set(Kind)


def test_trace_as_executed(steps):
    branches = taken(steps)
    crossing = [(branches[3][1], KERNEL), (KERNEL + 4, branches[3][1])]
    assert checks.trace(trace_lines(branches), steps) == []
    assert checks.trace(trace_lines(branches[:4] + crossing + branches[4:]), steps) == []


@pytest.mark.parametrize(
    "wrong",
    [
        lambda all: all[1:],
        lambda all: all[:-1],
        lambda all: all[:5] + all[6:],
        lambda all: all[:5] + all[4:],
        lambda all: all[:5] + [all[6], all[5]] + all[7:],
        lambda all: all[:5] + [(all[5][0] + 1, all[5][1])] + all[6:],
        lambda all: all[:5] + [(all[5][0], all[5][1] + 1)] + all[6:],
        lambda all: [],
    ],
)
def test_trace_that_is_wrong_in_one_record(steps, wrong):
    assert checks.trace(trace_lines(wrong(taken(steps))), steps)


def whole(steps):
    """Into the kernel, a branch there, and back, in the middle of the program."""
    branches = taken(steps)
    back = branches[3][1]
    kernel = [(back, KERNEL), (KERNEL + 9, KERNEL + 64), (KERNEL + 99, back)]
    return branches[:4] + kernel + branches[4:]


def test_whole_trace(steps):
    assert checks.whole_trace(trace_lines(whole(steps)), steps) == []
    assert checks.whole_trace(trace_lines(taken(steps)), steps) == ["no branch inside the kernel"]


@pytest.mark.parametrize("number", [4, 5, 6])
def test_whole_trace_that_lost_a_record_in_the_kernel(steps, number):
    every = whole(steps)
    assert checks.whole_trace(trace_lines(every[:number] + every[number + 1 :]), steps)


def newest_first(branches, place, depth):
    return branches[max(0, place - depth) : place][::-1]


@pytest.mark.parametrize("name", parts.FILTERS)
def test_branch_stacks(steps, name):
    kinds, depth = parts.FILTERS[name], 8
    branches = [step.pair for step in steps if step.taken and step.kind in kinds]
    places = range(2, len(branches) + 1)
    lines = stack_lines((0x401000, newest_first(branches, place, depth)) for place in places)
    assert checks.branch_stacks(lines, steps, kinds, depth, len(places)) == []
    assert checks.branch_stacks(lines, steps, kinds, depth, len(places) + 1)
    assert checks.branch_stacks(lines, steps, kinds, depth + 2, len(places))
    assert checks.branch_stacks(lines, steps, kinds - {max(kinds)}, depth, len(places))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda stack: stack[::-1],
        lambda stack: stack[:3] + stack[4:] + [stack[-1]],
        lambda stack: stack[:3] + [stack[2]] + stack[4:],
        lambda stack: stack[:3] + [(stack[3][0], stack[3][1] + 1)] + stack[4:],
        lambda stack: stack[:3] + [(0, 0)] + stack[4:],
    ],
)
def test_branch_stack_that_is_wrong_in_one_entry(steps, wrong):
    kinds, branches = parts.FILTERS["any"], taken(steps)
    good = newest_first(branches, 40, 8)
    assert checks.branch_stacks(stack_lines([(1, good)]), steps, kinds, 8, 1) == []
    assert checks.branch_stacks(stack_lines([(1, wrong(good))]), steps, kinds, 8, 1)


def test_call_stacks(steps):
    truth = list(checks.calls_at(steps).items())
    deepest = max(truth, key=lambda item: len(item[1]))
    assert len(deepest[1]) == 3
    assert checks.call_stacks(stack_lines(truth), steps, len(truth)) == []
    assert checks.call_stacks(stack_lines([(deepest[0], deepest[1][1:])]), steps, 1)
    assert checks.call_stacks(stack_lines([(deepest[0], deepest[1][::-1])]), steps, 1)
    assert checks.call_stacks(stack_lines([(steps[0].start, [])]), steps, 1)


@pytest.mark.parametrize("more", [0, 1])
def test_precise_samples(steps, more):
    places, period = [step.start for step in steps], 19
    first = period - 1 + more
    lines = [f" {place:x}" for place in places[first :: period + more]]
    assert checks.precise(lines, places, period) == []
    assert checks.precise(lines[:-2], places, period)
    assert checks.precise([], places, period)
    assert checks.precise(lines[:3] + [f" {places[-1] + 1:x}"] + lines[4:], places, period)
    late = [f" {place:x}" for place in places[first + 2 :: period + more]]
    assert checks.precise(late, places, period)


def test_counts():
    lines = ["34004|||instructions:u|1|100.00||", "<not counted>|||branches:u|0|0.00||"]
    assert counts(["34004||instructions:u|1|100.00||"]) == {"instructions": 34004}
    assert counts(["2201||cpu_core/branches/u|1"]) == {"cpu_core/branches/": 2201}
    assert counts(["2201||cpu_core/branches/|1"]) == {"cpu_core/branches/": 2201}
    assert checks.counted(["34004||instructions:u|1"], {"instructions:u": 34004}) == []
    assert checks.counted(["34005||instructions:u|1"], {"instructions:u": 34004})
    assert checks.counted(lines, {"branches:u": 1})


def test_history_of_a_debugger(steps):
    places = [step.start for step in steps[:-1]]
    lines = [
        f"{n}\t   0x{place:016x} <round+0>:\tjmp    *%rax" for n, place in enumerate(places, 1)
    ]
    assert checks.debugged(["Breakpoint 1 at 0x401000", *lines], steps) == []
    assert "Could not" in checks.debugged(["Could not enable branch tracing"], steps)[0]
    for place in (0, len(lines) // 2, len(lines) - 1):
        assert checks.debugged(lines[:place] + lines[place + 1 :], steps)


def test_kernel_log():
    lines = ["[ 0.1] Performance Events: 32-deep LBR"]
    assert checks.kernel_log(lines, ["32-deep LBR"], parts.REFUSED) == []
    assert checks.kernel_log(lines, ["16-deep LBR"], parts.REFUSED)
    bad = [*lines, "[ 0.2] unchecked MSR access error: WRMSR to 0x38f"]
    assert checks.kernel_log(bad, ["32-deep LBR"], parts.REFUSED)


def test_output_is_split():
    text = "<<< a\none\r\n>>> a 0\nnoise\n<<< b\n>>> b 255\nall parts are done\n"
    said, finished = split(text)
    assert finished and said["a"].lines == ["one"] and said["b"].status == 255
    assert not split(text.replace("all parts", ""))[1]
    assert "b" not in split(text.split(">>> b")[0])[0]


def test_perf_lines_are_read():
    assert pairs([" 401000 => ffffffff81c00be0", "", " 401005 =>   401009"]) == [
        (0x401000, 0xFFFFFFFF81C00BE0),
        (0x401005, 0x401009),
    ]
    assert stacks([" 4010e0 ", " 40112f 0x40111f/0x40112f/P/-/-/2/ "]) == [
        (0x4010E0, []),
        (0x40112F, [(0x40111F, 0x40112F)]),
    ]


def said_of(machine, steps):
    """A guest whose every command ended, and printed nothing."""
    names = [part.name for part in parts.recorded(machine, steps)]
    every = [*names, *(f"{name}.script" for name in names), "count", "gdb", "log"]
    return split("".join(f"<<< {name}\n>>> {name} 0\n" for name in every))[0]


@pytest.mark.parametrize("machine", part.machines(), ids=part.title)
def test_no_part_passes_in_silence(machine, steps):
    judged = parts.judge(machine, steps, said_of(machine, steps))
    assert all(judged.values()), judged
    assert all(parts.judge(machine, steps, {}).values())


@pytest.mark.parametrize("machine", part.machines(), ids=part.title)
def test_guest_runs_every_part(machine, steps):
    script = parts.script(machine, steps)
    for one in parts.recorded(machine, steps):
        assert f"part {one.name} " in script and f"part {one.name}.script " in script
    answer = subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True)
    assert answer.returncode == 0, answer.stderr


def test_command_that_failed_is_a_difference(steps):
    machine = part.machines("skylake")[0]
    said = said_of(machine, steps)
    said["bts_user"].status, said["bts_user"].lines = 234, ["no such event"]
    assert "no such event" in parts.judge(machine, steps, said)["bts_user"][0]


def test_known_difference_is_held_to():
    row = {"known": [{"part": "a", "words": "31 branches", "reason": "why"}]}
    assert part.compare(row, {"a": ["has 31 branches"], "b": []}) == []
    assert part.compare(row, {"a": [], "b": []})
    assert part.compare(row, {"a": ["has 30 branches"], "b": []})
    assert part.compare(row, {"a": ["has 31 branches"], "b": ["other"]}) == ["b: other"]
    assert part.compare(row, {"b": []})


def test_archive_is_read_by_another(tmp_path):
    cpio = shutil.which("cpio")
    raw = packages.pack({"bin/a": b"content", "b": b"xyz"}, ["dev", "proc"])
    if not cpio:
        pytest.skip("no cpio")
    words = {"input": gzip.decompress(raw), "capture_output": True}
    listed = subprocess.run([cpio, "-it"], check=True, **words).stdout.decode()
    assert {"bin", "bin/a", "b", "dev", "proc", "dev/console"} <= set(listed.split())


def false_tools(folder, monkeypatch, **scripts):
    """Stand-ins, the first in PATH."""
    stand_ins(folder, {name.replace("_", "-"): text for name, text in scripts.items()})
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_package_that_cannot_be_had_says_what_to_do(tmp_path, monkeypatch):
    false_tools(tmp_path, monkeypatch, apt_cache="echo no package >&2; exit 100")
    with pytest.raises(Stopped, match="apt-get update") as stopped:
        packages.kernel()
    assert stopped.value.status == NO_PACKAGE and "no package" in str(stopped.value)


def test_kernel_is_the_newest_of_the_release(tmp_path, monkeypatch):
    text = "echo linux-image-amd64; echo '  Depends: linux-image-6.1.0-9-amd64'"
    false_tools(tmp_path, monkeypatch, apt_cache=text)
    assert packages.kernel() == "linux-image-6.1.0-9-amd64"


def test_libraries_are_fetched_until_none_is_missing(tmp_path, monkeypatch):
    """perf needs liba, liba needs libb, whose package liba's depends on."""
    needed = {"perf": ["liba.so"], "liba.so": ["libb.so"], "libb.so": []}
    depend = {"linux-perf": ["liba", "perl"], "liba": ["libb"]}

    def fetch(names, folder):
        found = {}
        for name in names:
            found[name] = folder / name
            found[name].mkdir(parents=True)
            (found[name] / f"{name}.so").touch()
        return found

    monkeypatch.setattr(packages, "needs", lambda file: needed[file.name])
    monkeypatch.setattr(packages, "depends", lambda name: depend.get(name, []))
    monkeypatch.setattr(packages, "fetch", fetch)
    (tmp_path / "linux-perf").mkdir()
    perf = tmp_path / "linux-perf/perf"
    perf.touch()
    found = packages.libraries(perf, {"linux-perf": tmp_path / "linux-perf"}, tmp_path)
    assert set(found) == {"liba.so", "libb.so"}
    needed["libb.so"] = ["libc.so"]
    with pytest.raises(Stopped, match="no package has libc.so"):
        packages.libraries(perf, {"linux-perf": tmp_path / "linux-perf"}, tmp_path / "again")
