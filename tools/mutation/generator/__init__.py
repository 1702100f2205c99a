# SPDX-License-Identifier: GPL-2.0-or-later
"""Processors that nobody chose: mutants of the emulated silicon, made by machine."""


class MutationError(Exception):
    """The mutants cannot be made; the text says why and what to do."""
