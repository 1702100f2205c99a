# SPDX-License-Identifier: GPL-2.0-or-later
"""The emulator's build: shared by all checkouts, in oddly named folders; a stand-in for QEMU."""

import importlib.machinery
import importlib.util
import os
import shutil
import sys

import pytest
from conftest import ROOT, execute

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import BuildError, fast_path, hooks, kept, meson, source  # noqa: E402

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


class Checkout:
    """A folder in which `tools/emulator/build` builds, and the cache folder of its user."""

    def __init__(self, folder, cache):
        self.folder, self.cache = folder, cache

    def build(self, inputs="1", **how):
        module = load_build()
        module.BUILD, module.PROGRAM = self.folder, self.folder / "qemu-system-x86_64"
        module.PLACE = self.cache
        module.inputs_digest = lambda identity: f"{inputs} of {identity}"
        module.weave = lambda model, target: None
        module.choose_paths = lambda tree, objects, variables: None
        with module.kept.alone(self.cache):
            module.provide(**how)
        assert (self.folder / "stamp").read_text() == f"{inputs} of stand-in"
        assert os.access(self.folder / "qemu-system-x86_64", os.X_OK)

    def times(self, what):
        """How often QEMU was configured or compiled in the cache folder."""
        path = self.cache / "src" / what
        return len(path.read_text().splitlines()) if path.exists() else 0


def touch(path):
    """As hooks that changed would: it has to be compiled. Nothing to say."""
    path.touch()
    return []


@pytest.fixture
def checkout(monkeypatch, fake_qemu, tmp_path):
    """checkout(name, cache) -> a Checkout."""
    monkeypatch.setattr(source, "find", lambda build, say: (fake_qemu, "stand-in"))
    monkeypatch.setattr(hooks, "apply", lambda folder, pristine, tree: touch(tree / "program"))
    monkeypatch.setattr(meson, "modules", lambda build, tree, say: None)
    monkeypatch.setattr(hooks, "add_sources", lambda glue, model, tree: None)
    return lambda name="checkout", cache="cache": Checkout(tmp_path / name, tmp_path / cache)


ODD = ["a b", "a:b", "it's", 'a"b', "$HOME", "a#b", "ü", "a%b", "a@b", "(a)&;"]


@pytest.mark.parametrize("name", ODD)
def test_folders_with_an_odd_name(checkout, name):
    checkout(name).build()
    checkout(name, f"cache {name}").build()


def test_nothing_is_left_behind_by_a_folder_with_an_odd_name(tmp_path, checkout, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    checkout(cache="a b").build()
    assert list(scratch.iterdir()) == []


def test_odd_name_without_a_plain_place_is_told(tmp_path, checkout, monkeypatch):
    scratch = tmp_path / "also odd"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    with pytest.raises(BuildError, match="TMPDIR"):
        checkout(cache="a b").build()


def test_second_checkout_and_a_moved_one_build_nothing(checkout):
    one, other = checkout("one"), checkout("other")
    one.build()
    other.build()
    one.folder.rename(one.folder.with_name("moved"))
    checkout("moved").build()
    assert one.times("compiled") == 1


def test_what_was_built_once_is_not_built_again_when_it_comes_back(checkout):
    one = checkout()
    for inputs in ("1", "2", "1"):
        one.build(inputs)
    assert (one.times("configured"), one.times("compiled")) == (1, 2)


def test_objects_are_those_of_the_inputs_where_they_are_asked_for(checkout):
    one = checkout()
    one.build("1")
    one.build("2")
    one.build("1", with_objects=True)
    assert (one.cache / "obj/btscheck.key").read_text() == "1 of stand-in"


@pytest.mark.parametrize("inputs, runs", [("1", True), ("2", False)])
def test_tree_that_nobody_may_write_is_taken_as_it_was_built(
    checkout, monkeypatch, capsys, inputs, runs
):
    """No cache, no apt, no lock. What is there of other inputs is not taken."""
    one = checkout()
    one.build("1")
    monkeypatch.setattr(source, "find", None)
    module = load_build()
    module.BUILD, module.PROGRAM = one.folder, one.folder / "qemu-system-x86_64"
    module.can_write = lambda: False
    module.inputs_digest = lambda identity: f"{inputs} of {identity}"
    monkeypatch.setattr(sys, "argv", ["build"])
    assert module.main() == (0 if runs else 1)
    assert ("cannot be written, and no emulator" in capsys.readouterr().err) != runs


def test_those_that_were_not_used_for_longest_go(checkout):
    one = checkout()
    for number in range(20):
        one.build(str(number))
        one.build("0")
    left = {path.name.split()[0] for path in (one.cache / "programs").iterdir()}
    assert len(left) == 8 and {"0", "19", "18"} <= left


def test_tree_that_is_gone_is_copied_again(checkout):
    one = checkout()
    one.build()
    shutil.rmtree(one.cache / "src")
    one.build("2")


@pytest.mark.parametrize("differs", ["", "not ok fast path: same as the long way"])
def test_fast_path_is_built_in_where_the_model_still_does_the_same(
    tmp_path, monkeypatch, capsys, differs
):
    """That the comparison sees a changed model: test_contributing.py."""
    monkeypatch.setattr(fast_path, "difference", lambda model, objects, variables: differs)
    header = tmp_path / fast_path.HEADER
    header.parent.mkdir(parents=True)
    shutil.copyfile(ROOT / "tools/emulator/model/fast_path.h", header)
    load_build().choose_paths(tmp_path, None, None)
    assert f"#define FAST_PATH {0 if differs else 1}\n" in header.read_text()
    assert ("built without\nemulator: that path" in capsys.readouterr().out) == bool(differs)


@pytest.mark.parametrize("given, used", [("", ".cache"), ("relative", ".cache"), ("/", None)])
def test_cache_folder_is_the_users(tmp_path, monkeypatch, given, used):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", given if used else str(tmp_path / "else"))
    assert kept.folder(None) == tmp_path / (used or "else") / "btscheck/emulator"


def test_without_a_cache_folder_it_is_the_checkouts(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert kept.folder("otherwise") == "otherwise"


@pytest.mark.parametrize("text", ["", " "])
def test_empty_qemu_src_is_refused_even_when_there_is_nothing_to_build(text):
    environment = {**os.environ, "QEMU_SRC": text}
    answer = execute(SCRIPT, env=environment, timeout=60)
    assert answer.returncode == 1
    assert "QEMU_SRC is set and empty" in answer.stderr
