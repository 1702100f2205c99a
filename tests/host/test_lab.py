# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/lab/run with a scripted machine: time limits, bad ends, serial lines."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import child
import pytest
from conftest import ROOT, RUN, execute, hollow_image
from judge import MEANING, Status
from machine import LabError, Machine, check_command_line
from judgement_text import Stream
from services import Requests
from judge_logs import CRASHED, DRY, EXIT, FAILING, GOOD, LISTED, SKIPPED, raw
from transport import Clock, Ears, End, Limits, follow, stretched


def test_pass_and_the_log_is_shown(run_fake):
    answer = run_fake(raw(GOOD), f"sys.exit({EXIT['PASS']})")
    assert answer.returncode == Status.PASS, answer.stderr
    assert "    ok 2 tr1_bts1\n" in answer.stdout
    assert "\x1b" not in answer.stdout
    assert "PASS (status 0)" in answer.stderr


def test_fail(run_fake):
    answer = run_fake(raw(FAILING), f"sys.exit({EXIT['FAIL']})", "--quiet")
    assert answer.returncode == Status.FAIL
    assert "not ok: table17_6.encodings.tr1_bts1" in answer.stderr
    assert answer.stdout == ""


@pytest.mark.parametrize("text", ["", GOOD[:200]])
def test_triple_fault_exits_with_0_and_is_no_pass(run_fake, text):
    answer = run_fake(raw(text) if text else b"", "sys.exit(0)")
    assert answer.returncode == Status.CUT_OFF, answer.stderr


def test_emulator_that_refuses_its_arguments_could_not_run(run_fake):
    answer = run_fake(b"", "sys.exit('unable to find CPU model')")
    assert answer.returncode == Status.ERROR
    assert answer.stderr.count("unable to find CPU model") == 1


def test_emulator_that_dies_is_named(run_fake):
    answer = run_fake(raw(GOOD[:200]), "os.kill(os.getpid(), 11)")
    assert answer.returncode == Status.CUT_OFF
    assert "signal 11" in answer.stderr


def test_silence_is_a_timeout(run_fake):
    start = time.monotonic()
    answer = run_fake(raw(GOOD[:200]), "time.sleep(50)", "--silence", "0.5")
    assert answer.returncode == Status.TIMEOUT
    assert time.monotonic() - start < 20


def test_endless_chatter_is_a_timeout(run_fake):
    end = "while True:\n    time.sleep(0.1)\n    open(words.split('path=')[1].split(',')[0], 'ab')"
    answer = run_fake(raw(GOOD[:200]), end + ".write(b'# more\\n')", "--timeout", "1.5")
    assert answer.returncode == Status.TIMEOUT


@pytest.mark.parametrize(
    ("command_line", "total", "silence"),
    [
        ("", 90, 6),
        ("test=repeat=5 norepeat=3", 90, 6),
        ("timeout=20", 190, 106),
        ("test=a repeat=100", 9000, 600),
        ("repeat=0", 90, 6),
        ("repeat=many", 90, 6),
        ("repeat=2 timeout=3 lab=none", 210, 42),
        ("repeat=20m", 90 + 1200, 66),
        ("cpu=all repeat=2d,first-failure", 90 + 2 * 86400, 66),
        ("repeat=5x", 90, 6),
    ],
)
def test_limits_know_what_the_kernel_is_asked(command_line, total, silence):
    limits = stretched(Limits(total=90, silence=6), command_line)
    assert (limits.total, limits.silence) == (total, silence)


def test_first_byte_may_come_late():
    clock = Clock(Limits(silence=0, first=60))
    assert not clock.expired()
    clock.heard()
    time.sleep(0.01)
    assert clock.expired()


class Endless:
    """A process that goes on and a log that always has more; 20 seconds at most."""

    def __init__(self):
        self.until = time.monotonic() + 20

    def poll(self):
        return None if time.monotonic() < self.until else 0

    def read(self, size=-1):
        assert size > 0, "there is always more to read"
        return b"# more\n" * (size // 7)


def test_chatter_without_a_pause_is_a_timeout():
    chatter, clock = Endless(), Clock(Limits(total=0.3))
    with Requests() as requests:
        end = follow(chatter, chatter, clock, Ears(lambda chunk: None, requests))
    assert end == End.TIME_UP


def wait_for_number(path):
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < deadline, "the false emulator did not start"
        time.sleep(0.05)
    return int(path.read_text())


def is_running(pid):
    """A zombie that nobody has waited for has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def interrupted(run_fake, tmp_path):
    """interrupted(signal) -> (the finished tools/lab/run, the pid of its emulator)."""

    def run(number):
        end = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(50)"
        answers = []
        own = {"env": {**os.environ, "TMPDIR": str(tmp_path)}}  # SIGKILL leaves a folder there
        thread = threading.Thread(
            target=lambda: answers.append(run_fake(raw(GOOD[:200]), end, **own))
        )
        thread.start()
        fake = wait_for_number(tmp_path / "pid")
        with open(f"/proc/{fake}/stat", encoding="utf-8") as stat:
            parent, group, session = stat.read().split()[3:6]
        assert group == session == str(fake), "Ctrl-C at the terminal would reach it"
        os.kill(int(parent), number)
        thread.join(timeout=30)
        return answers[0], fake

    return run


def test_interrupt_ends_the_machine_too(interrupted):
    answer, fake = interrupted(signal.SIGINT)
    assert answer.returncode == 130
    assert "Traceback" not in answer.stderr
    assert not is_running(fake)


def test_a_child_ends_although_its_lock_is_held(monkeypatch):
    """As when Ctrl-C comes between Popen's taking its lock and the block that gives it back."""
    monkeypatch.setattr(child, "KILLED", 0.2)
    with subprocess.Popen(["sleep", "50"]) as process:
        with process._waitpid_lock:  # pylint: disable=protected-access
            child.end(process)
            assert process.returncode is None, "the lock is another one: this test shows nothing"
        assert process.wait(10) == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_machine_ends_when_the_lab_is_killed(interrupted, number):
    _, fake = interrupted(number)
    deadline = time.monotonic() + 10
    while is_running(fake) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(fake)


@pytest.mark.parametrize(
    "options",
    [
        ["--qemu", "/nonexistent/qemu"],
        ["--qemu", "true", "--profile", "no-such-profile"],
        ["--qemu", "true", "--cpu", "any", "--iso", "/nonexistent.iso"],
        ["--qemu", "true", "--cpu", "any", "--args", 'quote"d'],
        ["--qemu", "true", "--cpu", "any", "--test", "a", "--args", "test=b"],
        ["--serial", "/nonexistent/tty"],
        ["--qemu", "true", "--cpu", "any", "--log", "/tmp"],
        ["--qemu", "true", "--cpu", "any", "--log", "/dev/null/log"],
        ["--no-such-option"],
        ["--firmware", "coreboot"],
    ],
    ids=" ".join,
)
def test_bad_arguments_are_refused(options, tmp_path):
    hollow_image(tmp_path / "image.iso")
    command = [str(RUN), "--log", str(tmp_path / "log"), "--iso", str(tmp_path / "image.iso")]
    command += options
    answer = execute(*command, timeout=60)
    assert answer.returncode == Status.ERROR
    assert answer.stderr.strip()
    assert "Traceback" not in answer.stderr


def test_serial_without_its_package_is_told(tmp_path):
    (tmp_path / "serial.py").write_text("raise ModuleNotFoundError('serial')")
    command = [RUN, "--serial", "/dev/ttyS0", "--log", tmp_path / "log"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    answer = execute(*command, timeout=60, env=environment)
    assert answer.returncode == Status.ERROR
    assert "python3-serial" in answer.stderr and "Traceback" not in answer.stderr


def test_two_runs_do_not_share_a_log(run_fake, tmp_path):
    with open(tmp_path / "log", "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        other.write(b"of another run")
        other.flush()
        answer = run_fake(raw(GOOD), f"sys.exit({EXIT['PASS']})")
    assert answer.returncode == Status.ERROR
    assert "another run; --log names another" in answer.stderr
    assert (tmp_path / "log").read_bytes() == b"of another run"


def serve_log(chunks):
    """A serial line behind TCP: sends the chunks, then holds the line. Returns its address."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        line, _ = server.accept()
        with line:
            time.sleep(0.5)  # pyserial drops what came before it was ready
            for chunk in chunks:
                line.sendall(chunk)
                time.sleep(0.1)
            line.recv(1)  # until the reader hangs up
        server.close()

    threading.Thread(target=serve, daemon=True).start()
    return f"socket://127.0.0.1:{server.getsockname()[1]}"


def listen(url, tmp_path, *options):
    return execute(RUN, "--serial", url, "--log", tmp_path / "log", *options, timeout=60)


def test_board_on_a_serial_line(tmp_path):
    data = raw(GOOD)
    answer = listen(serve_log([b"\x00\xff", data[:333], data[333:]]), tmp_path)
    assert answer.returncode == Status.PASS, answer.stderr
    assert (tmp_path / "log").read_bytes().endswith(data)


def test_a_board_that_only_lists_its_tests_is_no_pass(tmp_path):
    """Its image or somebody at its menu said `list`."""
    answer = listen(serve_log([raw(LISTED)]), tmp_path)
    assert answer.returncode == Status.LISTED, answer.stderr
    assert "LISTED (status 9): the tests were listed, none was run" in answer.stderr


@pytest.mark.parametrize(("log", "verdict"), [(LISTED, "LISTED"), (DRY, "DRY_RUN")])
def test_what_tests_nothing_is_one_status_whoever_asks(run_fake, tmp_path, log, verdict):
    """Asked for or not, by the judge of kept logs, and with a word about what make says."""
    end, status = f"sys.exit({EXIT[verdict]})", Status[verdict]
    for words in (["--args", "list"], ["--args", "dry-run"], []):
        answer = run_fake(raw(log), end, *words)
        assert answer.returncode == status, answer.stderr
        assert f"no pass, so the status is {status}, which make calls Error {status}." in (
            answer.stderr
        )
    kept = subprocess.run([ROOT / "tools/lab/judge-log", tmp_path / "given"], check=False)
    assert kept.returncode == status


def test_interrupted_board_leaves_its_log(tmp_path):
    (tmp_path / "log").write_text("an older one")
    command = [RUN, "--serial", serve_log([raw(GOOD)[:300]]), "--log", tmp_path / "log"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 20
        while (tmp_path / "log").read_bytes() != raw(GOOD)[:300] and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    assert (tmp_path / "log").read_bytes() == raw(GOOD)[:300]


def test_board_that_falls_silent(tmp_path):
    answer = listen(serve_log([raw(GOOD)[:300]]), tmp_path, "--silence", "1")
    assert answer.returncode == Status.TIMEOUT


@pytest.mark.parametrize("came", [b"", b"\x00\xff\r\n"])
def test_board_of_which_nothing_is_heard(tmp_path, came):
    """Whether it hangs nobody knows: the line is what to look at."""
    url = serve_log([came] if came else [])
    answer = listen(url, tmp_path, "--silence", "1")
    assert answer.returncode == Status.TIMEOUT
    assert f"no log came on the serial line {url}\n  not one byte came in " in answer.stderr
    for word in ("cable", "port", "rate", "COM1 may not be wired"):
        assert word in answer.stderr, answer.stderr
    assert "hang" not in answer.stderr and "hung" not in answer.stderr


def test_board_of_which_the_firmware_is_heard_alone(tmp_path):
    answer = listen(serve_log([b"GRUB loading.\r\n"]), tmp_path, "--silence", "1")
    assert answer.returncode == Status.TIMEOUT
    assert "the last line is 'GRUB loading.'" in answer.stderr
    assert "the line works: did the board start from this image?" in answer.stderr
    assert "cable" not in answer.stderr and "hung" not in answer.stderr


def test_board_that_falls_silent_in_its_log_hangs(tmp_path):
    answer = listen(serve_log([raw(GOOD)[:300]]), tmp_path, "--silence", "1")
    assert "cable" not in answer.stderr and "the machine hung" in answer.stderr


@pytest.mark.parametrize("program", ["judge-log", "report --tap -", "trace"])
@pytest.mark.parametrize("content", [b"", b"hello\nworld\n", bytes(range(256)), b"GRUB\n" * 999])
def test_what_is_no_log_of_ours(tmp_path, program, content):
    (tmp_path / "file").write_bytes(content)
    name, *words = program.split()
    answer = execute(ROOT / "tools/lab" / name, *words, tmp_path / "file")
    assert answer.returncode == Status.ERROR
    assert "no log of btscheck" in answer.stdout + answer.stderr


def test_a_log_that_lost_its_beginning_is_one_of_ours(tmp_path):
    (tmp_path / "file").write_bytes(raw(GOOD)[200:300])
    answer = execute(ROOT / "tools/lab/judge-log", tmp_path / "file")
    assert answer.returncode == Status.CUT_OFF and "no log of" not in answer.stdout


def test_board_that_starts_again(tmp_path):
    half = raw(GOOD)[:300]
    answer = listen(serve_log([half, raw(GOOD)]), tmp_path)
    assert answer.returncode == Status.CUT_OFF
    assert "started again" in answer.stderr


def test_archived_logs_are_judged_again(tmp_path):
    good, failing = tmp_path / "good.ktap", tmp_path / "failing.ktap"
    good.write_bytes(raw(GOOD))
    failing.write_bytes(raw(FAILING))
    judge_log = str(ROOT / "tools/lab/judge-log")
    assert subprocess.run([judge_log, str(good)], check=False).returncode == Status.PASS
    both = execute(judge_log, good, failing)
    assert both.returncode == Status.FAIL
    assert "encodings.tr1_bts1" in both.stdout
    absent = subprocess.run([judge_log, str(tmp_path / "no")], capture_output=True, check=False)
    assert absent.returncode == Status.ERROR


@pytest.mark.parametrize(
    ("names", "worst"),
    [
        (["good", "skipped"], Status.SKIP),
        (["failing", "skipped"], Status.FAIL),
        (["skipped", "failing", "good"], Status.FAIL),
        (["skipped", "crashed"], Status.CRASH),
        (["good", "listed"], Status.LISTED),
        (["absent", "skipped"], Status.ERROR),
        (["absent", "failing", "cut"], Status.CUT_OFF),
    ],
)
def test_worst_of_several_logs_counts(tmp_path, names, worst):
    texts = {"good": GOOD, "failing": FAILING, "skipped": SKIPPED, "crashed": CRASHED}
    for name, text in {**texts, "listed": LISTED, "cut": GOOD[:300]}.items():
        (tmp_path / name).write_bytes(raw(text))
    answer = execute(ROOT / "tools/lab/judge-log", *(tmp_path / name for name in names))
    assert answer.returncode == worst
    assert answer.stdout.count("none was run") == names.count("listed")
    judged = [name for name in names if f"log: {tmp_path / name}\n" in answer.stdout]
    assert judged == [name for name in names if name != "absent"]


def test_every_status_is_explained():
    assert set(MEANING) == set(Status)
    assert all(step for status, (_, step) in MEANING.items() if status != Status.PASS)


def test_statuses_are_on_their_page():
    text = (ROOT / "docs/status.md").read_text(encoding="utf-8")
    for status, (meaning, _) in MEANING.items():
        assert f"| {int(status)} | {meaning} |" in text


@pytest.mark.parametrize("text", ['a"b', "a'b", "a\\b", "a\nb", "é", "x" * 901])
def test_command_lines_that_would_not_arrive_are_refused(text):
    with pytest.raises(LabError):
        check_command_line(text)


def test_commas_survive_qemu(tmp_path):
    iso = tmp_path / "a,b.iso"
    hollow_image(iso)
    words = Machine(cpu="any", iso=iso, command_line="test=a.*,b.*").arguments("stdio")
    assert "type=11,value=btscheck:test=a.*,,b.*" in words
    assert any(word.endswith("a,,b.iso") for word in words)


def test_stream_prints_whole_lines_without_escapes(capsys):
    stream = Stream(sys.stdout)
    for chunk in (b"\x1b[2Jok ", b"1 a\r\nnot", b" ok 2 b"):
        stream(chunk)
    assert capsys.readouterr().out == "ok 1 a\n"
    stream.finish()
    assert capsys.readouterr().out == "not ok 2 b\n"
