# SPDX-License-Identifier: GPL-2.0-or-later
"""tools/lab/qemu, the emulator for other people's kernels; its changes of QEMU as patches."""

import os
import shlex
import sys

import pytest
from conftest import ROOT, execute
from machine import find_profile

sys.path.append(str(ROOT / "tools/emulator"))
from builder import hooks, kept, source  # noqa: E402
from builder.weave import weave, weave_glue  # noqa: E402

QEMU = ROOT / "tools/lab/qemu"
GLUE = ROOT / "tools/emulator/qemu"
SERIES = ROOT / "tools/emulator/series"
NOBODY = {
    f"GIT_{who}_{what}": "n@n" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}


def test_profile_properties_and_options_reach_it(emulator):
    words = ["core2,x-ds-wrap=eager", "--", "-m", "64", "-append", "a 'b'"]
    answer = execute(QEMU, "--print-command", *words, check=True)
    command = shlex.split(answer.stdout)
    cpu = command[command.index("-cpu") + 1]
    assert command[0] == emulator and cpu == find_profile("core2")["cpu"] + ",x-ds-wrap=eager"
    assert command[-4:] == words[2:]


def test_it_becomes_the_emulator(emulator):
    answer = execute(QEMU, "skylake", "--", "--version", timeout=60)
    assert answer.returncode == 0 and "QEMU emulator version" in answer.stdout
    answer = execute(QEMU, "skylake,x-ds-nonsense=on", "--", "-display", "none", timeout=60)
    assert answer.returncode == 1 and "x-ds-nonsense" in answer.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "PROFILE"),
        (["skylak"], "did you mean 'skylake'"),
        (["--qemu", "qemu-system-x86_64", "skylake"], "has no Debug Store"),
        (["--qemu", "/nonexistent", "skylake"], "cannot be started"),
    ],
)
def test_what_cannot_be_is_told(words, told):
    answer = execute(QEMU, *words, timeout=60)
    assert answer.returncode == 2 and told in answer.stderr and answer.stderr.count("\n") == 1


@pytest.mark.timeout(300)
def test_patches_make_the_tree_that_is_built(emulator, tmp_path):
    """Applied, byte for byte. The first one adds files, the others change QEMU's."""
    answer = execute(SERIES, tmp_path / "out", env={**os.environ, **NOBODY}, timeout=250)
    if answer.returncode == 3:
        pytest.skip("no QEMU source to be had")
    assert answer.returncode == 0, answer.stderr
    cover, *patches = sorted((tmp_path / "out").iterdir())
    assert "a Debug Store for TCG" in cover.read_text() and "***" not in cover.read_text()
    assert len(patches) == 2 + len(list((ROOT / "tools/emulator/qemu/hooks").glob("*.cocci")))
    assert all("\nSigned-off-by: n@n" in path.read_text() for path in patches)
    assert "\n--- a/" not in patches[0].read_text()
    assert all("new file mode" not in path.read_text() for path in patches[1:])
    pristine, _ = source.find(kept.folder(tmp_path), print)
    for path in hooks.files(*hooks.load(GLUE)):
        hooks.update(pristine / path, tmp_path / "tree" / path)
    execute("git", "apply", *patches, cwd=tmp_path / "tree", check=True)
    hooks.apply(GLUE, pristine, tmp_path / "built")
    weave(GLUE.parent / "model", tmp_path / "model")
    weave_glue(GLUE / "glue", GLUE.parent / "wrong", tmp_path / "glue")
    hooks.add_sources(tmp_path / "glue", tmp_path / "model", tmp_path / "built")
    assert not execute("diff", "-r", tmp_path / "tree", tmp_path / "built").stdout
