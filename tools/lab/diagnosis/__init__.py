# SPDX-License-Identifier: GPL-2.0-or-later
"""What is broken, from a judged log: causes, claims and the nearest known wrong processors."""

from .cases import read_cases, test_of
from .dictionary import Dictionary, find_dictionary
from .spectrum import ran_items, spectrum_of
from .summary import Diagnosis, diagnose, rank_claims

__all__ = [
    "Diagnosis",
    "Dictionary",
    "diagnose",
    "find_dictionary",
    "rank_claims",
    "read_cases",
    "ran_items",
    "spectrum_of",
    "test_of",
]
