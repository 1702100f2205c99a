# SPDX-License-Identifier: GPL-2.0-or-later
"""Options that an image starts with by itself, for boards without a hand in GRUB's menu."""

import os
import shutil

import pytest
from conftest import ROOT, RUN, execute
from errors import LabError
from image_options import (
    HEAD,
    SIZE,
    beside,
    block,
    copy_with_options,
    find_block,
    read_block,
    read_options,
    write_options,
)
from judge import Status
from kernel_options import check_options
from machine import COMMAND_LINE_LIMIT

IMAGE = ROOT / "tools/lab/image"
QUICK = "test=probe.no_bts_without_ds"  # stock QEMU passes it
COPIED = f"{QUICK} seed=3"  # of the fixture `copy`
# Of a shell and of GRUB: none of it may be more than a letter of a test's name.
AWKWARD = f"{QUICK},$default;{{reboot}}|&>(x)~#! seed=4"


def run(*words):
    command = list(map(str, words))
    return execute(*command, timeout=120)


def changed_bytes(one, other):
    return [at for at, (a, b) in enumerate(zip(one, other)) if a != b]


@pytest.fixture
def copy(iso, tmp_path):
    """One that tools/lab/run made, and the original with it."""
    target = tmp_path / "copy.iso"
    answer = run(RUN, "--iso", iso, "--set", COPIED, "-o", target)
    assert answer.returncode == 0 and str(target) in answer.stderr, answer
    return target


@pytest.mark.parametrize("medium", ["cd", "usb"])
@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_the_copy_starts_with_its_options(boot_machine, copy, firmware, medium):
    """Where it was set twice, with the later ones."""
    options = COPIED
    if medium == "usb":
        options = f"{QUICK} seed=11"
        write_options(copy, options)
    boot = boot_machine(iso=copy, own_options=True, firmware=firmware, medium=medium)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert f"# command line: {options}" in boot.text.splitlines()
    assert f"as set beforehand: {QUICK}".encode() in boot.outcome.raw, "GRUB's menu, on COM1 too"


# Where in the block of the fixture's options a bit is flipped.
FLIPPED = {
    "signature": 2,
    "name": len(HEAD),
    "end of line": len(HEAD + b"options=" + COPIED.encode()),
}


@pytest.mark.parametrize("where", FLIPPED)
def test_a_damaged_block_runs_nothing(boot_machine, copy, where):
    """The board does not start as if no options had been set."""
    image = bytearray(copy.read_bytes())
    image[image.index(HEAD) + FLIPPED[where]] ^= 4
    copy.write_bytes(image)
    with pytest.raises(LabError, match="damaged"):
        read_options(copy)
    boot = boot_machine(iso=copy, own_options=True)
    assert boot.judgement.status == Status.ERROR, boot.explain()
    assert "# command line: options-that-cannot-be-read" in boot.text.splitlines()


def test_nothing_in_the_options_is_a_command_of_the_loader(boot_machine, copy):
    write_options(copy, AWKWARD)
    boot = boot_machine(iso=copy, own_options=True)
    assert f"# command line: {AWKWARD}" in boot.text.splitlines(), boot.explain()


def test_a_host_that_passes_a_command_line_is_heard_first(boot_machine, copy):
    boot = boot_machine(iso=copy, command_line=f"{QUICK} seed=12 lab=none")
    assert f"# command line: {QUICK} seed=12 lab=none" in boot.text.splitlines(), boot.explain()


def test_run_boots_the_copy_where_a_machine_is_named(iso, tmp_path):
    copy, log = tmp_path / "c.iso", tmp_path / "log"
    words = [RUN, "--iso", iso, "--set", f"{QUICK} seed=5", "-o", copy, "--log", log]
    answer = run(*words, "--qemu", "qemu-system-x86_64", "--quiet")
    assert answer.returncode == Status.PASS, answer
    assert f"# command line: {QUICK} seed=5".encode() in log.read_bytes()


def test_the_copy_is_the_image_but_for_one_sector(iso, copy):
    original, changed = iso.read_bytes(), copy.read_bytes()
    assert len(original) == len(changed)
    at = changed_bytes(original, changed)
    assert at[0] // SIZE == at[-1] // SIZE and len(at) < 64
    assert read_options(iso) == "" and read_options(copy) == COPIED


def test_set_and_cleared_is_the_image_again(iso, copy):
    before = iso.read_bytes()
    for options in ("cpu=all repeat=8h", "a" * 0, "repeat=3", ""):
        write_options(copy, options)
        assert read_options(copy) == options
    assert copy.read_bytes() == before == iso.read_bytes()


def test_the_block_of_a_new_image_is_the_empty_one(iso):
    """iso/build makes it by itself, without Python."""
    with open(iso, "rb") as file:
        at = find_block(file)
        file.seek(at)
        assert at % SIZE == 0 and file.read(SIZE) == block("")


def test_it_is_the_file_that_grub_reads(iso, tmp_path):
    """Another's eyes: xorriso takes it out of the file system, GRUB's editor reads it."""
    copy, out = tmp_path / "copy.iso", tmp_path / "options.env"
    copy_with_options(iso, copy, "cpu=all repeat=8h")
    command = [
        "xorriso",
        "-osirrox",
        "on",
        "-indev",
        copy,
        "-extract",
        "/boot/grub/options.env",
        out,
    ]
    assert run(*command).returncode == 0
    assert run("grub-editenv", out, "list").stdout.strip() == "options=cpu=all repeat=8h"


@pytest.fixture
def device(copy):
    """device(options of losetup) -> a stick, larger than the image that was written to it."""
    if os.geteuid() != 0 or not shutil.which("losetup"):
        pytest.skip("a block device to write to needs root and losetup")
    devices = []

    def attach(*words):
        with open(copy, "ab") as file:
            file.write(copy.read_bytes())  # what was on the stick before
        answer = run("losetup", "--find", "--show", *words, copy)
        if answer.returncode != 0:
            pytest.skip(f"no loop device here: {answer.stderr.strip()}")
        devices.append(answer.stdout.strip())
        return devices[-1]

    yield attach
    for each in devices:
        assert run("losetup", "--detach", each).returncode == 0


@pytest.fixture
def stick(device):
    return device()


def test_a_stick_that_was_written_before(stick, copy):
    answer = run(IMAGE, stick, "--in-place", "--set", "cpu=each seed=8")
    assert answer.returncode == 0, answer
    assert run(IMAGE, stick).stdout == "cpu=each seed=8\n"
    assert read_options(copy) == "cpu=each seed=8"


def test_a_write_protected_stick_is_named(device):
    stick = device("--read-only")
    answer = run(IMAGE, stick, "--in-place", "--set", "seed=8")
    assert answer.returncode == Status.ERROR
    assert answer.stderr == f"image: {stick}: Operation not permitted (is it write-protected?)\n"
    assert run(IMAGE, stick).stdout == f"{COPIED}\n"


def test_a_stick_that_somebody_else_uses_is_left_alone(stick):
    """As one that is mounted."""
    user = os.open(stick, os.O_RDWR | os.O_EXCL)
    answer = run(IMAGE, stick, "--in-place", "--set", "seed=8")
    os.close(user)
    assert answer.returncode == Status.ERROR and "(is it mounted?)" in answer.stderr, answer
    assert run(IMAGE, stick).stdout == f"{COPIED}\n"


def test_a_copy_of_a_stick_is_the_image_alone_and_not_among_the_devices(stick, iso, tmp_path):
    for program in ([IMAGE, stick], [RUN, "--iso", stick]):
        answer = run(*program, "--set", "seed=8")
        assert answer.returncode == Status.ERROR and "name the copy by --output" in answer.stderr
        assert not os.path.exists(f"{stick}-set")
    target = tmp_path / "taken.iso"
    assert run(IMAGE, stick, "--set", "", "-o", target).returncode == 0
    taken = target.read_bytes()
    assert taken and iso.read_bytes().startswith(taken) and read_options(target) == ""
    assert set(iso.read_bytes()[len(taken) :]) == {0}, "nothing but what fills it up is left out"


def test_a_full_disk_leaves_nothing(iso, tmp_path):
    """And what was there before stays."""
    if os.geteuid() != 0:
        pytest.skip("a file system that is full needs root")
    place = tmp_path / "small"
    place.mkdir()
    assert run("mount", "-t", "tmpfs", "-o", "size=1m", "none", place).returncode == 0
    try:
        (place / "copy.iso").write_bytes(b"before")
        answer = run(IMAGE, iso, "--set", "seed=1", "-o", place / "copy.iso")
        there = {path.name: path.read_bytes() for path in place.iterdir()}
    finally:
        assert run("umount", place).returncode == 0
    assert answer.returncode == Status.ERROR and there == {"copy.iso": b"before"}, answer
    told = f"image: {place}/copy.iso cannot be written: No space left on device\n"
    assert answer.stderr == told


def test_the_program_for_images(iso, tmp_path):
    image = shutil.copy(iso, tmp_path / "image.iso")
    answer = run(IMAGE, image, "--set", "seed=1")
    assert (answer.returncode, answer.stdout) == (0, f"{tmp_path}/image-set.iso\n")
    assert run(IMAGE, tmp_path / "image-set.iso").stdout == "seed=1\n"
    assert run(IMAGE, image).stdout == "none\n"
    assert run(IMAGE, image, "--set", "seed=2", "--in-place").returncode == 0
    assert read_options(image) == "seed=2"
    assert sorted(os.listdir(tmp_path)) == ["image-set.iso", "image.iso"]


REFUSED = {
    "cpu=some": "cpu=some: wants kinds, boot, each, all, pair, one",
    "foo=1": "unknown option 'foo'; known: test= list",
    "repeat=8w": "or a time as 90s, 20m, 8h or 3d",
    "duration=8h": "there is no duration= any more: write repeat=8h",
    "seed=1 seed=2": "seed is given twice",
    "test=a'b": "may hold no quotes",
    "test=a\nset root=x": "may hold no quotes, backslashes or controls",
    "seed=1\\": "may hold no quotes, backslashes or controls",
    "seed=\u0661": "may hold no quotes, backslashes or controls",
    "test=" + "a" * COMMAND_LINE_LIMIT: "longer than 900 characters",
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_the_kernel_would_refuse_is_refused(iso, tmp_path, options):
    answer = run(RUN, "--iso", iso, "--set", options, "-o", tmp_path / "copy.iso")
    assert answer.returncode == Status.ERROR, answer
    assert REFUSED[options] in answer.stderr and answer.stderr.count("\n") == 1
    assert not os.listdir(tmp_path)


def test_the_longest_options_fit():
    longest = ("test=" + "a" * COMMAND_LINE_LIMIT)[:COMMAND_LINE_LIMIT]
    check_options(longest)
    assert len(block(longest)) == SIZE and read_block(block(longest)) == longest


@pytest.mark.parametrize(
    "words, told",
    [
        (["--output", "x.iso"], "--output has no effect without --set"),
        (["--set", "seed=1", "--args", "seed=2"], "--args has no effect with --set"),
        (["--set", "seed=1", "--test", "a.*"], "--test has no effect with --set"),
        (["--set", "seed=1", "--serial", "/dev/ttyS0"], "--serial has no effect with --set"),
        (["--set", "seed=1", "--iso", "/nowhere"], "/nowhere: No such file"),
        (["--set", "seed=1", "--iso", "/dev/null"], "neither a file nor a block device"),
        (["--set", "seed=1", "--iso", "/etc/passwd"], "/etc/passwd: it is no image of btscheck"),
        (["--set", "seed=1", "-o", "/"], "/ is no plain file"),
        (["--set", "seed=1", "-o", "/nowhere/x.iso"], "No such file or directory"),
        (["--set", "seed=1", "--board", "no-serial", "--qemu", "x"], "needs console="),
    ],
)
def test_what_makes_no_sense_is_refused(iso, words, told):
    given = [] if "--iso" in words else ["--iso", iso]
    answer = run(RUN, *given, *words)
    assert answer.returncode == Status.ERROR and told in answer.stderr, answer
    assert answer.stderr.count("\n") == 1


def test_the_image_itself_is_no_copy(copy):
    before = copy.read_bytes()
    with pytest.raises(LabError, match="is the image itself"):
        copy_with_options(copy, copy.parent / "../" / copy.parent.name / copy.name, "seed=1")
    assert copy.read_bytes() == before


@pytest.mark.parametrize(
    "change, told",
    [
        (lambda image: image[: SIZE * 64] + block("") + image[SIZE * 65 :], "2 blocks of options"),
        (lambda image: image.rstrip(b"\0")[:-1], "cut off"),
        (lambda image: image[: 1 << 20], "cut off"),
        (lambda image: image[: SIZE * 8], "no image of btscheck"),
        (lambda image: b"", "no image of btscheck"),
        (lambda image: image.replace(b"BTSCHECK", b"WINDOWS1"), "no image of btscheck"),
        (lambda image: bytes(512) + image[512:], "table of partitions is damaged"),
        (lambda image: b"\xff" * 512 + image[512:], "table of partitions is damaged"),
        (lambda image: image.replace(HEAD, HEAD.lower()), "no block of options"),
        (lambda image: image.replace(HEAD + b"options=", HEAD + b"option=="), "is damaged"),
        (lambda image: image.replace(b"#" * 1024, b"#" * 1023 + b"x"), "is damaged"),
    ],
)
def test_damaged_images_are_named(iso, tmp_path, change, told):
    image = tmp_path / "image.iso"
    image.write_bytes(change(iso.read_bytes()))
    with pytest.raises(LabError, match=told) as caught:
        read_options(image)
    assert str(image) in str(caught.value)


CUT = [0, 1, 512, 1 << 15, 1 << 16, 300_000, 5_000_000]


@pytest.mark.parametrize("length", CUT)
def test_no_machine_starts_from_an_image_that_is_cut_off(iso, tmp_path, length):
    """It would hang in its loader or in the kernel, or even run; each tool has the same words."""
    image, rack = tmp_path / "image.iso", tmp_path / "rack.toml"
    image.write_bytes(iso.read_bytes()[:length])
    rack.write_text(f'iso = "{image}"\nemulator = "/bin/true"\n[[bays]]\nname = "a"\nqemu = {{}}\n')
    words = ["--quiet", "--qemu", "/bin/true", "--cpu", "any", "--log", tmp_path / "log"]
    answers = [
        run(ROOT / "tools/lab/image", image),
        run(RUN, "--iso", image, *words),
        run(ROOT / "tools/lab/rack", "check", rack),
    ]
    assert all(answer.returncode == 2 for answer in answers), answers
    told = {answer.stderr.partition(f"{image}: ")[2] for answer in answers}
    assert len(told) == 1 and ("it is cut off" in told.pop()) == (length > 1 << 15)


def test_a_failing_copy_leaves_nothing(iso, tmp_path):
    image = tmp_path / "image.iso"
    image.write_bytes(iso.read_bytes()[: 1 << 20].replace(HEAD, HEAD.lower()))
    with pytest.raises(LabError):
        copy_with_options(image, beside(image), "seed=1")
    assert os.listdir(tmp_path) == ["image.iso"]
