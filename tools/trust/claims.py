# SPDX-License-Identifier: GPL-2.0-or-later
"""The claims that sources name: declared, named by a subtest, or put in a table."""

import re

from machine import ROOT

WRITTEN_IN_C = ("run", "oracle", "step", "random", "suites", "workloads")
FOLDERS = (*(f"tests/{name}" for name in WRITTEN_IN_C), "kernel", "arch")
STRING = re.compile(r'"([^"\\\n]*)"')
DECLARED = re.compile(r"\bCLAIMS\(([^()]*)\)")
NAMED = re.compile(r'\b(?:test_breaks|test_begin)\(\s*\w+,\s*"([^"\\\n]*)"')
LOOKS_LIKE = re.compile(r'"([A-Z][A-Z0-9]*-[0-9]+(?:\.[0-9]+)?)"')
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def named_claims(text):
    """(line, id) of every claim that a source names; the same one may come twice."""
    text = COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)

    def line(position):
        return text.count("\n", 0, position) + 1

    for match in DECLARED.finditer(text):
        for string in STRING.finditer(match[1]):
            yield line(match.start(1) + string.start()), string[1]
    for pattern in (NAMED, LOOKS_LIKE):
        for match in pattern.finditer(text):
            yield line(match.start(1)), match[1]


def unknown_claims(claims, folders=FOLDERS, root=ROOT):
    """Sentences, one for each place that names a claim that the table does not have."""
    found = set()
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.[ch]")):
        for line, name in named_claims(path.read_text(encoding="utf-8")):
            if name not in claims:
                found.add((str(path.relative_to(root)), line, name))
    return [f"{path}:{line}: no claim '{name}' in the table" for path, line, name in sorted(found)]
