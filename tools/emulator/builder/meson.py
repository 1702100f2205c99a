# SPDX-License-Identifier: GPL-2.0-or-later
"""Meson, which configures QEMU: the machine's own, or if that is too old the package of the
release that QEMU comes from, unpacked into the build folder."""

import re
import shutil
import tomllib

from . import BuildError, NoSource, apt, run

MODULES = "usr/lib/python3/dist-packages"


def _number(version):
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def _wanted(tree):
    """The oldest version that this QEMU takes."""
    path = tree / "pythondeps.toml"
    accepted = tomllib.loads(path.read_text())["meson"]["meson"]["accepted"]
    return accepted.removeprefix(">=")


def _is_enough(program, wanted, **environment):
    if not shutil.which(program[0]):
        return False
    return _number(run([*program, "--version"], **environment)) >= _number(wanted)


def _fetch(folder, say):
    """Downloads and unpacks the package."""
    say("fetching meson, the machine's is too old for QEMU")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    apt.Lists(folder / "apt", "deb").run("apt-get", "download", "meson", cwd=folder)
    for package in folder.glob("meson_*.deb"):
        run(["dpkg-deb", "-x", str(package), str(folder)])


def modules(build, tree, say):
    """The folder for PYTHONPATH, or None where the machine's own meson is new enough."""
    wanted, folder = _wanted(tree), build / "meson"
    if _is_enough(["/usr/bin/meson"], wanted):
        return None
    path = folder / MODULES
    program = ["/usr/bin/python3", "-m", "mesonbuild.mesonmain"]
    environment = {"env": {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(path)}}
    if not path.is_dir():
        try:
            _fetch(folder, say)
        except NoSource as error:
            raise BuildError(f"QEMU wants meson {wanted} or newer: {error}") from None
    if not _is_enough(program, wanted, **environment):
        raise BuildError(f"QEMU wants meson {wanted} or newer, and this distribution has none")
    return path
