# SPDX-License-Identifier: GPL-2.0-or-later
"""README.md fits one screen, each page of docs/ a few; the commands that they show are there."""

import re
import shlex

import pytest
from conftest import ROOT, execute
from test_build import source_files

README = ROOT / "README.md"
PAGES = ["README.md", *(name for name in source_files() if name.startswith("docs/"))]
WORDS, LINES, COLUMNS = 1200, 120, 80  # of README at most
PAGE_LINES = 220  # of another page
COMMAND = re.compile(r"^    ((?:make|tools/)\S*.*)$", re.M)
COMMENT = re.compile(r"\s{3,}\S.*$")  # what stands beside a command
OF_LIST = re.compile(r"`(?:make |tools/)[^`]*`")


def commands():
    """(page, words) of each line that a reader pastes, and of each that a sentence names."""
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        found = [COMMENT.sub("", line) for line in COMMAND.findall(text)]
        found += [" ".join(name.strip("`").split()) for name in OF_LIST.findall(text)]
        yield from ((page, tuple(shlex.split(line))) for line in found)


def targets():
    answer = execute("make", "-s", "help", cwd=ROOT, check=True)
    return set(re.findall(r"^(\S+) {2,}", answer.stdout, re.M)), answer.stdout


TOOLS = sorted({(words[0], word.split("=")[0]) for _, words in commands() for word in words[1:]})
OPTIONS = [(tool, word) for tool, word in TOOLS if tool != "make" and word.startswith("--")]


def test_readme_fits_one_screen():
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES and max(map(len, lines)) <= COLUMNS
    assert sum(len(line.split()) for line in lines) <= WORDS


@pytest.mark.parametrize("page", PAGES)
def test_page_is_short_and_linked(page):
    assert len((ROOT / page).read_text(encoding="utf-8").splitlines()) <= PAGE_LINES
    assert page == "README.md" or f"]({page})" in README.read_text(encoding="utf-8")


def test_targets_and_variables_of_make_are_there():
    known, text = targets()
    asked = [(page, word) for page, words in commands() if words[0] == "make" for word in words[1:]]
    assert len(asked) > 30
    for page, word in asked:
        name, has_value, _ = word.partition("=")
        assert f"{name}=" in text if has_value else name in known, f"{page}: make {word}"


def test_tools_are_there():
    tools = {(page, words[0]) for page, words in commands() if words[0].startswith("tools/")}
    assert len(tools) > 10
    assert not [each for each in tools if not (ROOT / each[1]).exists()]


@pytest.mark.parametrize("tool, option", OPTIONS)
def test_option_of_a_tool_is_there(tool, option):
    answer = execute(ROOT / tool, "--help", check=True, timeout=30)
    help_text = answer.stdout
    for part in re.findall(r"^    (\w[\w-]*) ", help_text, re.M) if tool.endswith("rack") else []:
        answer = execute(ROOT / tool, part, "--help", timeout=30)
        help_text += answer.stdout
    assert option in help_text
