# SPDX-License-Identifier: GPL-2.0-or-later
"""Two compilers, the same bytes from the same commit, and what the image must not hold."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT, make


def source_files():
    """What git knows here, changes included."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in listed if name and (ROOT / name).is_file()]


def copy_tree(to):
    for name in source_files():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)


def build(folder, epoch, **environment):
    """Builds the tree in folder; returns the image's path."""
    command = ["make", "-C", str(folder), "iso", f"SOURCE_DATE_EPOCH={epoch}", "VERSION=same"]
    answer = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return folder / "build/btscheck.iso"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_same_commit_gives_the_same_bytes(tmp_path):
    one, other = tmp_path / "one", tmp_path / "another_folder"
    copy_tree(one)
    shutil.copytree(one, other)
    first = digest(build(one, 1700000000, TZ="UTC"))
    assert digest(build(other, 1700000000, TZ="Asia/Tokyo", LC_ALL="C")) == first
    written = (one / "build/btscheck.iso").stat().st_mtime_ns
    assert build(one, 1700000000).stat().st_mtime_ns == written, "built twice for nothing"
    assert digest(build(one, 1700086400)) != first, "the date does not reach the image"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_builds_without_a_warning(compiler, tmp_path):
    answer = make("iso", f"CC={compiler}", f"BUILD={tmp_path}")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "warning:" not in answer.stdout + answer.stderr


def program_headers(elf):
    command = ["readelf", "--program-headers", "--wide", str(elf)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split() for line in text.splitlines() if line.strip().startswith("LOAD")]


def test_no_segment_is_writable_and_executable(iso):
    segments = program_headers(iso.with_name("btscheck.elf"))
    assert segments
    for words in segments:
        rights = "".join(words[6:-1])
        assert not ("W" in rights and "E" in rights), words


def test_compiler_uses_no_vector_registers(iso):
    """An interrupt saves the general registers only; assembly that needs more saves it itself."""
    objects = sorted((iso.parent / "obj").rglob("*.c.o"))
    command = ["objdump", "--disassemble", "--no-show-raw-insn", *map(str, objects)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert text.count("\n") > 1000
    found = [line for line in text.splitlines() if re.search("%[xyz]mm|%st|%mm", line)]
    assert not found, found[:5]


def test_help_lists_every_target():
    text = make("help").stdout
    for target in "run test iso emulator debug lint profiles setup clean".split():
        assert f"\n{target} " in "\n" + text, target
