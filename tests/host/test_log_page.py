# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/log.md has a row for every comment that the kernel writes outside a test's notes."""

import re

import pytest
from conftest import ROOT
from test_build import source_files

PAGE = (ROOT / "docs/log.md").read_text(encoding="utf-8")
CALL = re.compile(r'\bktap_comment\((?:0|LEVEL_RUN|LEVEL_SUITE),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
DIRECTIVE = re.compile(r"%(?:pS|[-+0# ]*[\d.*]*(?:ll|l|z)?[a-zA-Z%])")
PLACE = re.compile(r"(?<=[a-z])%s(?=:| differs)")  # "@E2", or nothing


def patterns():
    """Of each line in the first column of a table; three dots are anything."""
    for row in re.findall(r"^\| (`# .*?) \|", PAGE, re.M):
        for form in re.findall(r"`(#[^`]*)`", row):
            if form.strip("# …") or form.startswith("#  "):
                text = re.sub(r"(?:NAME|KIND|NUMBER|WORD|VALUE)\b", "…", form)
                text = re.escape(text).replace(re.escape("[@…]"), "(?:@[^:]+)?")
                yield re.compile(text.replace("…", ".*"))


PATTERNS = list(patterns())


def is_there(line):
    return any(pattern.fullmatch(line) for pattern in PATTERNS)


def written():
    """(file, line with a word for each number or text) of the sources, of run and suites."""
    for name in source_files():
        if name.endswith(".c") and not name.startswith("tests/host/"):
            for literals in CALL.findall((ROOT / name).read_text(encoding="utf-8")):
                text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
                if DIRECTIVE.sub("", text).strip(" :"):
                    yield name, "# " + DIRECTIVE.sub("1", PLACE.sub("", text))


def test_sources_are_read():
    assert len(list(written())) > 80 and len(PATTERNS) > 80
    assert is_there("# coverage@E2: 1 of 2 claims checked") and not is_there("# covered: 1 of 2")


def test_every_comment_of_the_sources_has_a_row():
    assert not {each for each in written() if not is_there(each[1])}


@pytest.mark.parametrize("profile", ["skylake", "hybrid"])
def test_every_comment_of_a_run_has_a_row(boot_machine, emulator, profile):
    boot = boot_machine(
        qemu=emulator, profile=profile, processors=4, command_line="test=probe,table17_6"
    )
    lines = re.findall(r"^(?:  )?(# .*)$", boot.text, re.M)
    assert "# verdict: PASS" in lines, boot.explain()
    assert not [line for line in lines if not is_there(line)]
