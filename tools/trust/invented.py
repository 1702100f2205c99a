# SPDX-License-Identifier: GPL-2.0-or-later
"""Processors that somebody invented who had not seen the tests: how many of them are caught."""

import json
from dataclasses import asdict, dataclass, field

import plan
from outcome import CAUGHT, FAULT_VERDICTS, judge_fault

# One of each kind: the first on which a test names a claim of the fault is enough.
ORDER = ("skylake", "haswell", "icelake", "core2", "goldmont", "sapphirerapids", "bonnell")
GOAL = 97.0  # percent


@dataclass
class Hunted:
    name: str
    verdict: str = FAULT_VERDICTS[-1]
    case: str = ""  # the processor that says so
    broken: list[str] = field(default_factory=list)  # claims that were named
    failed: list[str] = field(default_factory=list)  # tests


def hunt(laboratory, fault, healthy):
    """healthy: case -> Outcome, of the processors that are tried, in their order."""
    best = Hunted(fault.name)
    for plain, without in healthy.items():
        case = plan.Case(plain.profile, fault=fault.name)
        outcome = laboratory.run_fault(case, fault, without, one_is_enough=True)
        verdict = judge_fault(fault, outcome)
        if FAULT_VERDICTS.index(verdict) < FAULT_VERDICTS.index(best.verdict):
            best = Hunted(fault.name, verdict, case.name, outcome.broken, outcome.failed)
        if verdict == CAUGHT:
            break
    return best


def build_result(found, faults, seconds):
    """Plain data, for a file."""
    rows = [asdict(each) | {"help": faults[each.name].help} for each in found]
    return {"faults": rows, "seconds": round(seconds)}


def percent(result):
    rows = result["faults"]
    return 100 * sum(row["verdict"] == CAUGHT for row in rows) / len(rows) if rows else 100.0


def finish(result, output):
    """Exit status: 0 where as many are caught as must be."""
    output.write_text(json.dumps(result, indent=1), encoding="utf-8")
    for row in result["faults"]:
        if row["verdict"] != CAUGHT:
            named = f" (named: {' '.join(row['broken'])})" if row["broken"] else ""
            print(f"{row['verdict']}: {row['name']}: {row['help']}{named}")
    number = len(result["faults"])
    print(f"invented: {percent(result):.1f} % of {number} caught, {result['seconds']} s")
    return 0 if percent(result) >= GOAL else 1
