# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole machines whose records leave by tools/lab/trace, held against the disassembled kernel."""

import re
import subprocess
from bisect import bisect_left

import ktap
import pytest
from branch_traces import MISSING, SAME, read_traces
from conftest import RUN, execute
from judge import Status, judge
from trace_logs import run_trace

TIME = 600  # seconds
TESTS = "isr.causes_as_they_come,table17_6.encodings"
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):[ \t]+(?:bnd )?([a-z][a-z0-9]*)[ \t]*(.*)$", re.M)
DIRECT = re.compile(r"([0-9a-f]+)(?: <.*>)?")
ENDS = {"ud2", "ret", "iretq", "syscall", "sysretq"}  # nothing goes on behind these, nor behind JMP


def boot(iso, emulator, log, *options, tests=TESTS):
    """The bytes of the log."""
    command = [RUN, "--iso", iso, "--qemu", emulator, "--log", log, "--test", tests, *options]
    subprocess.run(map(str, command), capture_output=True, check=False, timeout=TIME)
    return log.read_bytes()


def elf_of(iso):
    return iso.with_name("btscheck.elf")


class Disassembly:
    """The kernel's instructions as objdump sees them."""

    def __init__(self, elf):
        command = ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", "-j", ".user.text", elf]
        text = execute(*command, check=True, timeout=TIME).stdout
        self.found = {int(m[1], 16): (m[2], m[3]) for m in INSTRUCTION.finditer(text)}
        self.addresses = sorted(self.found)

    def branch(self, address):
        """(mnemonic, where it leads to or None where that is not in it)"""
        name, operands = self.found[address]
        match = DIRECT.fullmatch(operands)
        return name, int(match[1], 16) if match else None

    def next_jump(self, address):
        """The first instruction from there on behind which nothing goes on."""
        for at in self.addresses[bisect_left(self.addresses, address) :]:
            if self.found[at][0] in ENDS or self.found[at][0].startswith("jmp"):
                return at
        return None

    def check_way(self, before, step):
        """From where the branch before led to straight code leads to this one."""
        source, target = step.way
        assert before <= source <= self.next_jump(before), f"step {step.number}"
        name, direct = self.branch(source)
        if step.kind == "interrupt":
            return step.kind  # ahead of any instruction
        assert direct in (None, target), f"step {step.number}: {name} leads to {direct:#x}"
        return name


def is_of_all_branches(trace):
    """No bit keeps those of a ring from being recorded."""
    return "off_os1" not in trace.test and "off_usr1" not in trace.test


def check_traces(traces, disassembly):
    """Steps that are or must be records follow each other as the instructions do; the names of
    those that are missing."""
    missing = []
    for trace in traces:
        assert not trace.problems and {step.mark for step in trace.steps} <= {SAME, MISSING}
        for before, step in zip(trace.steps, trace.steps[1:]):
            name = disassembly.check_way(before.target, step)
            missing += [name] if step.mark == MISSING else []
    return missing


@pytest.mark.timeout(2 * TIME)
def test_missing_records(iso, emulator, tmp_path):
    """Of every twentieth JMP there is no record: it is missing where the program has it."""
    words = ("--variation", "x-ds-fault=jmp-lost:1/20", "--args", "log=trace")
    raw = boot(iso, emulator, tmp_path / "log", *words)
    assert judge(raw, 35).status == Status.FAIL
    log = ktap.read(raw)
    failed = {name for name, result in log.leaves() if not result.ok}
    traces = [trace for trace in read_traces(log).traces if trace.test in failed]
    missing = check_traces(filter(is_of_all_branches, traces), Disassembly(elf_of(iso)))
    assert len(missing) > 5 and set(missing) == {"jmp"}
    answer = run_trace(tmp_path / "log", "--elf", elf_of(iso), "--perf", "-", timeout=TIME)
    assert answer.returncode == 0, answer.stderr
    assert re.search(r"# \d+: missing: JMP(?: indirect)? (?:sled|rings)\S* => ", answer.stdout)


@pytest.mark.timeout(2 * TIME)
def test_missing_interrupt(iso, emulator, tmp_path):
    """Compared in the interrupt's routine: the trace is of that run, and not of the one behind it
    that is made for people, without interrupts."""
    fault = ("--variation", "x-ds-fault=interrupt-lost:1/20")
    raw = boot(iso, emulator, tmp_path / "log", *fault, tests="long_runs.of_any_length")
    (trace,) = read_traces(ktap.read(raw)).traces
    assert not trace.problems and len(trace.steps) > 1
    assert {step.mark for step in trace.steps[:-1]} == {SAME}
    assert (trace.steps[-1].mark, trace.steps[-1].kind) == (MISSING, "interrupt")


@pytest.mark.timeout(2 * TIME)
def test_records_of_tests_that_pass(iso, emulator, tmp_path):
    """log=trace: the same of each, with nothing missing; the log's check value holds."""
    raw = boot(iso, emulator, tmp_path / "log", "--args", "log=trace")
    assert judge(raw, 33).status == Status.PASS
    reader = read_traces(ktap.read(raw))
    assert len({trace.test for trace in reader.traces}) >= 7
    assert not any(trace.differences() for trace in reader.traces)
    whole = [trace for trace in reader.traces if trace.expected and is_of_all_branches(trace)]
    assert len(whole) > 2 and check_traces(whole, Disassembly(elf_of(iso))) == []
    rings = {step.rings for trace in reader.traces for step in trace.steps}
    assert rings >= {(0, 0), (0, 3), (3, 3), (3, 0)}
