# SPDX-License-Identifier: GPL-2.0-or-later
"""`make debug`: gdb stops at kernel entry and knows the symbols."""

import subprocess

from conftest import make


def test_debug_stops_at_kernel_entry(iso):
    answer = make("debug", "QEMU=qemu-system-x86_64", stdin=subprocess.DEVNULL)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "kernel_main () at kernel/main.c" in answer.stdout


def test_profiles_are_listed():
    answer = make("profiles")
    assert answer.returncode == 0
    assert "skylake" in answer.stdout and "-cpu Skylake" in answer.stdout
