# SPDX-License-Identifier: GPL-2.0-or-later
"""`make install`: the lab's commands without a checkout, GRUB's entry, one boot; `make uninstall`
leaves nothing of it. No menu of this machine is touched."""

import os
import re
import subprocess

import pytest
from conftest import execute, make, stand_ins
from judge_logs import FAILING, raw
from machine import build_emulator

LIBRARY = """
grub_probe='echo /dev/sda1'
make_system_path_relative_to_its_root() { echo /b.elf; }
prepare_grub_to_access_device() { echo search --set=root; }
"""
COMMANDS = ("run", "judge-log", "rack", "report", "trace", "image", "netboot", "qemu", "list")
EMULATOR = "usr/lib/btscheck/build/emulator/qemu-system-x86_64"  # where the checkout has one


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    build_emulator(capture_output=True)
    make("install", "PREFIX=/usr", f"DESTDIR={root}", timeout=900, check=True)
    yield root
    make("uninstall", "PREFIX=/usr", f"DESTDIR={root}", check=True)
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
    page = (share / f"man/man1/{name}.1").read_text(encoding="utf-8")
    assert '.SH "SYNOPSIS"' in page and "tools/lab" not in page
    asked = f". {share}/bash-completion/completions/{name}; complete -p {name}"
    assert execute("bash", "-c", asked).returncode == 0


def test_emulator_is_there_if_the_checkout_has_it(installed, emulator):
    answer = run(installed, "qemu", "skylake", "--", "--version")
    assert answer.returncode == 0 and (installed / EMULATOR).exists(), answer.stderr


def test_a_log_is_judged_and_options_are_checked(installed):
    log = installed / "home.ktap"
    log.write_bytes(raw(FAILING))
    judged = run(installed, "judge-log", log)
    assert judged.returncode == 1 and "table17_6.encodings" in judged.stdout, judged.stderr
    refused = run(installed, "run", "--set", "repeet=3")
    assert refused.returncode == 2 and "did you mean 'repeat='?" in refused.stderr
    (installed / EMULATOR).unlink(missing_ok=True)
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
    assert "        set btscheck_options=\n        save_env btscheck_options\n" in answer.stdout
    subprocess.run(["grub-script-check"], input=answer.stdout, text=True, check=True)


def test_one_boot_is_asked_for_where_it_can_be_had(installed, tmp_path):
    says, programs = 'echo "$(basename "$0") $*"', ("grub-editenv", "grub-reboot")
    stand_ins(tmp_path, {"id": "echo 0", "grep": "", "grub-probe": "echo ext2"})
    stand_ins(tmp_path, dict.fromkeys(programs, says))

    def once(*words):
        return run(installed, "once", *words, PATH=f"{tmp_path}:/usr/bin:/bin")

    asked = once("repeat=3").stdout
    assert re.search(r"^grub-editenv \S+ set btscheck_options=repeat=3 exit=reset$", asked, re.M)
    assert asked.endswith("\ngrub-reboot btscheck\n")
    assert "set btscheck_options=exit=halt\n" in once("exit=halt").stdout
    assert once("--cancel").stdout.endswith(" unset next_entry btscheck_options\n")
    assert (refused := once("--again")).returncode == 2 and "--again" in refused.stderr
    assert (refused := once("repeet=3")).returncode == 2 and "'repeet'" in refused.stderr
    for probe in ("echo lvm", "exit 1"):
        stand_ins(tmp_path, {"grub-probe": probe})
        assert (refused := once()).returncode == 1 and "GRUB cannot write" in refused.stderr
    assert once("--help").returncode == 0
    stand_ins(tmp_path, {"grep": "exit 1"})
    assert (refused := once()).returncode == 1 and "run update-grub" in refused.stderr
