# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk without room: each program that writes says so, status 2, and blames nothing else.

In a mount namespace with a small disk of its own; where there can be none these are skipped.
"""


import pytest
from conftest import ROOT, RUN, execute, hollow_image
from judge import Status
from image_options import block
from judge_logs import EXIT, FAILING, GOOD, raw
from test_lab import serve_log
from trace_logs import build_kernel, write_log

LAB = ROOT / "tools/lab"
TOLD = "No space left on device"
ON_A_DISK = 'mount -t tmpfs -o "size=$1" none "$2" && cd "$2" && eval "$3" && shift 3 && exec "$@"'
FULL = "{ cat /dev/zero >rest; } 2>/dev/null || :"
LONG = raw(GOOD).replace(b"\n1..", b"\n" + b"# more\n" * 2000 + b"1..", 1)
# Stands for QEMU: what does not fit is lost, and it says nothing of it.
LOSES = """\
#!/usr/bin/python3
import os, re, sys
words = " ".join(sys.argv)
if "help" in words:
    print("x-ds-")
    sys.exit(0)
log = os.open(re.search(r"file,path=(\\S+),id=com1", words)[1], os.O_WRONLY)
for at in range(0, len(data := open({log!r}, "rb").read()), 16):
    try:
        os.write(log, data[at : at + 16])
    except OSError:
        pass
os._exit({status})
"""


class Disk:
    """A place to be mounted on, and what lies beside it."""

    def __init__(self, folder):
        self.beside, self.path = folder, folder / "disk"
        self.path.mkdir()

    def run(self, *command, room="64k", first=":"):
        """On a disk with so much room, on which a shell has done something first."""
        words = ["unshare", "-rm", "sh", "-c", ON_A_DISK, "sh", room, self.path, first, *command]
        return execute(*words, timeout=60)

    def losing(self, log, status):
        qemu, given = self.beside / "qemu", self.beside / "given"
        given.write_bytes(log)
        qemu.write_text(LOSES.format(log=str(given), status=status))
        qemu.chmod(0o755)
        return qemu


@pytest.fixture
def disk(tmp_path):
    there = Disk(tmp_path)
    if there.run("true").returncode != 0:
        pytest.skip("no mount namespace with a disk of its own is to be had here")
    return there


def assert_told(answer, *names):
    assert answer.returncode == Status.ERROR, answer.stdout + answer.stderr
    assert TOLD in answer.stderr and "Traceback" not in answer.stderr, answer.stderr
    assert all(str(name) in answer.stderr for name in names), answer.stderr


def run_words(disk, log, status):
    iso = disk.beside / "image.iso"
    hollow_image(iso)
    qemu = disk.losing(log, status)
    return [RUN, "--quiet", "--qemu", qemu, "--cpu", "any", "--iso", iso, "--log", "log"]


@pytest.mark.parametrize("status", [EXIT["PASS"], EXIT["FAIL"], 0, 1])
@pytest.mark.parametrize("room", ["4k", "8k"])
def test_log_of_an_emulator(disk, room, status):
    assert_told(disk.run(*run_words(disk, LONG, status), room=room), "log")


@pytest.mark.parametrize(("log", "verdict"), [(GOOD, "PASS"), (FAILING, "FAIL")])
def test_log_that_just_fits_is_judged(disk, log, verdict):
    answer = disk.run(*run_words(disk, raw(log), EXIT[verdict]), room="4k")
    assert answer.returncode == Status[verdict], answer.stderr


def test_log_that_breaks_off_where_there_is_room_is_no_full_disk(disk):
    answer = disk.run(*run_words(disk, raw(GOOD)[:300], 0))
    assert answer.returncode == Status.CUT_OFF and TOLD not in answer.stderr, answer.stderr


def test_log_of_a_board(disk):
    """It is heard to the end, yet what is kept would be another one."""
    line = serve_log([LONG[:300], LONG[300:]])
    words = [RUN, "--quiet", "--serial", line, "--log", "log"]
    assert_told(disk.run(*words, room="4k"), "log")


RACK = 'store = "{store}"\nemulator = "{qemu}"\n[[bays]]\nname = "a"\nqemu = {{}}\n'


def rack_file(disk, store):
    path, qemu = disk.beside / "rack.toml", disk.losing(LONG, EXIT["PASS"])
    path.write_text(RACK.format(store=store, qemu=qemu))
    return path


@pytest.mark.parametrize("room", ["16k", "32k", "64k", "128k"])
def test_store_of_a_rack(disk, room):
    answer = disk.run(LAB / "rack", "run", rack_file(disk, disk.path / "s.sqlite"), room=room)
    assert_told(answer, "s.sqlite")


def test_log_of_a_rack(disk):
    """The store is on another disk, its folder of logs is a link."""
    disk.beside.joinpath("s.sqlite.logs").symlink_to(disk.path)
    answer = disk.run(LAB / "rack", "run", rack_file(disk, disk.beside / "s.sqlite"), room="12k")
    assert_told(answer, ".ktap")
    assert "lab" in answer.stdout, answer.stdout


@pytest.mark.parametrize("name", ["junit", "json", "tap", "html"])
def test_reports(disk, name):
    log = disk.beside / "log.ktap"
    log.write_bytes(raw(GOOD))
    answer = disk.run(LAB / "report", f"--{name}", "page", log, first=f"{FULL}; : >page")
    assert_told(answer, "page")


@pytest.mark.parametrize("name", ["perf", "perfetto"])
def test_traces(disk, name):
    log, elf = write_log(disk.beside), build_kernel(disk.beside)
    assert_told(disk.run(LAB / "trace", log, "--elf", elf, f"--{name}", "t", first=FULL), "t")


@pytest.mark.parametrize("program", ["image", "run"])
def test_images_with_options(disk, iso, program):
    words = {"image": [LAB / "image", iso], "run": [RUN, "--iso", iso]}[program]
    assert_told(disk.run(*words, "--set", "cpu=all", "--output", "copy.iso"), "copy.iso")


def test_options_of_boards_that_start_over_the_network(disk):
    folder = disk.path / "netboot"
    (disk.beside / "block").write_bytes(block(""))
    first = f"mkdir -p netboot/boards; cp {disk.beside}/block netboot/boards/default.env; {FULL}"
    answer = disk.run(LAB / "netboot", "--folder", folder, "--set", "cpu=all", first=first)
    assert_told(answer, "default.env")
