# SPDX-License-Identifier: GPL-2.0-or-later
"""A small log with branch records in it, and a small kernel that they are of."""

import subprocess
import sys

from conftest import ROOT, execute

TRACE = ROOT / "tools/lab/trace"
VERSION = "v1-of-a-test"

# Its code by label; each begins on 16 bytes of its own.
LABELS = {
    "bracket_call": 0x10000,
    "work": 0x10010,
    "work.inner": 0x10020,
    "helper": 0x10030,
    "landing": 0x10040,
    "bracket_return": 0x10050,
    "user_part": 0x20000,
    "user_part.end": 0x20010,
}
SOURCE = """\
.macro PLACE name
    .globl \\name
    .balign 16
\\name:
    nop
    ret
.endm
.text
{text}
.section .user.text, "ax"
{user}
.section .rodata
    .asciz "{version}"
"""


def places(begin, end):
    return "\n".join(f"PLACE {name}" for name, at in LABELS.items() if begin <= at < end)


def build_kernel(folder, version=VERSION, moved=0):
    """An ELF file; moved: all of its code is so many bytes further on."""
    source, elf = folder / "kernel.S", folder / f"kernel-{version}-{moved}.elf"
    source.write_text(
        SOURCE.format(text=places(0x10000, 0x20000), user=places(0x20000, 0x30000), version=version)
    )
    command = ["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none", "-Wl,-e,work"]
    command += [f"-Wl,-Ttext={0x10000 + moved:#x}", "-o", str(elf), str(source)]
    command.insert(-3, f"-Wl,--section-start=.user.text={0x20000 + moved:#x}")
    subprocess.run(command, check=True, timeout=60)
    return elf


def at(label, offset=0):
    return f"0x{LABELS[label] + offset:x}"


# A call into a program, what it calls, out to ring 3 and back: one record is missing, one altered,
# one too many.
STEPS = [
    f"0 = {at('bracket_call')} {at('work')} 0x0 0>0 CALL indirect",
    f"1 = {at('work', 1)} {at('helper')} 0x10 0>0 CALL",
    f"2 = {at('helper', 1)} {at('work.inner')} 0x0 0>0 RET",
    f"3 - {at('work.inner')} {at('work.inner', 1)} - 0>0 JMP",
    f"4 = {at('work.inner', 1)} {at('user_part')} 0x0 0>3 IRET",
    f"5 ! {at('user_part')} {at('user_part.end', 1)} 0x0 3>3 Jcc"
    f" | {at('user_part')} {at('user_part.end')}",
    f"6 + {at('user_part.end')} {at('user_part')} 0x0 - -",
    f"7 = {at('user_part.end', 1)} {at('landing')} 0x0 3>0 SYSCALL",
    f"8 ~ {at('landing')} {at('landing', 1)} - 0>0 interrupt",
    f"9 = {at('landing', 1)} {at('bracket_return')} 0x0 0>0 RET",
]
HEAD = "source=bts steps=10 got=8 expected=9 first=0 got_first=0 expected_first=0 shown=10"
PASSED = [
    "source=lbr steps=8 got=8 first=7 got_first=7 expected_first=0 shown=1",
    f"7 ? {at('work')} {at('helper')} 0x1 - -",
]
FAILED = "suite.test.part"  # the name of what has STEPS


def lines_of(rows, indent):
    return "".join(f"{indent}# trace: {row}\n" for row in rows)


def log_text(failed=(HEAD, *STEPS), passed=(), version=VERSION):
    """A whole log but for the check value: a subtest that fails, and a test that passes."""
    return (
        f"KTAP version 1\n# btscheck: {version}\n1..1\n"
        "  KTAP version 1\n  # Subtest: suite\n  1..2\n"
        "    KTAP version 1\n    # Subtest: test\n    1..1\n"
        f"    # finding: record.missing slot=3 expected={at('work.inner')} (work.inner)\n"
        f"{lines_of(failed, '    ')}"
        "    not ok 1 part\n  not ok 1 test\n"
        f"{lines_of(passed, '  ')}"
        "  ok 2 other\nnot ok 1 suite\n# verdict: FAIL\n"
    )


def write_log(folder, **fields):
    path = folder / "log.ktap"
    path.write_text(log_text(**fields))
    return path


def run_trace(*arguments, timeout=60):
    """tools/lab/trace -> the finished process, its output as text."""
    return execute(sys.executable, TRACE, *arguments, timeout=timeout)
