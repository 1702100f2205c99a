# SPDX-License-Identifier: GPL-2.0-or-later
"""What an operator puts in the place of a token or a constant.

Where one replacement is caught by whatever catches another (`!x` by what catches x as true and x
as false, `>=` for `<` by what catches both), only the other is made.
"""

RELATIONAL = {
    "<": ("<=", "!="),
    "<=": ("<", "=="),
    ">": (">=", "!="),
    ">=": (">", "=="),
    "==": ("<=", ">="),
    "!=": ("<", ">"),
}
LOGICAL = {"&&": "||", "||": "&&"}
ARITHMETIC = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "&": "|",
    "|": "&",
    "^": "|",
    "<<": ">>",
    ">>": "<<",
}
MASKING = ("&", "|", "^")
MASKED = ("|=", "&=", "^=")  # `=` in their place
WIDTH = 64


def _bits(value):
    return [bit for bit in range(WIDTH) if value >> bit & 1]


def _literal(value):
    return f"{value:#x}ull"


def masks(text, value):
    """A mask with one bit more or less at either end; a single bit as its neighbours."""
    bits = _bits(value)
    if not bits:
        return
    low, high = bits[0], bits[-1]
    if len(bits) == 1:
        yield from (_literal(1 << x) for x in (high + 1, low - 1) if 0 <= x < WIDTH)
        return
    yield f"({text} & ~{_literal(1 << low)})"
    if len(bits) > 2:
        yield f"({text} & ~{_literal(1 << high)})"
    if high + 1 < WIDTH:
        yield f"({text} | {_literal(1 << high + 1)})"
    if low > 0:
        yield f"({text} | {_literal(1 << low - 1)})"


def numbers(text, value):
    """A number off by one; below 0 there is nothing, for most are unsigned."""
    plain = text.strip("()")
    if plain.isdigit():
        yield str(value + 1)
        if value > 0:
            yield str(value - 1)
        return
    yield f"({text} + 1)"
    if value > 0:
        yield f"({text} - 1)"
