# SPDX-License-Identifier: GPL-2.0-or-later
"""The LAVA preset: devices, and whole jobs where lava-run is installed."""

import os
import shutil
import subprocess
from pathlib import Path

import ktap
import pytest
from judge import Status
from machine import find_profile
from integrations import HANG, image_and_emulator, stand_in  # noqa: F401
from test_integrations_lava import FOLDER, run

yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")

TYPES = Path("/usr/share/lava-server/device-types")


def test_device_without_lavas_types_is_told(tmp_path):
    answer = run(FOLDER / "device", "board", "--templates", tmp_path)
    assert answer.returncode == Status.ERROR and "no base.jinja2" in answer.stderr
    assert run(FOLDER / "device", "board", "no-value").returncode == Status.ERROR


def test_device_names_the_emulator_so_that_lava_finds_it(tmp_path):
    """It looks for any other than an absolute path in PATH. What is asked here is no matter of
    LAVA's own device types."""
    (tmp_path / "base.jinja2").write_text("")
    (tmp_path / "qemu.jinja2").write_text("{% block qemu_method %}{% endblock %}")
    (tmp_path / "qemu").symlink_to("/bin/true")
    words = [FOLDER / "device", "qemu", "--templates", tmp_path, "--test", "a.*,b.*", "--qemu"]
    answer = run(*words, "./qemu", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    command = yaml.safe_load(answer.stdout)["parameters"]
    assert command["command"] == str(tmp_path / "qemu")
    assert any("value=btscheck:test=a.*,,b.*'" in each for each in command["options"])
    answer = run(*words, "./absent", cwd=tmp_path)
    assert answer.returncode == Status.ERROR and "./absent cannot be started" in answer.stderr


@pytest.fixture
def device(tmp_path):
    """device(kind, words…) -> the path of a device that lava-run takes."""
    if not TYPES.is_dir():
        pytest.skip("LAVA's device types are not installed (Debian's lava-server)")

    def render(*words):
        answer = run(FOLDER / "device", *words)
        assert answer.returncode == 0, answer.stderr
        (tmp_path / "device.yaml").write_text(answer.stdout)
        return tmp_path / "device.yaml"

    return render


def test_devices_are_what_the_templates_say(device):
    board = yaml.safe_load(device("board", "connection_command=telnet cs1 7001").read_text())
    assert board["commands"]["connect"] == "telnet cs1 7001"
    assert "minimal" in board["actions"]["boot"]["methods"]
    assert board["commands"]["hard_reset"][0] == board["commands"]["power_off"]
    qemu = yaml.safe_load(device("qemu", "--profile", "core2", "--test", "a.*,b.*").read_text())
    command = qemu["actions"]["boot"]["methods"]["qemu"]["parameters"]
    assert any("value=btscheck:test=a.*,,b.*'" in each for each in command["options"])
    model = find_profile("core2")["cpu"].split(",")[0]
    assert any(each.startswith(f"-cpu {model},") for each in command["options"])


@pytest.fixture
def lava(tmp_path):
    """lava(a device, a job) -> (lava-run's status, lava-judge's, {(suite, case): result})."""
    if shutil.which("lava-run") is None:
        pytest.skip("lava-run is not installed (Debian's lava-dispatcher)")
    if os.geteuid() != 0:
        pytest.skip("lava-run wants root")

    def run_job(device, job):
        words = ["lava-run", "--job-id", str(os.getpid()), "--output-dir", tmp_path / "lava"]
        answer = run(
            *words,
            "--device",
            device,
            job,
            stderr=subprocess.STDOUT,
            capture_output=False,
            stdout=subprocess.PIPE,
        )
        (tmp_path / "output").write_text(answer.stdout)
        judged = run(FOLDER / "lava-judge", tmp_path / "output", "--log", tmp_path / "log")
        print(answer.stdout[-3000:], judged.stdout, judged.stderr)
        return answer.returncode, judged.returncode, lava_results(answer.stdout)

    return run_job


def lava_results(text):
    found = {}
    for line in text.split("\n"):
        if line.startswith('{"dt"') and '"lvl": "results"' in line:
            message = yaml.safe_load(line)["msg"]
            found[message["definition"], message["case"]] = message["result"]
    return found


def job_for(path, name, **changes):
    """A job file with other text in places."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    (path / name).write_text(text)
    return path / name


def test_emulated_job(lava, device, image_and_emulator, tmp_path):  # noqa: F811
    iso, emulator = image_and_emulator()
    selection = "probe.availability_*,selftest.deliberate_failure,selftest.deliberate_skip"
    job = job_for(
        tmp_path, "job-qemu.yaml", image=("file:///srv/btscheck/btscheck.iso", f"file://{iso}")
    )
    machine = device("qemu", "--qemu", emulator, "--test", selection)
    ran, judged, results = lava(machine, job)
    assert (ran, judged) == (0, Status.FAIL)
    tests = {
        "availability_bits_are_read_only": "pass",
        "deliberate_skip": "skip",
        "availability_bits_stay_when_others_change": "pass",
        "deliberate_failure": "fail",
        "verdict": "fail",
    }
    assert {case: each for (suite, case), each in results.items() if suite == "btscheck"} == tests
    by_suite = tmp_path / "by-suite.yaml"
    by_suite.write_text(run(FOLDER / "by-suite", job, tmp_path / "log").stdout)
    ran, judged, results = lava(machine, by_suite)
    assert (ran, judged) == (0, Status.FAIL)
    assert results["probe", "availability_bits_are_read_only"] == "pass"
    assert results["selftest", "deliberate_skip"] == "skip"
    assert results["selftest", "deliberate_failure"] == "fail"


@pytest.fixture
def stand(lava, device, image_and_emulator, tmp_path):  # noqa: F811
    """(serve(test, options…), a board in a with statement; device_of(board), as LAVA has it)"""
    machine = image_and_emulator("ser2net", "socat")

    def serve(*options):
        return stand_in(tmp_path / "b", *machine, *options)

    def device_of(board):
        words = [f"connection_command=socat -u tcp:127.0.0.1:{board.port} -"]
        words += [f"power_{action}_command={board.command(action)}" for action in ("on", "off")]
        return device("board", *words)

    return serve, device_of


def test_job_of_a_board(lava, stand, tmp_path):
    serve, device_of = stand
    with serve("probe.*") as board:
        ran, judged, results = lava(device_of(board), FOLDER / "job-board.yaml")
        assert not board.is_on()
    assert (ran, judged) == (0, Status.PASS)
    assert results["btscheck", "verdict"] == "pass"
    assert results["btscheck", "no_bts_without_ds"] == "skip"
    tests = dict(ktap.read((tmp_path / "log").read_bytes()).tests())
    assert len(tests) == sum(suite == "btscheck" for suite, _ in results) - 1


def test_board_that_hangs_in_a_job(lava, stand, tmp_path):
    serve, device_of = stand
    changes = {"patience": ("{seconds: 119}", "{seconds: 15}")}
    changes["next_monitor"] = ("connection: {minutes: 5}", "connection: {seconds: 15}")
    job = job_for(tmp_path, "job-board.yaml", **changes)
    with serve(*HANG) as board:
        ran, judged, results = lava(device_of(board), job)
        assert not board.is_on()
    assert (ran, judged) == (1, Status.TIMEOUT)
    assert ("btscheck", "verdict") not in results and results["lava", "job"] == "fail"
    assert "test monitoring timeout: 15 seconds" in (tmp_path / "output").read_text()
