# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/try-host: what it refuses, that nothing outlives it. No host is made here."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from conftest import ROOT, execute, stand_ins
from test_setup import LINE

TRY_HOST = ROOT / "tools/try-host"


def part(script, **variables):
    """A script with its functions."""
    words = ["bash", "-c", f". {TRY_HOST}\n{script}"]
    return execute(*words, timeout=60, env={**os.environ, **variables})


@pytest.mark.parametrize(
    "words, said",
    [
        ([], "usage:"),
        (["sarge"], "bookworm"),
        (["trixie", "lint"], "'lint' is none of"),
    ],
)
def test_senseless_arguments_are_refused(words, said):
    answer = execute(TRY_HOST, *words, timeout=60)
    assert answer.returncode == 2 and said in answer.stderr


@pytest.mark.parametrize(
    "program, answer, said",
    [
        ("id", "echo 1000", "please run it as root"),
        ("mmdebstrap", None, "mmdebstrap is missing: apt-get install mmdebstrap"),
        ("unshare", "exit 1", "allows no namespaces"),
    ],
)
def test_what_the_machine_lacks_is_told(tmp_path, program, answer, said):
    for name in ("bash", "dirname", "timeout", "setpriv"):
        (tmp_path / name).symlink_to(shutil.which(name))
    answers = {"id": "echo 0", "mmdebstrap": "exit 1", "unshare": "exit 0", program: answer}
    stand_ins(tmp_path, {name: line for name, line in answers.items() if line})
    refused = execute(TRY_HOST, "trixie", timeout=60, env={"PATH": str(tmp_path)})
    assert refused.returncode == 2 and said in refused.stderr, refused.stderr


def test_user_installs_what_setup_says(tmp_path):
    log = tmp_path / "log"
    log.write_text(f"setup: packages are missing. Please run:\n    {LINE}a b\nmake: *** Error 2\n")
    assert part(f"told_to_install {log}").stdout == LINE.replace("sudo ", "") + "a b\n"
    log.write_text("make: *** Error 2\n")
    assert part(f"told_to_install {log}").stdout == ""


def can_be_apart():
    return part("apart true").returncode == 0


SLEEP = f"31.{os.getpid()}"


def sleepers():
    return subprocess.run(["pgrep", "-f", f"^sleep {SLEEP}"], check=False).returncode == 0


@pytest.mark.skipif(not can_be_apart(), reason="namespaces are not allowed here")
def test_steps_are_bounded_in_time_and_nothing_outlives_them(tmp_path):
    """Not what went into the background either, nor a mount."""
    script = f"mount -t tmpfs none {tmp_path} && echo mounted; setsid sleep {SLEEP} & sleep {SLEEP}"
    started = time.monotonic()
    answer = part(f"apart sh -c '{script}'", LIMIT="1")
    assert answer.returncode in (124, 137) and answer.stdout == "mounted\n"
    assert time.monotonic() - started < 20
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text(encoding="ascii")
    deadline = time.monotonic() + 10
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not sleepers()
    assert part("apart sh -c 'exit 3'").returncode == 3
