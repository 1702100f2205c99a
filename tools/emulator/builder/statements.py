# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the statements and the whole expressions of a C function are, from its text alone.

The sources are ours and of one style: a function begins in the first column, and ends with a brace
there. Nothing is said of declarations; macros are taken for calls.
"""

import re
from dataclasses import dataclass, field

from . import BuildError

LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
LABEL = re.compile(r"(?:case\b[^:?]*|default\s*|[A-Za-z_]\w*\s*):(?!:)")
DECLARATION = re.compile(
    r"(?:(?:const|static|struct|enum|union|unsigned|volatile)\b|"
    r"(?!return\b)[A-Za-z_]\w*\s*[\s*]\s*\**\s*[A-Za-z_]\w*\s*(?:=(?!=)|;|,|\[|$))"
)
OPEN, CLOSE = "([{", ")]}"


@dataclass
class Region:
    """A statement, or an expression that a value can stand for; what is in it, in order."""

    start: int
    end: int
    is_expression: bool = False
    is_condition: bool = False
    is_declaration: bool = False
    is_block: bool = False  # its parts are a sequence of statements
    parts: list = field(default_factory=list)

    def holds(self, start, end):
        return self.start <= start and end <= self.end


def blank(text):
    """The text without comments and literals, character by character."""
    return LITERAL.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def without_comments(text):
    """Blanks stand for them; a comment's sign in a literal is none."""
    return LITERAL.sub(lambda m: " " * len(m[0]) if m[0].startswith("/") else m[0], text)


def find_function(text, name):
    """(start, where its { stands, end) of the only function of that name."""
    plain, found = blank(text), []
    for match in re.finditer(rf"^(?![\s#}}/]).*?\b{re.escape(name)}\(", plain, re.M):
        opening = closing_of(plain, match.end() - 1) + 1
        rest = re.match(r"\s*\{", plain[opening:])
        if rest:
            body = opening + rest.end() - 1
            found.append((match.start(), body, closing_of(plain, body) + 1))
    if len(found) != 1:
        raise BuildError(f"there are {len(found)} functions {name}")
    return found[0]


def closing_of(plain, at):
    """Where the bracket at `at` is closed."""
    depth = 0
    for place in range(at, len(plain)):
        depth += (plain[place] in OPEN) - (plain[place] in CLOSE)
        if depth == 0:
            return place
    raise BuildError("a bracket is not closed")


class Reader:
    """Reads a function's body into regions."""

    def __init__(self, text, body):
        self.plain, self.at = blank(text), body

    def space(self):
        self.at += len(self.plain[self.at :]) - len(self.plain[self.at :].lstrip())

    def block(self):
        """At a {."""
        region = Region(self.at, closing_of(self.plain, self.at) + 1, is_block=True)
        self.at += 1
        while self.space() or self.at < region.end - 1:
            region.parts.append(self.statement())
        self.at = region.end
        return region

    def statement(self):
        self.space()
        start = self.at
        if self.plain[start] == "{":
            return self.block()
        if label := LABEL.match(self.plain, start):
            self.at = label.end()
            inner = self.statement()
            return Region(start, inner.end, parts=[inner])
        word = WORD.match(self.plain, start)
        if word and word[0] in ("if", "while", "switch", "for"):
            return self.headed(start, word[0])
        if word and word[0] == "do":
            return self.do_while(start, word.end())
        return self.simple(start, word[0] if word else "")

    def headed(self, start, word):
        """if (…) …, and the like."""
        opening = self.plain.index("(", self.at)
        closing = closing_of(self.plain, opening)
        region = Region(start, closing)
        region.parts += self.head(word, opening + 1, closing)
        self.at = closing + 1
        region.parts.append(self.statement())
        if word == "if" and re.match(r"\s*else\b", self.plain[self.at :]):
            self.at = self.plain.index("else", self.at) + 4
            region.parts.append(self.statement())
        region.end = self.at
        return region

    def head(self, word, start, end):
        """The conditions in the brackets: of a `for` the middle one."""
        if word != "for":
            return [Region(start, end, is_expression=True, is_condition=word != "switch")]
        first = self.plain.index(";", start)
        second = self.plain.index(";", first + 1)
        middle = Region(first + 1, second, is_expression=True, is_condition=True)
        return [middle] if second > first + 1 else []

    def do_while(self, start, at):
        self.at = at
        inner = self.statement()
        self.at = self.plain.index(";", self.at) + 1
        return Region(start, self.at, parts=[inner])

    def simple(self, start, word):
        """Up to the semicolon."""
        self.at = start
        while self.plain[self.at] != ";":
            self.at = (
                closing_of(self.plain, self.at) + 1 if self.plain[self.at] in OPEN else self.at + 1
            )
        self.at += 1
        declares = word != "return" and bool(DECLARATION.match(self.plain, start))
        region = Region(start, self.at, is_declaration=declares)
        if declares:
            region.parts += self.initialisers(start, self.at - 1)
        return region

    def initialisers(self, start, end):
        """What stands behind each =, up to the comma; of a list in braces each element."""
        at, begin = start, None
        while at < end:
            one = self.plain[at]
            if one == "{" and begin is not None and not self.plain[begin:at].strip():
                yield from self.initialisers(at + 1, closing_of(self.plain, at))
                begin, at = None, closing_of(self.plain, at)
            elif one in OPEN:
                at = closing_of(self.plain, at)
            elif one == "=" and self.plain[at + 1] != "=" and self.plain[at - 1] not in "=!<>":
                begin = at + 1
            elif one == "," and begin is not None:
                yield Region(begin, at, is_expression=True)
                begin = None
            at += 1
        if begin is not None:
            yield Region(begin, end, is_expression=True)


def read_body(text, body):
    """The block of a function whose { stands there."""
    return Reader(text, body).block()
