# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/try-host: what it refuses, where it takes packages from, that nothing outlives it.

No host is made here.
"""

import importlib.machinery
import importlib.util
import os
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT, execute
from test_setup import LINE

TRY_HOST = ROOT / "tools/try-host"


def load():
    loader = importlib.machinery.SourceFileLoader("try_host", str(TRY_HOST))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("try_host", loader))
    loader.exec_module(module)
    return module


try_host = load()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["sarge"],
        ["trixie", "--command=lint"],
        ["trixie", "--account=nobody"],
        ["trixie", "--limit=0"],
        ["trixie", "--limit=soon"],
    ],
)
def test_senseless_arguments_are_refused(words):
    answer = execute(TRY_HOST, *words, timeout=60)
    assert answer.returncode == 2
    assert "usage:" in answer.stderr and "Traceback" not in answer.stderr
    assert "sarge" not in words or "bookworm" in answer.stderr


def refusal(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", [str(TRY_HOST), *words])
    monkeypatch.setattr(try_host, "try_release", lambda *_: pytest.fail("it was not refused"))
    assert try_host.main() == 2
    return capsys.readouterr().err


def test_takes_root(monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "please run it as root" in refusal(monkeypatch, capsys, "trixie")


@pytest.mark.parametrize("program", ["debootstrap", "unshare"])
def test_names_a_program_that_is_missing(monkeypatch, capsys, tmp_path, program):
    for other in {"debootstrap", "unshare"} - {program}:
        (tmp_path / other).symlink_to("/bin/true")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert f"{program} is missing: apt-get install" in refusal(monkeypatch, capsys, "trixie")


def test_container_that_may_not_make_namespaces_is_told(monkeypatch, capsys, tmp_path):
    (tmp_path / "debootstrap").symlink_to("/bin/true")
    (tmp_path / "unshare").symlink_to("/bin/false")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "allows no namespaces" in refusal(monkeypatch, capsys, "trixie")


@pytest.mark.parametrize("release", ["trixie", "resolute"])
def test_signatures_are_checked_unless_it_is_told_not_to(monkeypatch, capsys, release):
    monkeypatch.setattr(try_host, "check_machine", lambda: None)
    said = refusal(monkeypatch, capsys, release, "--keyring=/nowhere")
    assert "no keyring /nowhere" in said and "--keyring=" in said and "--unsigned" in said
    options = SimpleNamespace(unsigned=True, keyring="/nowhere")
    assert try_host.find_keyring(options, try_host.FAMILY[release]) == ["--no-check-gpg"]


ONE_LINE = "# deb http://no.example/debian x main\ndeb {} trixie main\n"
OPTIONS = "deb-src http://no.example/debian x\ndeb [arch=amd64 signed-by=/x] {}/ trixie main\n"
STANZA = "# of old: http://no.example/debian\nTypes: deb\nURIs: {}\nSuites: trixie\n"
ELSEWHERE = "deb http://no.example/apt sdk main\ndeb http://no.example/debian-security x main\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sources.list", ONE_LINE),
        ("sources.list.d/a.list", OPTIONS),
        ("sources.list.d/a.sources", STANZA),
        ("sources.list.d/a.list", ELSEWHERE + ONE_LINE),
    ],
)
def test_mirror_of_this_machine_is_taken(tmp_path, name, text):
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d/0.list.save").write_text("deb http://no.example/debian x main\n")
    for family in ("debian", "ubuntu"):
        mirror = f"http://mirror.example/{family}"
        (tmp_path / name).write_text(text.replace("{}", mirror))
        assert try_host.apt_mirror(family, tmp_path) == mirror


@pytest.mark.parametrize("family", ["debian", "ubuntu"])
def test_no_mirror_is_told_and_one_that_is_named_is_taken(monkeypatch, family):
    monkeypatch.setattr(try_host, "apt_mirror", lambda family: None)
    with pytest.raises(try_host.Refused, match=f"{family.capitalize()}; --mirror=URL"):
        try_host.find_mirror(SimpleNamespace(mirror=None), family)
    assert try_host.find_mirror(SimpleNamespace(mirror="http://x"), "debian") == "http://x"


def test_user_installs_what_setup_says(tmp_path):
    log = tmp_path / "log"
    log.write_text(f"setup: packages are missing. Please run:\n    {LINE}a b\nmake: *** Error 2\n")
    assert try_host.told_to_install(log) == LINE.replace("sudo ", "") + "a b"
    log.write_text("make: *** Error 2\n")
    assert try_host.told_to_install(log) is None


def can_be_apart():
    return (
        subprocess.run([*try_host.APART, "true"], capture_output=True, check=False).returncode == 0
    )


apart = pytest.mark.skipif(not can_be_apart(), reason="namespaces are not allowed here")
SLEEP = f"31.{os.getpid()}"


def sleepers():
    names = [path for path in Path("/proc").glob("[0-9]*/cmdline")]
    return [path for path in names if SLEEP.encode() in read(path).split(b"\0")]


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


@apart
def test_steps_are_bounded_in_time_and_nothing_outlives_them(tmp_path):
    """Not what went into the background either, nor a mount."""
    script = f"mount -t tmpfs none {tmp_path} && echo mounted; setsid sleep {SLEEP} & sleep {SLEEP}"
    log = tmp_path.with_suffix(".log")
    started = time.monotonic()
    assert try_host.bounded(["sh", "-c", script], log, 1 / 60) is None
    assert time.monotonic() - started < 20
    assert log.read_text() == "mounted\n"
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    deadline = time.monotonic() + 10
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not sleepers()


@apart
def test_status_and_output_of_a_step_are_kept(tmp_path):
    log = tmp_path / "log"
    assert try_host.bounded(["sh", "-c", "echo out; echo err >&2; exit 3"], log, 1) == 3
    assert log.read_text() == "out\nerr\n"
    with pytest.raises(try_host.Refused, match="(?s)sh ended with 4.*    why"):
        try_host.must(["sh", "-c", "echo why; exit 4"], log, 1)
