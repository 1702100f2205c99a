# SPDX-License-Identifier: GPL-2.0-or-later
"""Bars: where each part of them begins and ends. The template draws them as SVG."""

from dataclasses import dataclass

WIDTH = 460  # of the longest bar, in pixels


@dataclass(frozen=True)
class Part:
    x: float
    width: float
    colour: str


@dataclass(frozen=True)
class Bar:
    label: str
    parts: list[Part]
    end: float
    words: str  # beside its end


def bars_of(rows):
    """rows: (label, [(value, colour), …], words), in the order from above."""
    longest = max((sum(value for value, _ in parts) for _, parts, _ in rows), default=0) or 1
    return [bar_of(label, parts, words, WIDTH / longest) for label, parts, words in rows]


def bar_of(label, parts, words, scale):
    found, end = [], 0.0
    for value, colour in parts:
        if value:
            found.append(Part(round(end, 1), round(value * scale, 1), colour))
            end += value * scale
    return Bar(label, found, round(end, 1), words)
