# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests declare, read from the suites' sources without a compiler (TEST and its like, as
kernel/report/test.h has them), and whether a kernel is made of these sources.
"""

import re
from dataclasses import dataclass

from machine import ROOT
from model_tables import arguments
from claims import COMMENT, STRING

SUITES = "tests/suites"
KERNEL = ("boot", "arch", "kernel", "tests")
MACRO = re.compile(r"^#define (\w+)\(([^)]*)\)((?:.*\\\n)*.*)", re.M)
CALL = re.compile(r"^ *(\w+)\(", re.M)
KINDS = {"TEST": False, "TEST_UNLESS": False, "TEST_ON_REQUEST": True, "SELFTEST": True}


@dataclass(frozen=True)
class Declaration:
    suite: str
    name: str
    claims: tuple[str, ...]
    needs: tuple[str, ...]
    only_when_named: bool
    file: str
    line: int

    @property
    def full_name(self):
        return f"{self.suite}.{self.name}"


def written_tests(root=ROOT):
    """Every test in the sources, by name; one that a suite's own macro makes stands at the call."""
    paths = sorted((root / SUITES).rglob("*.c"))
    found = [test for path in paths for test in tests_of(path, str(path.relative_to(root)))]
    return sorted(found, key=lambda test: test.full_name)


def only_line_ends(match):
    return "\n" * match[0].count("\n")


def tests_of(path, name):
    text = COMMENT.sub(only_line_ends, path.read_text(encoding="utf-8"))
    macros = {match[1]: match for match in MACRO.finditer(text)}
    text = MACRO.sub(only_line_ends, text)
    for call in CALL.finditer(text):
        line = text.count("\n", 0, call.start()) + 1
        if call[1] in KINDS:
            yield declaration(call[1], arguments(text, call.end()), name, line)
        elif call[1] in macros:
            yield from made_by(macros[call[1]], arguments(text, call.end()), name, line)


def made_by(macro, words, name, line):
    body = expanded(macro, words)
    for call in CALL.finditer(body):
        if call[1] in KINDS:
            yield declaration(call[1], arguments(body, call.end()), name, line)


def expanded(macro, words):
    """The body with words for the parameters."""
    names = [each.strip() for each in macro[2].split(",")]
    values = dict(zip(names, words))
    if names[-1] == "...":
        values["__VA_ARGS__"] = ", ".join(words[len(names) - 1 :])
    body = macro[3].replace("\\\n", "\n")
    for each, value in values.items():
        body = re.sub(rf"\b{re.escape(each)}\b", lambda _, value=value: value, body)
    return body.replace("##", "")


def declaration(kind, words, file, line):
    suite, name, claims, needs = words[:4]
    claims = tuple(STRING.findall(claims))
    needs = tuple(re.findall(r"\w+", needs)[1:])
    return Declaration(suite, name, claims, needs, KINDS[kind], file, line)


def is_current(kernel, root=ROOT):
    """Is it there, and would make leave it as it is?"""
    sources = (each for folder in KERNEL for each in (root / folder).rglob("*.[chS]"))
    return kernel.is_file() and all(
        each.stat().st_mtime <= kernel.stat().st_mtime for each in sources
    )
