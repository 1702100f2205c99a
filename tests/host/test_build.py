# SPDX-License-Identifier: GPL-2.0-or-later
"""Two compilers, the same bytes from the same commit, and what the image must not hold."""

import hashlib
import os
import re
import shutil
import sys

import pytest
from conftest import ROOT, execute, make


INHERITED = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "BUILD")  # what make tells its children


def source_files():
    """What git knows here, changes included; all but what is built in the archive of a release."""
    if not (ROOT / ".git").exists():
        files = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
        return [name for name in files if not re.match(r"build/|.*__pycache__/", name)]
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = execute(*command, check=True).stdout.split("\n")
    return [name for name in listed if name and (ROOT / name).is_file()]


def copy_tree(to):
    for name in source_files():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)


def build(folder, epoch, **environment):
    """Builds the tree in folder; returns the image's path."""
    command = ["make", "-C", str(folder), "iso", f"SOURCE_DATE_EPOCH={epoch}", "VERSION=same"]
    command += ["BUILD=build"]
    answer = execute(*command, env={**os.environ, **environment})
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


def test_builds_without_a_warning(tmp_path, clang_iso):
    answer = make("iso", "CC=gcc", f"BUILD={tmp_path}")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "warning:" not in answer.stdout + answer.stderr


@pytest.mark.parametrize("folder", [None, "elsewhere"])
def test_image_under_test_is_the_one_of_make_test(tmp_path, folder):
    """A Makefile of that one recipe, in a fresh clone: there is no build/ yet."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = text[text.index("\ntest: iso") : text.index("\nfaults: ")].replace(
        "test: iso", "test:"
    )
    script = "import conftest; conftest.ROOT = conftest.Path('.'); print(conftest.build_image())"
    (tmp_path / "tools/emulator").mkdir(parents=True)
    (tmp_path / "tools/emulator/build").symlink_to("/bin/true")
    (tmp_path / "try.py").write_text(script)
    (tmp_path / "Makefile").write_text(
        f"BUILD ?= build\nPYTHON := {sys.executable} try.py\n"
        f"iso:\n\t@mkdir -p $(BUILD)\n{recipe}\n"
    )
    command = ["make", "-s", "test", *([f"BUILD={folder}"] if folder else [])]
    environment = {name: value for name, value in os.environ.items() if name not in INHERITED}
    environment["PYTHONPATH"] = str(ROOT / "tests/host")
    answer = execute(*command, cwd=tmp_path, env=environment)
    name = folder or "build"
    assert answer.stdout == f"{name}/btscheck.iso\n", answer.stderr
    assert (tmp_path / name).is_dir()


def program_headers(elf):
    text = execute("readelf", "--program-headers", "--wide", elf, check=True).stdout
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
    text = execute(*command, check=True).stdout
    assert text.count("\n") > 1000
    found = [line for line in text.splitlines() if re.search("%[xyz]mm|%st|%mm", line)]
    assert not found, found[:5]


def test_help_lists_every_target():
    text = make("help").stdout
    for target in "run test iso emulator debug lint profiles setup clean".split():
        assert f"\n{target} " in "\n" + text, target
