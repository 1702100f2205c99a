# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/lab/trace: what is read of a log, what it becomes, and logs and kernels that do not fit."""

import gzip
import json
import random
import re

import pytest
from trace_logs import (
    FAILED,
    HEAD,
    LABELS,
    PASSED,
    STEPS,
    VERSION,
    at,
    build_kernel,
    log_text,
    run_trace,
    write_log,
)

NAMES = {"--perf": "perf", "--perfetto": "perfetto"}


@pytest.fixture(name="elf", scope="module")
def fixture_elf(tmp_path_factory):
    return build_kernel(tmp_path_factory.mktemp("kernel"))


def output(option, log, elf, *more):
    """What it writes to standard output; it must succeed, and have nothing to say."""
    answer = run_trace(log, "--elf", elf, option, "-", *more)
    assert answer.returncode == 0 and answer.stderr == "", answer.stderr
    return answer.stdout


# perf script's line of a branch: command, process, processor, time, period, event, flags, from, to;
# each address with symbol+offset and the file. Each has its width.
PLACE = r"(?=.{16} )( *[0-9a-f]+) (\S+)\+0x([0-9a-f]+) \((\S+)\)"
LINE = re.compile(
    r"(?=.{16} )( *\S+) ( +\d+) (?:\[(\d{3})\] +(\d+)\.(\d{6}): )?( +\d+) +branches:(?:([ku]H?):)?"
    rf"   (?=.{{21}}  )((?:[a-z]+ ?)*) +{PLACE} => {PLACE}"
)
# Of perf 6.1, --itrace=b -F +flags, of a trace of intel_bts//u that has no time stamps.
PERFS_OWN = (
    "         program    87          1  branches:uH:   jcc                              "
    "4010dc after_near_jmp+0x6 (/program) =>           4010e0 after_jz+0x0 (/program)",
    "         program    87          1    branches:   return                 "
    "ffffffff810186ef intel_pmu_enable_bts+0x5f ([kernel.kallsyms]) => "
    "ffffffff81015878 bts_event_add+0x58 ([kernel.kallsyms])",
)


def test_perfs_own_lines():
    """What the lines of tools/lab/trace are held to, perf's own are, too."""
    for line in PERFS_OWN:
        assert LINE.fullmatch(line), line


def test_perf_text(elf, tmp_path):
    """Each record is a line; what is no record is a comment, and so is what is wrong with one."""
    lines = output("--perf", write_log(tmp_path), elf).splitlines()
    records = [LINE.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(records), lines
    assert [int(match[4]) for match in records] == [0, 1, 2, 4, 5, 6, 7, 9]
    assert [match[8].strip() for match in records] == [
        *("call", "call", "return", "iret", "jcc", "", "syscall", "return")
    ]
    assert [match[7] for match in records] == list("kkkkuuuk")
    for match in records:
        assert len(match[1]) == 16 and len(match[2]) == 5 and len(match[6]) == 10
        assert LABELS[match[10]] + int(match[11], 16) == int(match[9], 16)
        assert LABELS[match[14]] + int(match[15], 16) == int(match[13], 16)
    comments = [line for line in lines if line.startswith("#")]
    assert "# 3: missing: JMP work.inner => work.inner+0x1" in comments
    assert "# 5: altered: Jcc user_part => user_part.end" in comments
    assert "# 6: extra: user_part.end => user_part" in comments
    assert any(FAILED in line for line in comments)


def test_trace_events(elf, tmp_path):
    """A process a trace, a thread a ring, a slice a branch, arrows where the ring changes."""
    file = json.loads(output("--perfetto", write_log(tmp_path), elf))
    assert file["otherData"]["note"] == "ts is the ordinal of a branch, not a time"
    slices = [event for event in file["traceEvents"] if event["ph"] == "X"]
    by_ring = {ring: [e["ts"] for e in slices if e["tid"] == ring] for ring in range(6)}
    assert by_ring == {0: [0, 1, 2, 3, 7, 8, 9], 3: [4, 5], 5: [3, 5, 6], 1: [], 2: [], 4: []}
    assert [e["name"] for e in slices if e["tid"] == 5] == [
        *("missing JMP", "altered Jcc", "extra record")
    ]
    arrows = [e for e in file["traceEvents"] if e["ph"] in "sf"]
    assert [(e["ph"], e["tid"], e["id"]) for e in arrows] == [
        *(("s", 0, 1), ("f", 3, 1), ("s", 3, 2), ("f", 0, 2))
    ]
    altered = next(e for e in slices if e["name"] == "altered Jcc")["args"]
    assert altered["to"] == "user_part.end+0x1" and altered["expected_to"] == "user_part.end"
    names = {e["args"]["name"] for e in file["traceEvents"] if e["name"] == "process_name"}
    assert names == {f"{FAILED} (bts)"}


def test_list_and_choice(elf, tmp_path):
    """Without a file it says what there is; --test chooses as the kernel's test= does."""
    log = write_log(tmp_path, passed=PASSED)
    everything = run_trace(log, "--elf", elf).stdout
    assert f"{FAILED} (bts): steps 0 to 9 of 10, 3 differences\n" in everything
    assert "  first: 3 missing JMP work.inner => work.inner+0x1\n" in everything
    assert "suite.other (lbr): steps 7 to 7 of 8, 0 differences\n" in everything
    for glob, count in (("suite", 2), ("suite.o*", 1), ("suite.test,suite.other", 2)):
        answer = run_trace(log, "--elf", elf, "--test", glob)
        assert answer.stdout.count("steps") == count, glob
    answer = run_trace(log, "--elf", elf, "--test", "lbr")
    assert answer.returncode == 2 and "suite.other, suite.test.part" in answer.stderr


def test_ring_by_address(elf, tmp_path):
    """What the test does not know of the ring the section of the code tells, and that is said."""
    file = json.loads(output("--perfetto", write_log(tmp_path), elf))
    extra = next(e for e in file["traceEvents"] if e["name"] == "extra record")
    assert extra["args"]["rings"] == "3>3" and extra["args"]["rings_by"] == "address"
    file = json.loads(run_trace(write_log(tmp_path), "--no-names", "--perfetto", "-").stdout)
    extra = next(e for e in file["traceEvents"] if e["name"] == "extra record")
    assert extra["args"]["rings"] == "?>?" and extra["args"]["from"] == at("user_part.end")


def test_no_records(tmp_path):
    """It says how to get some."""
    answer = run_trace(write_log(tmp_path, failed=()))
    assert answer.returncode == 2 and answer.stdout == ""
    assert "has no branch records: boot with --args log=trace" in answer.stderr


def test_kernels_that_do_not_fit(elf, tmp_path):
    """Another version, the same version built otherwise, no ELF file, no file; no wrong name."""
    log = write_log(tmp_path)
    other, moved = build_kernel(tmp_path, "v2"), build_kernel(tmp_path, VERSION, 0x1000)
    text = tmp_path / "text"
    text.write_text("no ELF\n")
    cases = (
        (other, f"the log is of btscheck {VERSION}, {other} is of another version"),
        (moved, f"the log says that work.inner is at {at('work.inner')}, in {moved} it is not"),
        (text, "is no ELF file that can be read"),
        (tmp_path / "nothing", "No such file"),
    )
    for file, sentence in cases:
        answer = run_trace(log, "--elf", file, "--perf", "-")
        assert answer.returncode == 2 and answer.stdout == "", file
        assert sentence in answer.stderr and answer.stderr.count("\n") == 1, answer.stderr
    cut = tmp_path / "cut.elf"
    for size in (20, 64, 500, 4000, 5000):
        cut.write_bytes(elf.read_bytes()[:size])
        answer = run_trace(log, "--elf", cut)
        assert answer.returncode == 2 and "Traceback" not in answer.stderr, answer.stderr
        assert "fault of btscheck" not in answer.stderr, answer.stderr


def test_options_that_do_not_fit(elf, tmp_path):
    log = write_log(tmp_path)
    answer = run_trace(log, "--no-names", "--elf", elf)
    assert answer.returncode == 2 and "which of the two?" in answer.stderr
    answer = run_trace(log, "--elf", elf, "--perf", tmp_path / "no" / "folder")
    assert answer.returncode == 2 and answer.stderr.count("\n") == 1
    answer = run_trace(tmp_path / "no.log")
    assert answer.returncode == 2 and "No such file" in answer.stderr


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((HEAD, *STEPS[:4], *STEPS[5:]), "step 5 where 4 should come"),
        ((HEAD, *STEPS[:7]), "10 steps should follow, there are 7"),
        ((HEAD, *STEPS[:3], "3 - 0x10", *STEPS[4:]), "no line of a trace, though it begins as one"),
        ((HEAD, STEPS[0], STEPS[0], *STEPS[1:]), "step 0 where 1 should come"),
        ((HEAD, *STEPS[:4], "40 = 0x1 0x2 0x0 - -", *STEPS[5:]), "step 40 where 4 should"),
        ((HEAD, *STEPS, "10 = 0x1 0x2 0x0 - -"), "step 10 is one too many"),
        ((HEAD, *STEPS[:9], "9 = 0x1 0x2 - 0>0 RET"), "no line of a trace"),
        ((HEAD, *STEPS[:9], "9 ! 0x1 0x2 0x0 0>0 RET"), "no line of a trace"),
    ],
)
def test_damaged(elf, tmp_path, rows, sentence):
    """What is there is read, what is not is told, in the file too."""
    answer = run_trace(write_log(tmp_path, failed=rows), "--elf", elf, "--perf", "-")
    assert answer.returncode == 0
    assert sentence in answer.stderr, answer.stderr
    assert f"{FAILED} (bts, damaged)" in answer.stdout and "# damaged: " in answer.stdout


def test_without_head(elf, tmp_path):
    """Steps alone are of nobody knows what."""
    answer = run_trace(write_log(tmp_path, failed=STEPS, passed=PASSED), "--elf", elf)
    assert answer.returncode == 0 and FAILED not in answer.stdout
    assert "a step of a trace whose head is not there" in answer.stderr


def test_log_that_ends(elf, tmp_path):
    """No result follows: the last name that the log has is said to have none."""
    text = log_text()
    log = tmp_path / "log"
    log.write_text(text[: text.index("    not ok 1 part")])
    answer = run_trace(log, "--elf", elf)
    assert answer.returncode == 0 and "test (it has no result) (bts): steps 0 to 9" in answer.stdout


def test_soak(elf, tmp_path):
    """A soak's draw has its name in the line ahead of its records."""
    rows = "".join(f"  # trace: {row}\n" for row in (HEAD, *STEPS))
    log = tmp_path / "log"
    log.write_text(
        f"KTAP version 1\n# btscheck: {VERSION}\n1..1\n  # soak@E2: after 7 s a.b failed:\n{rows}"
        "  KTAP version 1\n  # Subtest: soak@E2\n  1..1\n  not ok 1 draws\nnot ok 1 soak@E2\n"
    )
    assert "a@E2.b (bts): steps 0 to 9" in run_trace(log, "--elf", elf).stdout


def test_two_logs(elf, tmp_path):
    """A board that was reset in between: no trace of the second has a name of the first."""
    log, text = tmp_path / "log", log_text(passed=PASSED)
    log.write_text(text[: text.index("    not ok 1 part")] + text)
    answer = run_trace(log, "--elf", elf)
    assert answer.returncode == 0 and answer.stdout.count(": steps") == 1, answer.stdout
    assert "another log begins there, whose 2 traces are not read" in answer.stderr


def test_result_out_of_place(elf, tmp_path):
    """The beginning of the log is lost, and with it the tree."""
    log, text = tmp_path / "log", log_text(passed=PASSED)
    log.write_text(text[text.index("    # trace") :])
    answer = run_trace(log, "--elf", elf)
    assert answer.returncode == 0
    for name in ("part", "other"):
        assert f"{name} (a result out of place) (" in answer.stdout, answer.stdout


def test_packed_and_prefixed(elf, tmp_path):
    """A log is read as judge-log reads it; of two boards' logs in a file one must be chosen."""
    log, text = tmp_path / "log", log_text()
    log.write_bytes(gzip.compress(text.encode()))
    assert f"{FAILED} (bts): steps" in run_trace(log, "--elf", elf).stdout
    lines = [[f"{bay}: {line}\n" for line in text.splitlines()] for bay in ("bay1", "bay2")]
    log.write_text("".join(lines[0] + lines[1]))
    answer = run_trace(log, "--elf", elf)
    assert answer.returncode == 2 and "has several logs: --prefix TEXT chooses" in answer.stderr
    answer = run_trace(log, "--elf", elf, "--prefix", "bay2")
    assert answer.returncode == 0 and answer.stdout.count(": steps") == 1
    answer = run_trace(log, "--elf", elf, "--prefix", "bay3")
    assert answer.returncode == 2 and "no log has a prefix that holds 'bay3'" in answer.stderr


def test_no_log(tmp_path):
    log = tmp_path / "log"
    log.write_bytes(bytes(range(256)))
    answer = run_trace(log)
    assert answer.returncode == 2 and "is no log of btscheck" in answer.stderr


def test_many_problems(elf, tmp_path):
    """Ten lines of them, and how many more."""
    answer = run_trace(write_log(tmp_path, failed=(HEAD, *STEPS, *["?"] * 30)), "--elf", elf)
    assert answer.returncode == 0 and answer.stderr.count("\n") == 11
    assert "damaged log, 20 more places" in answer.stderr


def test_files_that_would_be_lost(elf, tmp_path):
    log = write_log(tmp_path)
    out = tmp_path / "out"
    answer = run_trace(log, "--elf", elf, "--perf", out, "--perfetto", tmp_path / "." / "out")
    assert answer.returncode == 2 and "two forms cannot go into one file" in answer.stderr
    for name in (log, elf):
        before = name.read_bytes()
        answer = run_trace(log, "--elf", elf, "--perf", name)
        assert answer.returncode == 2 and "would be written over" in answer.stderr
        assert name.read_bytes() == before
    assert not out.exists()


def test_left_out(elf, tmp_path):
    rows = (HEAD, *STEPS, "left_out=3, of this test, for which there was no room")
    answer = run_trace(write_log(tmp_path, failed=rows), "--elf", elf)
    assert answer.returncode == 0 and "3 traces had no room in the log" in answer.stderr


def mutate(raw, numbers):
    """One to five places of the log go, come twice or become something else."""
    raw = bytearray(raw)
    for _ in range(numbers.randint(1, 5)):
        where, length = numbers.randrange(len(raw)), numbers.randint(1, 60)
        piece = raw[where : where + length]
        new = numbers.choice((b"", piece * 2, bytes([numbers.randrange(256)]), b"\n"))
        raw[where : where + length] = new
    return bytes(raw)


def test_damaged_at_random(elf, tmp_path):
    """300 logs: each ends with 0 or 2, a sentence a line, and whole files."""
    import branch_traces
    import ktap
    from elf_symbols import Symbols
    from perf_script import branch_text
    from trace_events import trace_event_file

    numbers, symbols = random.Random(15), Symbols(elf)
    raw = log_text(passed=PASSED).encode()
    damaged = 0
    for _ in range(300):
        reader = branch_traces.read_traces(ktap.read(mutate(raw, numbers)))
        traces = [trace for trace in reader.traces if trace.steps]
        damaged += bool(reader.problems) or any(trace.problems for trace in traces)
        branch_text(traces, symbols)
        json.dumps(trace_event_file(traces, symbols, "?"))
    assert damaged > 100
