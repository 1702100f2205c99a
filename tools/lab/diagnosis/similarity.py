# SPDX-License-Identifier: GPL-2.0-or-later
"""How alike two failures are: Ochiai's coefficient of their spectra, plain or weighted.

Ochiai is the cosine of two sets. Weighted, an item counts the more the fewer wrong processors have
it, as the words of a text do (inverse document frequency).
"""

import math
from collections import Counter


def rarity(spectra):
    """Item -> its weight, from all spectra of a dictionary."""
    seen = Counter(item for spectrum in spectra for item in spectrum)
    return {item: math.log(1 + len(spectra) / times) for item, times in seen.items()}


def ochiai(one, other):
    both = len(one & other)
    return both / math.sqrt(len(one) * len(other)) if both else 0.0


def weighted(one, other, weights, unknown):
    """unknown: the weight of an item that no spectrum of the dictionary has."""

    def size(items):
        return sum(weights.get(item, unknown) ** 2 for item in items)

    both = size(one & other)
    return both / math.sqrt(size(one) * size(other)) if both else 0.0
