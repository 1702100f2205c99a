# SPDX-License-Identifier: GPL-2.0-or-later
"""What became of each part of each test of a run, beside another run's."""

# For both runs: how far a long list of tests gets in the usual time is the host's, beside others.
PATIENT = "timeout=60"


def differences(one, other, but=()):
    """By path, where two boots differ: a pair of (outcome, reason), None for a part that is not in
    one of them. Not told: paths that begin with one of but. Compilers order tests otherwise, so
    order is nothing."""
    runs = [
        {path: (leaf.outcome, leaf.reason) for path, leaf in boot.judgement.log.leaves()}
        for boot in (one, other)
    ]
    paths = {path for run in runs for path in run if not path.startswith(tuple(but))}
    pairs = {path: (runs[0].get(path), runs[1].get(path)) for path in sorted(paths)}
    return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}
