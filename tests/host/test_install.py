# SPDX-License-Identifier: GPL-2.0-or-later
"""`make install`: the lab's commands without a checkout, GRUB's entry, one boot; `make uninstall`
leaves nothing of it. No menu of this machine is touched."""

import os
import re
import subprocess

import pytest
from conftest import ROOT, execute
from judge_logs import FAILING, raw

LIBRARY = """
grub_probe='echo /dev/sda1'
make_system_path_relative_to_its_root() { echo /b.elf; }
prepare_grub_to_access_device() { echo search --set=root; }
"""
COMMANDS = ("run", "judge-log", "rack", "report", "trace", "image", "netboot")


def make(*words):
    answer = execute("make", "-C", ROOT, *words, timeout=900)
    assert answer.returncode == 0, answer.stderr[-2000:]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    make("install", "PREFIX=/usr", f"DESTDIR={root}")
    yield root
    make("uninstall", "PREFIX=/usr", f"DESTDIR={root}")
    assert not [path for path in root.rglob("*") if path.is_file() or path.is_symlink()]


def run(root, command, *words, **variables):
    folder = root / "home"
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "HOME": str(folder), **variables}
    return execute(root / f"usr/bin/btscheck-{command}", *words, timeout=60, env=environment)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_a_page_and_completion(installed, command):
    answer = run(installed, command, "--help")
    assert answer.returncode == 0 and "usage" in answer.stdout, answer.stderr
    share, name = installed / "usr/share", f"btscheck-{command}"
    assert "tools/lab" not in (share / f"man/man1/{name}.1").read_text(encoding="utf-8")
    asked = f". {share}/bash-completion/completions/{name}; complete -p {name}"
    assert execute("bash", "-c", asked).returncode == 0


def test_a_log_is_judged_and_options_are_checked(installed):
    log = installed / "home.ktap"
    log.write_bytes(raw(FAILING))
    judged = run(installed, "judge-log", log)
    assert judged.returncode == 1 and "table17_6.encodings" in judged.stdout, judged.stderr
    refused = run(installed, "run", "--set", "repeet=3")
    assert refused.returncode == 2 and "did you mean 'repeat='?" in refused.stderr
    alone = run(installed, "run")
    assert alone.returncode == 2 and "--serial=DEVICE listens to a board" in alone.stderr
    log.unlink()


def test_entry_of_the_menu_is_one_that_grub_reads(installed, tmp_path):
    """As update-grub takes it into the menu; what GRUB's own library does is made up."""
    (tmp_path / "grub-mkconfig_lib").write_text(LIBRARY, encoding="ascii")
    script = (installed / "etc/grub.d/20_btscheck").read_text(encoding="ascii")
    script = script.replace("/boot/btscheck", f"{installed}/boot/btscheck")
    answer = execute("sh", "-c", script, env={**os.environ, "pkgdatadir": str(tmp_path)})
    assert re.search(r"^    search --set=root$", answer.stdout, re.M), answer.stderr
    assert re.search(r"^    multiboot2 /b\.elf \$btscheck_now$", answer.stdout, re.M)
    subprocess.run(["grub-script-check"], input=answer.stdout, text=True, check=True)


def test_one_boot_is_refused_where_it_cannot_be_had(installed, tmp_path):
    for name, line in {"id": "echo 0", "grep": "exit 1", "grub-editenv": 'echo "$*"'}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n", encoding="ascii")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    refused = run(installed, "once", "repeat=3", PATH=path)
    assert refused.returncode == 1 and "run update-grub" in refused.stderr
    assert run(installed, "once", "--again", PATH=path).returncode == 2
    assert "unknown option 'repeet'" in run(installed, "once", "repeet=3", PATH=path).stderr
    cancelled = run(installed, "once", "--cancel", PATH=path)
    assert cancelled.stdout.split()[1:] == ["unset", "next_entry", "btscheck_options"]
