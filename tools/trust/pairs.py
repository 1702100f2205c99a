# SPDX-License-Identifier: GPL-2.0-or-later
"""Two faults in one processor: they must not hide each other, and a test must name at least one."""

import json
import random

from outcome import CAUGHT, FAULT_VERDICTS, judge_fault
from plan import Case
from silicon import Fault

JOINED = "+"


def pair_cases(applicable, count, seed, rarity=1):
    """Pairs on a processor that can show both, all different; the same ones for the same seed.

    applicable: profile -> names of the faults that it can show.
    """
    generator = random.Random(seed)
    able = {profile: sorted(names) for profile, names in sorted(applicable.items())}
    able = {profile: names for profile, names in able.items() if len(names) > 1}
    cases = {}
    most = sum(len(names) * (len(names) - 1) // 2 for names in able.values())
    while len(cases) < min(count, most):
        profile = generator.choice(list(able))
        pair = sorted(generator.sample(able[profile], 2))
        cases[Case(profile, fault=JOINED.join(pair), rarity=rarity)] = True
    return list(cases)


def both(case, faults):
    return [faults[name] for name in case.fault.split(JOINED)]


def as_one(case, faults):
    """The pair as one fault, of whose claims one is enough."""
    pair = both(case, faults)
    claims = dict.fromkeys(claim for fault in pair for claim in fault.claims)
    errata = dict.fromkeys(name for fault in pair for name in fault.errata)
    return Fault(case.fault, tuple(claims), tuple(errata), "; ".join(each.help for each in pair))


def boot_pair(laboratory, case, faults, healthy):
    return laboratory.run_fault(case, as_one(case, faults), healthy, one_is_enough=True)


def judge_pair(case, faults, outcome):
    """The better verdict of the two."""
    return min((judge_fault(each, outcome) for each in both(case, faults)), key=order)


def order(verdict):
    return FAULT_VERDICTS.index(verdict)


def build_result(outcomes, faults, seconds, seed):
    """outcomes: case -> outcome."""
    rows = [
        {
            "case": case.name,
            "verdict": judge_pair(case, faults, outcome),
            "claims": list(as_one(case, faults).claims),
            "broken": outcome.broken,
            "failed": outcome.failed,
            "status": outcome.status,
            "log": outcome.log,
        }
        for case, outcome in sorted(outcomes.items(), key=lambda item: item[0].name)
    ]
    return {"seed": seed, "seconds": round(seconds, 1), "pairs": rows}


def print_pairs(result):
    rows = result["pairs"]
    for row in [row for row in rows if row["verdict"] != CAUGHT]:
        failed = ", ".join(row["failed"][:6]) or row["status"]
        print(f"{row['verdict']}: {row['case']} ({' '.join(row['claims'])})")
        print(f"    failed: {failed}; named: {' '.join(row['broken']) or 'nothing'}")
        print(f"    log: {row['log']}")
    counted = [f"{sum(row['verdict'] == each for row in rows)} {each}" for each in FAULT_VERDICTS]
    print(f"pairs of faults: {len(rows)}, seed {result['seed']}: {', '.join(counted)}")
    print(f"time: {result['seconds']:.0f} s")


def finish(result, path):
    """Tells the result and keeps it; the exit status."""
    path.write_text(json.dumps(result, indent=1), encoding="utf-8")
    print_pairs(result)
    return 0 if all(row["verdict"] == CAUGHT for row in result["pairs"]) else 1
