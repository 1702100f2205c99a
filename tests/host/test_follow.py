# SPDX-License-Identifier: GPL-2.0-or-later
"""judge-log --follow: a log that somebody else writes is judged when its verdict comes."""

import gzip
import os
import subprocess
import threading
import time
from pathlib import Path

import pytest
from conftest import ROOT
from damage import with_prefix
from judge import Status
from test_judge import FAILING, GOOD, raw

JUDGE_LOG = ROOT / "tools/lab/judge-log"
DATA = raw(GOOD)


def start(*words, **options):
    return subprocess.Popen(
        [JUDGE_LOG, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def wait_until_read(process, path):
    """The program has opened the file, and not a moment before."""
    deadline = time.monotonic() + 60
    folder = Path(f"/proc/{process.pid}/fd")
    while not any(os.path.realpath(link) == str(path) for link in folder.iterdir()):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)


def end(process):
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    return process.returncode, out, err


def write_slowly(path, data, pieces=5):
    for at in range(0, len(data), len(data) // pieces + 1):
        with open(path, "ab") as log:
            log.write(data[at : at + len(data) // pieces + 1])
        time.sleep(0.1)


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("name", ["none", "conserver"])
def test_file_that_grows(tmp_path, name, there):
    path = tmp_path / "console.log"
    process = None if there else start("--follow", path)
    path.write_bytes(b"[-- Console up -- Thu Nov 26 07:00:00 2026]\n")
    process = process or start("--follow", path)
    wait_until_read(process, path)
    text = DATA.decode().replace("\r\n", "\n")
    write_slowly(path, with_prefix(name, text).encode())
    status, out, _ = end(process)
    assert status == Status.PASS, out
    assert "ok 1 encodings" in out and "PASS (status 0)" in out


def test_old_verdict_is_never_this_runs(tmp_path):
    path = tmp_path / "console.log"
    path.write_bytes(DATA)
    status, _, err = end(start("--follow", path))
    assert status == Status.ERROR and "holds a verdict already" in err
    process = start("--follow", "--new", path, "--quiet")
    wait_until_read(process, path)
    write_slowly(path, raw(FAILING))
    status, out, _ = end(process)
    assert status == Status.FAIL, out
    assert "ok 1 probe" not in out


def test_file_that_is_put_aside_for_a_new_one(tmp_path):
    path, half = tmp_path / "console.log", len(DATA) // 2
    path.write_bytes(DATA[:half])
    process = start("--follow", path)
    wait_until_read(process, path)
    path.rename(tmp_path / "console.log.1")
    path.write_bytes(DATA[half:])
    assert end(process)[0] == Status.PASS


def test_file_that_becomes_shorter_is_told(tmp_path):
    path = tmp_path / "console.log"
    path.write_bytes(DATA[:400])
    process = start("--follow", path)
    wait_until_read(process, path)
    time.sleep(1)
    os.truncate(path, 10)
    status, _, err = end(process)
    assert status == Status.ERROR and "became shorter" in err


@pytest.mark.parametrize("words", [("--silence", "1"), ("--timeout", "1")])
def test_limits(tmp_path, words):
    path = tmp_path / "console.log"
    path.write_bytes(DATA[:400])
    status, out, _ = end(start("--follow", path, *words))
    assert status == Status.TIMEOUT, out


def test_soak_gets_its_time(tmp_path):
    """Of the head of its log: the usual limits would be over."""
    path = tmp_path / "console.log"
    head = b"KTAP version 1\n# btscheck: x\n# command line: duration=1h\n"
    path.write_bytes(head)
    process = start("--follow", path, "--silence", "1")
    assert end(process)[0] == Status.TIMEOUT, "a limit that a person names stands"


@pytest.mark.parametrize(("data", "status"), [(DATA, 0), (DATA[:400], 5), (b"", 5)])
def test_standard_input(data, status):
    process = start("--follow", "-", stdin=subprocess.PIPE)
    process.stdin.close()
    process.stdin = None
    end(process)
    read, write = os.pipe()
    process = start("--follow", "-", stdin=read)
    os.close(read)
    thread = threading.Thread(target=lambda: (os.write(write, data), os.close(write)))
    thread.start()
    assert end(process)[0] == status
    thread.join()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--new", "x"], "--new has no effect without --follow"),
        (["--timeout", "3", "x"], "--timeout has no effect without --follow"),
        (["--follow", "x", "y"], "--follow wants one log"),
        (["-"], "the standard input is read with --follow"),
        (["--follow", "--silence", "0", "x"], "wants a number of seconds"),
    ],
)
def test_what_has_no_effect_is_refused(words, text):
    status, _, err = end(start(*words))
    assert status == 2 and text in err


def test_one_of_several_logs(tmp_path):
    both = zip(*(raw(text).decode().split("\r\n") for text in (GOOD, FAILING)))
    path = tmp_path / "both"
    path.write_text("\n".join(f"bay1: {a}\nbay2: {b}" for a, b in both))
    assert end(start(path))[0] == Status.DISAGREE
    assert end(start("--prefix", "bay1", path))[0] == Status.PASS
    assert end(start("--prefix", "bay2", path))[0] == Status.FAIL
    status, _, err = end(start("--prefix", "bay3", path))
    assert status == Status.ERROR and "'bay1: ', 'bay2: '" in err


def test_packed_logs(tmp_path):
    packed = gzip.compress(DATA)
    path = tmp_path / "log.gz"
    path.write_bytes(packed)
    assert end(start(path))[0] == Status.PASS
    for damaged in (packed[:-9], packed[:60], packed[:30] + b"xxxx" + packed[34:]):
        path.write_bytes(damaged)
        status, _, err = end(start(path))
        assert status == Status.ERROR and "cut off or damaged" in err
    for command in ("xz", "bzip2", "zstd"):
        path.write_bytes(subprocess.run([command, "-c"], input=DATA, capture_output=True).stdout)
        status, _, err = end(start(path))
        assert status == Status.ERROR and f"`{command} -d`" in err
