# SPDX-License-Identifier: GPL-2.0-or-later
"""What people type: variables that do not exist, folders with odd names, archives of a release."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT, execute
from test_build import INHERITED, copy_tree, digest

VERSION = ROOT / "tools/version"
ODD = ["a b", "it's", "a,b", "a$b", "é", 'q"#;&(%', "a=b", "~", "x y/z w"]


def run(*command, **options):
    """As a person starts it, and no other make."""
    more, time = options.pop("env", {}), options.pop("timeout", 280)
    environment = {name: text for name, text in os.environ.items() if name not in INHERITED}
    environment.pop("MAKELEVEL", None)
    return execute(*command, timeout=time, env={**environment, **more}, **options)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("PROFIEL=core2", "did you mean PROFILE=?"),
        ("profile=core2", "did you mean PROFILE=?"),
        ("Test=probe.*", "did you mean TEST=?"),
        ("test=probe.*", "ARGS='test=...'"),
        ("VARIATIONS=x", "did you mean VARIATION=?"),
        ("repeat=3", "ARGS='repeat=...'"),
        ("seed=3", "ARGS='seed=...'"),
        ("BULID=x", "did you mean BUILD=?"),
        ("CFLAGS=-O0", "cannot be built with other flags than its own"),
        ("XYZZY=1", "there are: BUILD CC"),
        ("q'x=1", "there is no variable q'x"),
    ],
)
@pytest.mark.parametrize("target", ["run", "help", "clean"])
def test_variable_that_nothing_reads_is_refused(word, told, target):
    answer = run("make", "-n", "-C", ROOT, target, word)
    assert answer.returncode == 2
    assert told in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize("word", ["PROFILE=core2", "V=1", "CC=clang", "MATRIX=--fresh", "SHELL=sh"])
def test_variable_that_is_read_is_taken(word):
    assert run("make", "-C", ROOT, "help", word).returncode == 0


def test_variables_of_another_makefile_are_its_own_affair(tmp_path):
    """`make DESTDIR=/x` of a project that builds btscheck too."""
    (tmp_path / "Makefile").write_text('all:\n\t@$(MAKE) -C "$$FOLDER" help\n')
    answer = run("make", "-C", tmp_path, "DESTDIR=/x", env={"FOLDER": str(ROOT)})
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("SMP=0", "SMP wants a number of processors from 1 to 4096, not '0'"),
        ("SMP=-1", "SMP wants"),
        ("SMP=abc", "SMP wants"),
        ("SMP=9999", "SMP wants"),
        ("FIRMWARE=foo", "invalid choice: 'foo'"),
        ("MEDIUM=floppy", "invalid choice: 'floppy'"),
        ("ACCEL=xen", "invalid choice: 'xen'"),
        ("PROFILE=core3", "no profile 'core3'; did you mean 'core2'"),
        ("ARGS=it's", "may hold no quotes"),
        ("QEMU=/no such/qemu", "/no such/qemu cannot be started"),
    ],
)
def test_senseless_value_is_refused(iso, tmp_path, word, told):
    recipe = run("make", "-n", "-o", "iso", "run", word, cwd=ROOT).stdout.strip()
    options = ["--log", tmp_path / "log", "--iso", iso]
    options += [] if "QEMU" in word else ["--qemu", "true"]
    answer = run("sh", "-c", recipe + ' "$@"', "sh", *options, cwd=ROOT)
    assert answer.returncode == 2, answer.stderr
    assert told in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


def test_folder_without_a_name_is_refused():
    answer = run("make", "-C", ROOT, "iso", "BUILD=")
    assert answer.returncode == 2 and "BUILD= names no folder" in answer.stderr


def variable(folder, name, *options):
    """What make takes it for (its own, or the environment's); nothing is built."""
    answer = run("make", "-C", folder, "-npq", "-o", "iso", "help", *options)
    return re.search(rf"^{name} :?= ?(.*)$", answer.stdout, re.M)[1].strip()


@pytest.mark.parametrize("name", ODD)
def test_odd_folders_reach_the_lab_and_the_rules(tmp_path, name):
    """What make would run: words as the shell has them."""
    option = f"BUILD={tmp_path / name}".replace("$", "$$")
    answer = run("make", "-n", "-o", "iso", "run", option, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr
    show = answer.stdout.replace("tools/lab/run", "printf '%s\\n'", 1)
    words = run("sh", "-c", show).stdout
    assert f"--iso={tmp_path / name}/btscheck.iso\n" in words
    assert f"--make=BUILD={tmp_path / name}\n" in words
    assert re.fullmatch(r"build/named/\d+", variable(ROOT, "B", option))


def test_folder_with_a_usual_name_needs_no_link(tmp_path):
    assert variable(ROOT, "B", f"BUILD={tmp_path}/x-1_2+3.4") == f"{tmp_path}/x-1_2+3.4"
    assert variable(ROOT, "B") == "build"


def test_checkout_and_build_folder_with_odd_names_work(iso, tmp_path):
    """The whole way: build the same bytes, boot, judge, debug, and clean up again."""
    checkout, build = tmp_path / "a b,c'd$e%é#\"", tmp_path / "b u,i'l$d"
    copy_tree(checkout)
    same = [f"{name}={variable(ROOT, name)}" for name in ("VERSION", "SOURCE_DATE_EPOCH")]
    command = ["make", "-C", checkout, f"BUILD={build}".replace("$", "$$"), *same]
    options = ["QEMU=qemu-system-x86_64", "TEST=selftest.format_string"]
    answer = run(*command, "run", *options)
    assert answer.returncode == 0, answer.stdout[-2000:] + answer.stderr
    assert "PASS (status 0)" in answer.stderr
    assert digest(build / "btscheck.iso") == digest(iso)
    assert (checkout / "build/log/run.ktap").is_file()
    answer = run(*command, "debug", *options, stdin=subprocess.DEVNULL)
    assert "kernel_main () at kernel/main.c" in answer.stdout, answer.stdout + answer.stderr
    assert run(*command, "clean").returncode == 0
    assert not build.exists() and not list((checkout / "build/named").iterdir())


def git(folder, *words):
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
    answer = run("git", "-C", folder, *identity, *words)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


@pytest.fixture
def release(tmp_path):
    """release(tag) -> (a checkout of its own, its archive unpacked)"""

    def make_both(tag="v1.2"):
        checkout, unpacked = tmp_path / "checkout", tmp_path / "unpacked"
        copy_tree(checkout)
        unpacked.mkdir()
        git(checkout, "init", "-q")
        git(checkout, "add", "-A")
        git(checkout, "commit", "-q", "-m", "all", "--date=2001-02-03T04:05:06Z")
        if tag:
            git(checkout, "tag", tag)
        git(checkout, "archive", "--output", tmp_path / "release.tar", "HEAD")
        shutil.unpack_archive(tmp_path / "release.tar", unpacked)
        return checkout, unpacked

    return make_both


def versions(folder, **environment):
    path = folder / "tools/version"
    answers = [run(path, *words, env=environment) for words in ([], ["--date"])]
    assert not any(answer.stderr for answer in answers)
    return [answer.stdout.strip() for answer in answers]


def test_archive_of_a_release_knows_its_version(release, tmp_path):
    checkout, unpacked = release()
    date = git(checkout, "log", "-1", "--format=%ct")
    assert versions(checkout) == versions(unpacked) == ["v1.2", date]
    (checkout / "README.md").write_text("changed")
    assert versions(checkout) == ["v1.2-dirty", date]
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "of somebody who packs it")
    git(tmp_path, "tag", "v7")
    assert versions(unpacked) == ["v1.2", date], "the version of the repository around it"


def test_archive_without_a_tag_names_its_commit(release):
    checkout, unpacked = release(tag=None)
    assert versions(unpacked) == versions(checkout)
    assert re.fullmatch("[0-9a-f]{7,}", versions(unpacked)[0])


def test_files_without_any_history_have_no_version(tmp_path):
    copy_tree(tmp_path / "files")
    assert versions(tmp_path / "files") == ["unknown", "315532800"]


def test_image_of_an_archive_is_made_with_its_version(release, monkeypatch):
    """(The same version and date give the same bytes: test_build.py.)"""
    for name in ("VERSION", "SOURCE_DATE_EPOCH"):
        monkeypatch.delenv(name, raising=False)
    for folder in release():
        date = git(folder.parent / "checkout", "log", "-1", "--format=%ct")
        assert variable(folder, "VERSION") == "v1.2"
        assert variable(folder, "SOURCE_DATE_EPOCH") == date


def test_archive_can_be_linted(release):
    """There git knows no files: all are looked at, but what is built."""
    _, unpacked = release()
    (unpacked / "build").mkdir()
    (unpacked / "build/any.c").write_text("no licence \n")
    good = run(unpacked / "tools/lint", "licence", "lines")
    assert good.returncode == 0, good.stdout + good.stderr
    (unpacked / "kernel/new.c").write_text("no licence \n")
    bad = run(unpacked / "tools/lint", "licence", "lines")
    assert bad.returncode == 1
    assert "kernel/new.c: no SPDX line" in bad.stdout and "kernel/new.c:1:no licence" in bad.stdout
