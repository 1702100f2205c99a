# SPDX-License-Identifier: GPL-2.0-or-later
"""What became of each part of each test of a run: beside another run's, and on processors that lack
something."""

import fnmatch

from judge import Status

# Which tests each crippled processor must skip for want of which feature (glob: part of the
# reason); on the others every test runs, but for those of what happens without a feature.
MUST_SKIP = {
    "no-ds": {"threshold.*": ".DS = 0", "circular.laps": ".DS = 0", "table17_6.enc*": ".DS = 0"},
    "bts-unavailable": {
        "threshold.*": "BTS_UNAVAILABLE = 1",
        "circular.laps": "BTS_UNAVAILABLE = 1",
        "table17_6.enc*": "BTS_UNAVAILABLE = 1",
    },
    "no-ds-cpl": {"table17_6.encodings": "DS-CPL = 0", "ring3.records_under_*": "DS-CPL = 0"},
}

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


def skips_as_it_must(boot, profile):
    """A run on a healthy processor: nothing fails, and it skips what the profile cannot show."""
    must_skip = MUST_SKIP.get(profile, {})
    wanted = (Status.PASS, Status.SKIP) if must_skip else (Status.PASS,)
    assert boot.judgement.status in wanted, boot.explain()
    for pattern, reason in must_skip.items():
        tests = {n: t for n, t in boot.judgement.log.tests() if fnmatch.fnmatch(n, pattern)}
        assert tests, f"{pattern} names no test"
        for name, test in tests.items():
            assert test.outcome == "skip" and reason in test.reason, (name, test)
