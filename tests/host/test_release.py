# SPDX-License-Identifier: GPL-2.0-or-later
"""`make release`: the same bytes from a clone and from an archive, and each file starts."""

import json
import shutil
import subprocess

import pytest
from conftest import ROOT, execute, make


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """The folders of two releases of HEAD, made in differently named places."""
    above = tmp_path_factory.mktemp("release")
    clone, unpacked = above / "a clone", above / "unpacked"
    execute("git", "clone", "--quiet", ROOT, clone, check=True)
    unpacked.mkdir()
    archive = subprocess.run(
        ["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "--extract", "-C", unpacked], input=archive.stdout, check=True)
    return [made(clone), made(unpacked)]


def made(folder):
    answer = execute("make", "-C", folder, "release", timeout=400)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "is a development version" in answer.stderr or tagged()
    return folder / "build/release"


def tagged():
    return execute("git", "-C", ROOT, "describe", "--exact-match", "--tags").returncode == 0


@pytest.mark.timeout(900)
def test_same_bytes_from_a_clone_and_from_an_archive(releases):
    one, other = ((folder / "SHA256SUMS").read_text() for folder in releases)
    assert one == other and one.count("\n") >= 5
    for folder in releases:
        answer = execute("sha256sum", "--check", "SHA256SUMS", cwd=folder)
        assert answer.returncode == 0, answer.stdout
        named = {line.split()[1] for line in one.splitlines()} | {"SHA256SUMS"}
        assert {path.name for path in folder.iterdir()} == named


def test_bill_of_materials_names_each_file(releases):
    sums = dict(reversed(x.split()) for x in (releases[0] / "SHA256SUMS").read_text().splitlines())
    (path,) = releases[0].glob("*.spdx.json")
    bill = json.loads(path.read_text())
    told = {
        each["fileName"].removeprefix("./"): each["checksums"][1]["checksumValue"]
        for each in bill["files"]
    }
    assert told == {name: value for name, value in sums.items() if name != path.name}
    known = {each["SPDXID"] for each in [bill, *bill["files"], *bill["packages"]]}
    for each in bill["relationships"]:
        assert {each["spdxElementId"], each["relatedSpdxElement"]} <= known


def test_changes_are_those_of_the_newest_version(releases):
    (path,) = releases[0].glob("*-changes.md")
    text = path.read_text()
    assert text in (ROOT / "CHANGELOG.md").read_text() and text.count("\n## ") == 0


@pytest.mark.timeout(900)
def test_each_file_starts(releases, emulator):
    answer = execute(ROOT / "tools/release", "--check", releases[0].parent, timeout=800)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stdout.count("starts and passes") == 4


def test_damaged_release_is_told(releases, tmp_path):
    copy = shutil.copytree(releases[1], tmp_path / "release")
    with open(next(copy.glob("*.elf")), "ab") as file:
        file.write(b"x")
    answer = execute(ROOT / "tools/release", "--check", tmp_path)
    assert answer.returncode == 2 and "is not as SHA256SUMS says" in answer.stderr
    answer = execute(ROOT / "tools/release", "--check", tmp_path / "release")
    assert answer.returncode == 2 and "`make release`" in answer.stderr


def test_a_release_is_of_a_commit(tmp_path):
    execute("git", "clone", "--quiet", ROOT, tmp_path / "x", check=True)
    (tmp_path / "x/README.md").write_text("changed")
    answer = execute(tmp_path / "x/tools/release", tmp_path)
    assert answer.returncode == 2 and "no commit has" in answer.stderr
    assert "release" in make("help").stdout
