# SPDX-License-Identifier: GPL-2.0-or-later
"""What the host tests share: the lab's modules, the image, the emulator, one way to boot."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("lab", "trust", "mutation", "rack", "reporting", "tracing")
sys.path[:0] = [str(ROOT / "tools" / name) for name in LIBRARIES]

import image_file  # noqa: E402
import machine  # noqa: E402
import durations  # noqa: E402
from changed import NoBase  # noqa: E402
from judge import Judgement, judge  # noqa: E402
from tiers import Tiers  # noqa: E402
from transport import Limits, Outcome, boot  # noqa: E402

pytest_plugins = ["seen_screen"]

LIMITS = Limits(total=240, silence=90)
RUN = ROOT / "tools/lab/run"

# The small guests of guests/.
GUESTS = ROOT / "tests/host/guests"
GUEST_BUILD = "gcc -m32 -nostdlib -static -no-pie -Wl,--build-id=none,-z,noexecstack"
GUEST_BUILD += ",-Ttext=0x101000,--section-start=.multiboot=0x100000"
ENDED = 1  # QEMU's status after a guest's exit with 0
STILL_RUNS = None  # the status of one that does not end
GUEST_TIME = 60  # seconds, on a busy host

# Stands for QEMU: writes the given bytes to COM1's file, then ends as told.
FAKE = """\
#!/usr/bin/python3
import os, re, sys, time
words = " ".join(sys.argv)
if "help" in words:
    sys.exit(0)
open(re.search(r"file,path=(\\S+),id=com1", words)[1], "ab").write(open({log!r}, "rb").read())
{end}
"""

# What is started in the background of a script ignores Ctrl-C, and so would all that we start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# And what nohup starts ignores the end of its terminal.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="what `make test` runs: tiers.py")


def pytest_configure(config):
    """The table of durations is written where the workers' reports come together."""
    if config.getoption("--quick"):
        try:
            config.pluginmanager.register(Tiers([ROOT / "tools" / name for name in LIBRARIES]))
        except NoBase as error:
            raise pytest.UsageError(str(error)) from error
    config.pluginmanager.register(durations)
    if not hasattr(config, "workerinput"):
        path = ROOT / os.environ.get("BUILD", "build") / "durations.md"
        config.pluginmanager.register(durations.Durations(path))


def hollow_image(path):
    """The lab takes it for an image of btscheck, and nothing is in it."""
    length = image_file.DESCRIPTOR + image_file.SIZE
    image = bytearray(length)
    image[458:462] = (length // image_file.PARTITION).to_bytes(4, "little")
    volume = image_file.VOLUME.ljust(40) + image_file.NAMED
    image[image_file.DESCRIPTOR : image_file.DESCRIPTOR + len(volume)] = volume
    path.write_bytes(image)
    return path


def execute(*command, check=False, **options):
    """Runs it to its end; its output is text. check: its status must be 0."""
    words = list(map(str, command))
    return subprocess.run(words, capture_output=True, text=True, check=check, **options)


def stand_ins(folder, scripts):
    """Puts shell scripts into the folder in place of programs, by name; returns the folder."""
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def make(*arguments, **options):
    """Runs make at the root; its output belongs to the failure message."""
    return execute("make", "-C", ROOT, *arguments, **options)


def build(target):
    """Builds it; the folder where it is then. Where `make test BUILD=folder` is being run, make
    puts BUILD into the environment."""
    folder = os.environ.get("BUILD", "build")
    answer = make(target, f"BUILD={folder}")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return ROOT / folder


def build_image():
    return build("iso") / "btscheck.iso"


@pytest.fixture(scope="session")
def iso():
    """The image as `make iso` builds it."""
    return build_image()


@pytest.fixture(scope="session")
def clang_iso():
    """The image that clang builds: other code, so other distances between two events."""
    answer = make("iso", "CC=clang", "BUILD=build/clang")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "warning:" not in answer.stdout + answer.stderr
    return ROOT / "build/clang/btscheck.iso"


@pytest.fixture(scope="session")
def emulator():
    """Our QEMU. Where its source cannot be had the tests that need it are skipped, by name."""
    answer = machine.build_emulator(capture_output=True, text=True)
    if answer.returncode == machine.NO_SOURCE:
        pytest.skip("no QEMU source to be had, the emulator cannot be built")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return str(machine.EMULATOR)


@dataclass
class Boot:
    judgement: Judgement
    outcome: Outcome

    @property
    def text(self):
        return "\n".join(self.judgement.log.lines)

    def explain(self):
        """The message of a failed assertion."""
        lines = self.judgement.log.lines
        telling = [line for line in lines if line.lstrip().startswith("not ok")]
        return "\n".join(
            [f"{self.judgement.status!r} {self.judgement.reasons}", self.outcome.messages]
            + telling[:20]
            + ["last lines:"]
            + lines[-30:]
        )


@pytest.fixture
def boot_machine(iso, tmp_path):
    """boot_machine(qemu=…, profile=…, …): boots once and judges; fields as machine.Machine."""

    def run(**fields):
        fields.setdefault("iso", iso)
        limits = fields.pop("limits", LIMITS)
        outcome = boot(
            machine.Machine(**fields), tmp_path / "log.ktap", limits, show=lambda chunk: None
        )
        return Boot(judge(outcome.raw, outcome.exit_code, outcome.timed_out), outcome)

    return run


@dataclass
class Guest:
    lines: list[tuple[str, int]]  # name and number, as printed
    status: int | None
    messages: str

    @property
    def numbers(self):
        assert self.status == ENDED, self
        return dict(self.lines)


def build_guest(name, folder):
    program, source = folder / name, GUESTS / f"{name}.S"
    subprocess.run([*GUEST_BUILD.split(), "-o", str(program), str(source)], check=True)
    return program


def numbers_of(text):
    lines = [line.split(":") for line in text.splitlines() if not line.startswith("#")]
    return [(name, int(number, 16)) for name, number in lines]


def boot_guest(program, log, emulator, profile, more, options, time=GUEST_TIME):
    """Boots it until it ends, or the time (seconds) is up. more: added to the processor's
    properties; options: QEMU's."""
    cpu = machine.find_profile(profile)["cpu"] + more
    command = [emulator, "-machine", "q35", "-accel", "tcg", "-m", "64", "-cpu", cpu]
    command += ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
    command += ["-serial", f"file:{log}", "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    command += ["-kernel", str(program), *options]
    try:
        answer = execute(*command, timeout=time)
        status, messages = answer.returncode, answer.stderr
    except subprocess.TimeoutExpired:
        status, messages = STILL_RUNS, ""
    text = log.read_text() if log.exists() else ""
    return Guest(numbers_of(text), status, messages)


@pytest.fixture
def run_guest(emulator, tmp_path):
    """run_guest(name, …): builds guests/NAME.S, boots it with our QEMU, reads what it says."""

    def run(name, profile="skylake", more="", options=(), time=GUEST_TIME):
        program = build_guest(name, tmp_path)
        return boot_guest(program, tmp_path / "log", emulator, profile, more, options, time)

    return run


@pytest.fixture
def run_fake(tmp_path):
    """run_fake(bytes of a log, how it ends, more options) -> the finished tools/lab/run."""

    def run(raw, end, *options, **more):
        (tmp_path / "given").write_bytes(raw)
        fake = tmp_path / "qemu"
        fake.write_text(FAKE.format(log=str(tmp_path / "given"), end=end))
        fake.chmod(0o755)
        iso = hollow_image(tmp_path / "image.iso")
        command = [RUN, "--qemu", fake, "--iso", iso, "--log", tmp_path / "log", *options]
        if not {"--cpu", "--profile", "--variation", "--accelerator"} & set(options):
            command += ["--cpu", "any"]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.run(
            list(map(str, command)), text=True, check=False, timeout=60, **streams
        )

    return run


def npm_packages(name):
    """node_modules of the lock in tests/host/NAME; skips where npm cannot have them."""
    if shutil.which("npm") is None:
        pytest.skip("npm is missing: `tools/setup lab` installs it")
    folder = ROOT / os.environ.get("BUILD", "build") / name
    command = [ROOT / "tests/host/npm_install", ROOT / "tests/host" / name, folder]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    if answer.returncode:
        pytest.skip(f"npm's packages for this test are not to be had: {answer.stderr[-300:]}")
    return folder / "node_modules"


@pytest.fixture(scope="session")
def report_readers():
    """Those that read reports."""
    return npm_packages("report_tools")


@pytest.fixture(scope="session")
def probe_log(iso, emulator, tmp_path_factory):
    """The bytes of a real log that passes: the suite `probe`, with a whole head."""
    where = tmp_path_factory.mktemp("probe") / "log.ktap"
    told = machine.Machine(qemu=emulator, iso=iso, command_line="test=probe.*")
    outcome = boot(told, where, LIMITS, show=lambda chunk: None)
    assert judge(outcome.raw, outcome.exit_code, outcome.timed_out).status == 0, outcome.messages
    return outcome.raw


@pytest.fixture
def lab(probe_log, tmp_path):
    """Boards behind real servers, racks.py; everything ends with the test."""
    from racks import Lab  # it imports this module

    lab = Lab(tmp_path, probe_log)
    yield lab
    lab.end()
