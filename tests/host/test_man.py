# SPDX-License-Identifier: GPL-2.0-or-later
"""`make man`: a page of each command that docs/lab.md names, with all options, and good roff."""

import re
import shutil

import pytest
from conftest import ROOT, build, execute
from test_build import source_files

LAB = (ROOT / "docs/lab.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"tools/lab/[\w-]+(?=[ `])", LAB)))
TAGGED = r"^\.TP\n.*{}(?: .*)?\n.*\w.*$"  # it has a text


@pytest.fixture(scope="module")
def folder():
    return build("man") / "man"


def page_of(folder, command):
    name = f"man1/btscheck-{command.rpartition('/')[2]}.1"
    return (folder / name).read_text(encoding="utf-8").replace("\\-", "-")


def names_in_help(command, *words):
    """What --help shows at the beginning of a line; rack's commands have a help text each."""
    answer = execute(ROOT / command, *words, "--help", check=True, timeout=30)
    rows = re.findall(r"^  (?:-\w(?: [^,\s]+)?, )?(--[\w-]+)", answer.stdout, re.M)
    for part in re.findall(r"^    (\w+) ", answer.stdout, re.M) if not words else []:
        rows += [part, *names_in_help(command, part)]
    return rows


def test_the_lab_has_commands():
    assert len(COMMANDS) > 5 and "tools/lab/qemu" in COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_a_page_and_says_how_it_is_called(folder, command):
    text = page_of(folder, command)
    assert re.search(rf"^\.SH \"SYNOPSIS\"\n\\fB{command}\\fR .*\w", text, re.M)
    assert re.search(r"^\.SH \"DESCRIPTION\"\n\w", text, re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_option_is_there_with_a_text(folder, command):
    names, text = names_in_help(command), page_of(folder, command)
    assert "--help" in names and len(names) > (2 if command == "tools/lab/qemu" else 3)
    for name in names:
        row = TAGGED.format(rf"\\fB{name}\\fR") if name[0] == "-" else rf'^\.SS "{name}"$'
        assert re.search(row, text, re.M), name


def test_each_option_of_the_kernel_and_each_status_is_there(folder):
    (source,) = (name for name in source_files() if name.endswith("/options.c"))
    names = re.findall(r'^ *\{?\.name = "([a-z-]+)"', (ROOT / source).read_text(), re.M)
    text = (folder / "man7/btscheck.7").read_text(encoding="utf-8").replace("\\-", "-")
    assert len(names) > 10
    for name in [*(rf"\\fB{name}=?\\fR" for name in names), *map(str, range(10))]:
        assert re.search(TAGGED.format(name), text, re.M), name


def test_no_markdown_is_left(folder):
    for path in folder.glob("man?/*"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(r"`|\*\*|\]\(|^\|| \| |\|$|^#+ \S+$|^!\[", line), f"{path}: {line}"


def test_mandoc_has_nothing_to_say(folder):
    if not shutil.which("mandoc"):
        pytest.skip("no mandoc; install Debian's mandoc")
    pages = sorted(folder.glob("man?/*"))
    assert len(pages) > len(COMMANDS)
    answer = execute("mandoc", "-Tlint", "-W", "warning", *pages)
    assert answer.returncode == 0 and not answer.stdout + answer.stderr
