# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the model's tables without a compiler, so that listing faults and variations needs only
Python.
"""

import re
import sys
from functools import cache
from pathlib import Path

from errors import LabError

EMULATOR = Path(__file__).resolve().parents[1] / "emulator"
MODEL = EMULATOR / "model"
sys.path.append(str(EMULATOR))

from builder import BuildError, entries  # noqa: E402

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
TEXT = r'"(?:[^"\\]|\\.)*"'
TOKEN = re.compile(rf"{TEXT}|[(){{}},]|[^\s\"(){{}},]+")
TEXTS = re.compile(rf"{TEXT}(?:\s*{TEXT})*")


def source(name):
    """Without comments; a comment's words may stand in a text, and then they stay."""
    text = (MODEL / name).read_text(encoding="utf-8")
    both = re.compile(rf"({TEXT})|{COMMENT.pattern}", re.S)
    return both.sub(lambda match: match[1] or " ", text)


def value_of(words):
    """A text that stands in several pieces is one; anything else is as it stands."""
    text = " ".join(words)
    if TEXTS.fullmatch(text):
        return "".join(piece[1:-1].replace('\\"', '"') for piece in re.findall(TEXT, text))
    return text


def arguments(text, start):
    """What stands between commas, from behind a bracket to the one that closes it."""
    found, words, depth = [], [], 0
    for match in TOKEN.finditer(text, start):
        word = match[0]
        if depth == 0 and word in ",)}":
            found += [value_of(words)] if words else []
            words = []
            if word != ",":
                return found
            continue
        depth += (word in "({") - (word in ")}")
        words.append(word)
    raise LabError(f"{MODEL}: a bracket is not closed: {text[start:start + 60]!r}")


def rows(name, *macros):
    """The arguments of each call of these macros, in the order of the file."""
    text = source(name)
    calls = re.compile(rf"^({'|'.join(macros)})\(", re.M)
    return [arguments(text, match.end()) for match in calls.finditer(text)]


@cache
def wrong_processors():
    """All entries of wrong/."""
    try:
        return entries.load(EMULATOR / "wrong")
    except BuildError as error:
        raise LabError(str(error)) from error


def faults(invented=False):
    """(name, claims and errata, what the processor must have, what it does) of each; invented: of
    those that somebody thought of who had not seen the tests."""
    return [
        (each.name, each.claims, each.needs, each.what)
        for each in wrong_processors()
        if each.kind == (entries.INVENTED if invented else entries.FAULT)
    ]


def errata():
    """(Erratum, the wrong processor that it is) of each published one that the model has."""
    return [(erratum, each) for each in wrong_processors() for erratum in each.errata]


def fields():
    """Names of the fields that the model has of a processor."""
    switches = rows("profile_fields.def", "SWITCH", "NUMBER")
    return [row[1] if len(row) == 4 else row[2] for row in switches]


def arrays(text):
    """Name -> the words of each array of texts, which end with NULL."""
    heads = re.compile(r"^static const char \*const (\w+)\[\] = \{", re.M)
    return {
        match[1]: [
            re.sub(r'^\[\w+\] = "|"$', "", each) for each in arguments(text, match.end())[:-1]
        ]
        for match in heads.finditer(text)
    }


def variations():
    """(name, values, what it decides) of each; values: words, the default first, or 0..N."""
    text = source("variation.c")
    words = arrays(text)
    table = re.search(r"ds_variations\[\] = \{(.*?)\n\};", text, re.S)[1]
    for match in re.finditer(r"^    \{", table, re.M):
        name, decides, choices, most, _ = arguments(table, match.end())
        yield name, "|".join(words[choices]) if choices != "NULL" else f"0..{most}", decides
