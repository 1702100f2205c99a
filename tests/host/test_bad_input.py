# SPDX-License-Identifier: GPL-2.0-or-later
"""Whatever the lab's programs are given: a status and a sentence, soon; never a traceback.

A traceback would end with status 1, which means that a test failed.
"""

import os
import shlex
import signal
import subprocess
import threading
import time

import pytest
from conftest import ROOT, RUN, execute, hollow_image
from judge import Status, judge
from judge_logs import EXIT, FAILING, GOOD, raw

JUDGE_LOG = ROOT / "tools/lab/judge-log"
HUGE = "9" * 5000  # more digits than Python makes a number of
MIB = 1 << 20


def run(*command, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(list(map(str, command)), check=False, timeout=60, **options)


def assert_told(answer, status=Status.ERROR):
    text = answer.stderr.decode()
    assert "Traceback" not in text and "Exception ignored" not in text, text
    assert answer.returncode == status, text
    assert len(text.splitlines()) == 1, text


@pytest.fixture
def start(tmp_path):
    """start(options): tools/lab/run with an image and a log of its own, and no emulator."""

    def started(*options, **more):
        hollow_image(tmp_path / "image.iso")
        own = ["--iso", tmp_path / "image.iso", "--log", tmp_path / "log", "--cpu", "any"]
        return run(RUN, "--qemu", "true", *own, *options, **more)

    return started


@pytest.mark.parametrize(
    "options",
    [
        ["--timeout", HUGE],
        ["--timeout", "nan"],
        ["--timeout", "inf"],
        ["--timeout", "0"],
        ["--silence", "-1"],
        ["--silence", "soon"],
        ["--smp", "0"],
        ["--smp", "-1"],
        ["--smp", "abc"],
        ["--smp", "4097"],
        ["--smp", "9999"],
        ["--smp", "2.5"],
        ["--smp", "\u0663"],
        ["--smp", ""],
        ["--smp", HUGE],
        ["--firmware", "foo"],
        ["--firmware", ""],
        ["--medium", "floppy"],
        ["--accelerator", "xen"],
        ["--args", f"repeat={HUGE}"],
        ["--args", f"timeout={HUGE} repeat={HUGE}"],
        ["--test", b"\xff\xfe"],
        ["--args", b"seed=\xff"],
        ["--qemu", b"/nonexistent/\xff"],
        ["--iso", b"/nonexistent/\xff.iso"],
        ["--log", "/proc/log"],
        ["--log", "/dev/null"],
        ["--log", "/"],
        ["--log", "x" * 300],
        ["--prof", "skylake"],
        ["--rate", "57600"],
        ["--serial", "/dev/null", "--rate", "57601"],
        ["--serial", "/dev/null", "--rate", "4800"],
        ["--serial", "/dev/null", "--rate", "0"],
        [b"--\xff"],
    ],
    ids=lambda options: " ".join(map(str, options))[:40],
)
def test_senseless_value_is_refused_in_one_sentence(start, options):
    options = [os.fsdecode(each) if isinstance(each, bytes) else each for each in options]
    assert_told(start(*options))


@pytest.mark.parametrize(
    "words", [f"repeat={HUGE}", f"timeout={HUGE}", "repeat=999999 timeout=9", f"repeat={HUGE}d"]
)
def test_limits_of_senseless_numbers_are_numbers(words):
    from transport import Limits, stretched

    assert stretched(Limits(), words).total < 1e13


def test_log_that_is_a_pipe_is_refused(start, tmp_path):
    """Opened for writing, it would wait for a reader for ever."""
    os.mkfifo(tmp_path / "pipe")
    assert_told(start("--log", tmp_path / "pipe"))


@pytest.mark.parametrize(("log", "status"), [(GOOD, Status.PASS), (FAILING, Status.FAIL)])
def test_reader_that_goes_away_changes_no_judgement(run_fake, log, status):
    """tools/lab/run | head -1"""
    reader, writer = os.pipe()
    os.close(reader)
    answer = run_fake(raw(log), f"sys.exit({EXIT[status.name]})", stdout=writer)
    os.close(writer)
    assert answer.returncode == status, answer.stderr
    assert answer.stderr.startswith(f"{status.name} (status {status}): ")


def test_output_that_is_full_ends_the_run(run_fake):
    answer = run_fake(raw(GOOD), "sys.exit(33)", stdout=open("/dev/full", "wb"))
    assert answer.returncode == Status.ERROR
    assert len(answer.stderr.splitlines()) == 1 and answer.stderr.startswith("run: ")


@pytest.mark.parametrize("program", [RUN, JUDGE_LOG])
def test_streams_that_are_closed_are_no_matter(tmp_path, start, program):
    (tmp_path / "good").write_bytes(raw(GOOD))
    for closed in (">&-", "2>&-", ">&- 2>&- <&-"):
        if program == RUN:
            words = [RUN, "--qemu", "true", "--cpu", "any", "--iso", hollow_image(tmp_path / "iso")]
            words += ["--print-command"]
        else:
            words = [JUDGE_LOG, tmp_path / "good"]
        command = shlex.join(map(str, words)) + " " + closed
        assert run("sh", "-c", command).returncode == Status.PASS, closed


def test_judge_log_whose_output_is_full(tmp_path):
    (tmp_path / "good").write_bytes(raw(GOOD))
    with open("/dev/full", "wb") as full:
        assert_told(run(JUDGE_LOG, tmp_path / "good", stdout=full))


@pytest.mark.parametrize("path", ["/", "/proc/self/mem", "/nonexistent", "/dev/zero", "x" * 300])
def test_log_that_cannot_be_read_is_told(path):
    assert_told(run(JUDGE_LOG, path))


def test_names_that_are_no_text_are_taken(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff\xfe.ktap"
    with open(path, "wb") as log:
        log.write(raw(GOOD))
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    answer = run(JUDGE_LOG, os.fsdecode(path), env=environment)
    assert answer.returncode == Status.PASS, answer.stderr


def test_terminal_that_knows_no_unicode_is_no_matter(tmp_path, run_fake):
    (tmp_path / "bad").write_bytes(raw(FAILING.replace("tr1_bts1", "tr1\u2026")))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    assert run(JUDGE_LOG, tmp_path / "bad", env=environment).returncode == Status.FAIL
    answer = run_fake(raw(GOOD.replace("# a diag", "# \u2026")), "sys.exit(33)", env=environment)
    assert answer.returncode == Status.PASS, answer.stderr


def test_a_fault_of_the_lab_itself_is_no_failed_test(tmp_path):
    """Whatever it is that nobody thought of."""
    (tmp_path / "serial.py").write_text("def serial_for_url(*_, **__):\n    return [][1]\n")
    (tmp_path / "serial.py").open("a").write("class SerialException(OSError):\n    pass\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [RUN, "--serial", "/dev/ttyS0", "--log", tmp_path / "log"]
    answer = run(*command, env=environment)
    assert_told(answer)
    assert "fault of btscheck" in answer.stderr.decode()
    more = run(*command, env={**environment, "BTSCHECK_TRACEBACK": "1"})
    assert more.returncode == Status.ERROR and b"Traceback" in more.stderr


HEAD = b"KTAP version 1\n"


def deep(levels):
    """Blocks in blocks, each with one result."""
    down = [b"  " * n + HEAD + b"  " * n + b"1..1\n" for n in range(levels)]
    up = [b"  " * n + b"ok 1 a\n" for n in reversed(range(levels))]
    return b"".join(down + up) + b"# totals: planned=1\n# verdict: PASS\n"


def siblings(size):
    number = size // 14
    return HEAD + b"1..%d\n" % number + b"".join(b"ok %d a%d\n" % (n, n) for n in range(1, number))


# Logs of a given size that were slow once, or could be.
SHAPES = {
    "carriage_returns": lambda size: b"\r" * size,
    "carriage_returns_in_a_log": lambda size: HEAD + b"\r\r\r\rx" * (size // 5),
    "newlines": lambda size: HEAD + b"\n" * size,
    "blanks": lambda size: HEAD + b"ok 1 a" + b" " * size + b"#\n",
    "escapes": lambda size: b"\x1b" * size,
    "unfinished_escapes": lambda size: b"\x1b[" * (size // 2),
    "long_escape": lambda size: b"\x1b[" + b"1" * size,
    "long_name": lambda size: HEAD + b"1..1\nok 1 " + b"a b" * (size // 3),
    "directives": lambda size: HEAD + b"1..1\nok 1 a" + b" # A" * (size // 4),
    "siblings": siblings,
    "same_siblings": lambda size: HEAD + b"1..1\n" + b"ok 1 a\n" * (size // 7),
    "starts": lambda size: HEAD * (size // len(HEAD)),
    "deep": lambda size: deep(int((size / 6) ** 0.5)),
    "cut_lines": lambda size: HEAD + b"\n\n# cut off: this line once more:\n" * (size // 34),
    "verdicts": lambda size: HEAD + b"".join(b"# verdict: %d\n" % n for n in range(size // 18)),
    "many_digits": lambda size: HEAD + b"1.." + b"1" * size,
    "many_digits_in_a_result": lambda size: HEAD + b"1..1\nok " + b"1" * size + b" a\n",
    "many_digits_in_the_totals": lambda size: HEAD + b"# totals: a=" + b"1" * size,
    "every_byte": lambda size: bytes(range(256)) * (size // 256),
    "results_before_the_log": lambda size: b"ok 1 a\n" * (size // 7) + HEAD,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_to_judge_grows_with_the_log_and_no_faster(shape):
    """Ten times the log in thirty times the time at most; a quadratic judge needs a hundred."""
    times = []
    for size in (MIB // 8, MIB * 10 // 8):
        log = SHAPES[shape](size)
        best = 1e9
        for _ in range(2):
            start = time.process_time()
            judgement = judge(log)
            best = min(best, time.process_time() - start)
        times.append(best)
        assert judgement.status not in (Status.PASS, Status.SKIP)
    assert times[1] < 0.1 or times[1] < 30 * times[0], times
    assert times[1] < 15, times


def test_two_thousand_levels_are_judged(tmp_path):
    (tmp_path / "deep").write_bytes(deep(2000))
    answer = run(JUDGE_LOG, tmp_path / "deep")
    assert answer.returncode == Status.DISAGREE and not answer.stderr, answer.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signal_leaves_no_files_behind(run_fake, tmp_path, number):
    """The folder of the monitor's socket, and what QEMU said."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    end = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getppid()))\ntime.sleep(50)"
    answers = []
    environment = {**os.environ, "TMPDIR": str(temporary)}
    thread = threading.Thread(
        target=lambda: answers.append(run_fake(raw(GOOD)[:200], end, env=environment))
    )
    thread.start()
    deadline = time.monotonic() + 30
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert list(temporary.iterdir())
    os.kill(int((tmp_path / "pid").read_text()), number)
    thread.join(timeout=30)
    assert answers[0].returncode == 128 + number
    assert "the log so far is in" in answers[0].stderr
    assert len(answers[0].stderr.splitlines()) == 1
    assert not list(temporary.iterdir())
    assert not list(tmp_path.glob("*.stderr"))


def test_hang_up_that_is_ignored_stays_so(run_fake):
    """nohup tools/lab/run"""
    end = "os.kill(os.getppid(), 1)\ntime.sleep(0.5)\nsys.exit(33)"
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        answer = run_fake(raw(GOOD), end)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert answer.returncode == Status.PASS, answer.stderr


def test_a_run_that_is_refused_leaves_the_last_log(tmp_path):
    log = tmp_path / "run.ktap"
    log.write_text("of yesterday")
    answer = execute(RUN, "--profile", "skylak", "--log", log, timeout=60)
    assert answer.returncode == 2 and log.read_text() == "of yesterday", answer.stderr
