# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator's build where its folder is copied, or has an odd name; with a stand-in for QEMU."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, hooks, meson, source  # noqa: E402

SCRIPT = ROOT / "tools/emulator/build"

# Like QEMU's own: refuses paths, and writes the path of the tree into what it makes.
FAKE_CONFIGURE = """\
#!/bin/sh
tree=$(cd "$(dirname "$0")" && pwd)
if printf '%s\\n' "$tree" "$PWD" | grep -q "[[:space:]:]"; then
    echo "main directory cannot contain spaces nor colons"
    exit 1
fi
echo configured in "$PWD" >>$tree/configured
cat >build.ninja <<END
rule copy
  command = cp $tree/program \\$out && echo compiled >>$tree/compiled
build qemu-system-x86_64: copy $tree/program
END
"""


def load_build():
    loader = importlib.machinery.SourceFileLoader("emulator_build", str(SCRIPT))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("emulator_build", loader)
    )
    loader.exec_module(module)
    return module


@pytest.fixture
def fake_qemu(tmp_path):
    tree = tmp_path / "qemu"
    tree.mkdir()
    (tree / "configure").write_text(FAKE_CONFIGURE)
    (tree / "configure").chmod(0o755)
    shutil.copy("/bin/true", tree / "program")
    return tree


@pytest.fixture
def build_in(monkeypatch, fake_qemu):
    """build_in(folder, inputs) builds there as `tools/emulator/build` would."""
    monkeypatch.setattr(source, "find", lambda build, say: (fake_qemu, "stand-in"))
    monkeypatch.setattr(hooks, "apply", lambda folder, pristine, tree: [])
    monkeypatch.setattr(meson, "modules", lambda build, tree, say: None)
    monkeypatch.setattr(hooks, "add_sources", lambda glue, model, tree: None)

    def build(folder, inputs="1"):
        module = load_build()
        module.BUILD, module.PROGRAM = folder, folder / "qemu-system-x86_64"
        module.inputs_digest = lambda: inputs
        module.weave = lambda model, target: None
        module.build()
        assert (folder / "stamp").read_text() == inputs
        assert os.access(folder / "qemu-system-x86_64", os.X_OK)

    return build


@pytest.mark.parametrize(
    "name", ["a b", "a:b", "it's", 'a"b', "$HOME", "a#b", "ü", "a%b", "a@b", "(a)&;"]
)
def test_folder_with_an_odd_name(tmp_path, build_in, name):
    build_in(tmp_path / name / "build")


def test_nothing_is_left_behind_by_a_folder_with_an_odd_name(tmp_path, build_in, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    build_in(tmp_path / "a b")
    assert list(scratch.iterdir()) == []


def test_odd_name_without_a_plain_place_is_told(tmp_path, build_in, monkeypatch):
    scratch = tmp_path / "also odd"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    with pytest.raises(BuildError, match="TMPDIR"):
        build_in(tmp_path / "a b")


def test_copy_of_a_built_folder_is_built_in_its_own_place(tmp_path, build_in):
    original, copy = tmp_path / "original", tmp_path / "copy"
    build_in(original)
    shutil.copytree(original, copy)
    before = {path: path.read_bytes() for path in original.rglob("*") if path.is_file()}
    build_in(copy, "2")
    assert {path: path.read_bytes() for path in original.rglob("*") if path.is_file()} == before
    told = (copy / "src/configured").read_text().splitlines()
    assert told == [f"configured in {original}/obj", f"configured in {copy}/obj"]


def test_same_place_is_configured_once(tmp_path, build_in):
    build_in(tmp_path / "build")
    build_in(tmp_path / "build", "2")
    assert len((tmp_path / "build/src/configured").read_text().splitlines()) == 1


def test_tree_that_is_gone_is_copied_again(tmp_path, build_in):
    build_in(tmp_path / "build")
    shutil.rmtree(tmp_path / "build/src")
    build_in(tmp_path / "build", "2")


@pytest.mark.parametrize("text", ["", " "])
def test_empty_qemu_src_is_refused_even_when_there_is_nothing_to_build(text):
    environment = {**os.environ, "QEMU_SRC": text}
    command = [str(SCRIPT)]
    answer = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert answer.returncode == 1
    assert "QEMU_SRC is set and empty" in answer.stderr
