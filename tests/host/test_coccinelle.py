# SPDX-License-Identifier: GPL-2.0-or-later
"""The hooks and the faults fit under every Coccinelle that a supported host has.

Two versions read QEMU's source otherwise, and a host has one of them: the other one's package is
unpacked in a folder, with its libraries.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, execute

sys.path.insert(0, str(ROOT / "tools/emulator"))

from builder import NoSource, apt, hooks, kept, source  # noqa: E402
from builder.weave import weave  # noqa: E402

# Of each family a release for every version of Coccinelle that a supported host has: 1.1 and 1.3.
RELEASES = {"trixie": ("bookworm", "trixie"), "resolute": ("noble", "resolute")}
START = """\
#!/bin/sh
export COCCINELLE_HOME={home}
exec {loader} --library-path {libraries} {spatch} "$@"
"""
EMULATOR = ROOT / "tools/emulator"


def others():
    """The releases of this machine's family that it is not itself; none elsewhere."""
    try:
        own, newest = apt.releases(Path("/etc"))
    except NoSource:
        return []
    return [name for name in RELEASES[newest] if name not in own]


def _libraries(package):
    """The packages of its libraries, the C library's among them, as a .deb names them."""
    text = execute("dpkg-deb", "-f", package, "Depends", check=True).stdout
    names = [entry.split()[0] for entry in text.split(",")]
    return [name for name in names if name.startswith("lib") and "-ocaml" not in name]


def _fetch(release, folder):
    lists = apt.Lists(folder / "apt", "deb", release=release)
    lists.run("apt-get", "download", "coccinelle", cwd=folder)
    lists.run("apt-get", "download", *_libraries(next(folder.glob("*.deb"))), cwd=folder)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", str(package), str(folder / "root")], check=True)


def _write_program(root, program):
    """A command `spatch` that runs it with the loader and the libraries of its own release. (A link
    to the loader may be absolute: it would lead to this machine's own.)"""
    loader = next(path for path in root.rglob("ld-linux-x86-64.so.2") if not path.is_symlink())
    libraries = sorted({str(path.parent) for path in root.rglob("lib*.so.*")})
    program.parent.mkdir(exist_ok=True)
    words = {"home": root / "usr/lib/coccinelle", "spatch": root / "usr/bin/spatch"}
    words |= {"loader": loader, "libraries": ":".join(libraries)}
    quoted = {name: shlex.quote(str(word)) for name, word in words.items()}
    program.write_text(START.format(**quoted))
    program.chmod(0o755)


def folder_of(release):
    """The folder where its command `spatch` is; fetched once, and kept beside what is built. Skips
    where no package can be had."""
    folder = ROOT / os.environ.get("BUILD", "build") / "coccinelle" / release
    program = folder / "bin/spatch"
    if not program.exists():
        shutil.rmtree(folder, ignore_errors=True)
        try:
            _fetch(release, folder)
        except NoSource as error:
            pytest.skip(f"the Coccinelle of {release} is not to be had: {str(error)[-300:]}")
        _write_program(folder / "root", program)
    return program.parent


def version_of(release):
    """The version of its package, 1.3.0.deb-1+b2."""
    (package,) = folder_of(release).parent.glob("coccinelle_*.deb")
    return package.name.split("_")[1]


def version():
    """Of the command spatch, as it tells it: 1.1.1, or 1.3 for 1.3.0."""
    answer = execute("spatch", "--version", check=True)
    return answer.stdout.split()[2]


def everything_patched(place, pristine):
    """QEMU's changed files and the woven model, by name and without white space."""
    hooks.apply(EMULATOR / "qemu", pristine, place / "qemu")
    weave(EMULATOR / "model", place / "model")
    files = [path for path in place.rglob("*") if path.is_file()]
    return {str(path.relative_to(place)): "".join(path.read_text().split()) for path in files}


@pytest.fixture(scope="module")
def pristine(emulator):
    """The QEMU that the emulator was built from."""
    return source.find(kept.folder(ROOT / "build/emulator/cache"), lambda text: None)[0]


@pytest.mark.parametrize("release", others())
def test_hooks_and_faults_are_the_same_under_another_releases_coccinelle(
    pristine, tmp_path, monkeypatch, release
):
    wanted = everything_patched(tmp_path / "own", pristine)
    monkeypatch.setenv("PATH", f"{folder_of(release)}{os.pathsep}{os.environ['PATH']}")
    assert version_of(release).startswith(version())
    assert everything_patched(tmp_path / "other", pristine) == wanted
