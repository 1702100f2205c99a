# SPDX-License-Identifier: GPL-2.0-or-later
"""judge-log --follow: a log that another program writes is judged when its verdict comes."""

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
from judge_logs import FAILING, GOOD, changed, raw
from transport import AFTER_VERDICT

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


def end(process, text=None):
    out, err = process.communicate(text, timeout=60)
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


def test_who_writes_may_keep_the_old_file_for_a_while(tmp_path):
    """As logrotate does it: the new file is there, empty, before the console server is told."""
    path, half, more = tmp_path / "console.log", len(DATA) // 3, 2 * len(DATA) // 3
    with open(path, "wb", buffering=0) as old:
        old.write(DATA[:half])
        process = start("--follow", path)
        wait_until_read(process, path)
        path.rename(tmp_path / "console.log.1")
        path.touch()
        time.sleep(0.5)
        old.write(DATA[half:more])
        path.write_bytes(DATA[more:])
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
    head = b"KTAP version 1\n# btscheck: x\n# command line: repeat=1h\n"
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


def test_one_of_several_logs_is_followed_to_its_own_verdict():
    lines = {"bay1": raw(GOOD), "bay2": raw(FAILING)}
    lines = {bay: text.decode().replace("\r\n", f"\n{bay}: ") for bay, text in lines.items()}
    half = len(lines["bay2"]) // 2
    process = start("--follow", "--prefix", "bay2", "-", stdin=subprocess.PIPE)
    process.stdin.write(lines["bay1"] + lines["bay2"][:half])
    process.stdin.flush()
    time.sleep(2 * AFTER_VERDICT)
    assert process.poll() is None, "bay1's verdict is not bay2's"
    status, out, _ = end(process, lines["bay2"][half:] + "\n")
    assert status == Status.FAIL, out


def test_old_verdict_of_another_board_is_not_this_ones(tmp_path):
    path = tmp_path / "console.log"
    path.write_bytes(b"bay1: " + DATA.replace(b"\n", b"\nbay1: "))
    assert end(start("--follow", path, "--silence", "1"))[0] == Status.ERROR
    assert end(start("--follow", path, "--prefix", "bay2", "--silence", "1"))[0] == Status.ERROR
    with open(path, "ab") as log:
        log.write(b"\nbay2: " + raw(FAILING)[:90].replace(b"\n", b"\nbay2: "))
    assert end(start("--follow", path, "--prefix", "bay2", "--silence", "1"))[0] == Status.TIMEOUT


@pytest.mark.parametrize("packed", [False, True])
def test_log_from_a_pipe_is_read_whole(packed):
    """judge-log <(ssh server cat console.log): what was read once does not come again."""
    text = changed(("# time", "".join(f"# note {n}\n" for n in range(3000)) + "# time"))
    data = gzip.compress(raw(text)) if packed else raw(text)
    read, write = os.pipe()
    process = start(f"/dev/fd/{read}", pass_fds=[read])
    os.close(read)
    with open(write, "wb") as pipe:
        pipe.write(data)
    status, out, _ = end(process)
    assert status == Status.PASS, out


@pytest.mark.parametrize("words", [[], ["--new"]])
def test_pipe_is_not_followed_by_its_name(tmp_path, words):
    """To open it waits for who writes, whatever the limits."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    status, _, err = end(start("--follow", path, *words))
    assert status == Status.ERROR and f"`judge-log --follow - < {path}`" in err


def test_packed_log_is_not_followed(tmp_path):
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(DATA))
    status, _, err = end(start("--follow", path))
    assert status == Status.ERROR and f"{path} is packed" in err
    with open(path, "rb") as log:
        status, _, err = end(start("--follow", "-", stdin=log))
    assert status == Status.ERROR and "the standard input is packed" in err


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
