# SPDX-License-Identifier: GPL-2.0-or-later
"""The matrix's result, for the coverage table (JSON) and for people."""

import sys

from outcome import (
    CAUGHT,
    FALSE_ALARM,
    FAULT_VERDICTS,
    HEALTHY,
    NOT_READ_BACK,
    judge_fault,
    judge_healthy,
    worst,
)
from read_back import misread, read_traits

BAR = 28  # characters
LISTED = 40


class Progress:
    """A bar on a terminal; elsewhere a line for each tenth."""

    def __init__(self, total, out=sys.stderr, what="matrix"):
        self.total, self.out, self.what, self.done, self.bad = total, out, what, 0, 0
        self.moves = out.isatty()

    def step(self, name, is_bad):
        self.done += 1
        self.bad += is_bad
        if self.moves:
            full = BAR * self.done // self.total
            bar = "#" * full + "." * (BAR - full)
            text = f"\r[{bar}] {self.done}/{self.total}, {self.bad} to look at  {name:.40}"
            self.out.write(f"{text:100}")
        elif self.done * 10 // self.total != (self.done - 1) * 10 // self.total:
            self.out.write(f"{self.what}: {self.done} of {self.total}, {self.bad} to look at\n")
        self.out.flush()

    def finish(self):
        if self.moves and self.done:
            self.out.write("\n")


def healthy_rows(outcomes, culprits):
    """culprits: bad case -> the smallest case that fails as it does."""
    return [
        {
            "case": case.name,
            "verdict": judge_healthy(case, outcome),
            "misread": misread(case, read_traits(outcome.traits)),
            "smallest": culprits[case].name if case in culprits else case.name,
            "status": outcome.status,
            "failed": outcome.failed,
            "reasons": outcome.reasons,
            "log": outcome.log,
        }
        for case, outcome in sorted(outcomes.items(), key=lambda item: item[0].name)
    ]


def fault_rows(faults, outcomes):
    """One row a fault: the worst verdict among its processors, every claim that was named."""
    rows = []
    for fault in faults.values():
        mine = {case: outcome for case, outcome in outcomes.items() if case.fault == fault.name}
        if not mine:
            continue
        runs = [fault_run(fault, case, outcome) for case, outcome in mine.items()]
        rows.append(
            {
                "name": fault.name,
                "claims": list(fault.claims),
                "errata": list(fault.errata),
                "help": fault.help,
                "verdict": worst([run["verdict"] for run in runs]),
                "broken": sorted({claim for run in runs for claim in run["broken"]}),
                "runs": runs,
            }
        )
    return rows


def fault_run(fault, case, outcome):
    return {
        "case": case.name,
        "verdict": judge_fault(fault, outcome),
        "status": outcome.status,
        "broken": outcome.broken,
        "failed": outcome.failed,
        "log": outcome.log,
    }


def errata_rows(errata, outcomes):
    """Which of an identity's errata an XFAIL names, and which never showed.

    errata: case -> [Erratum], what each bare identity was told to have.
    """
    rows = []
    for case, has in sorted(errata.items(), key=lambda item: item[0].name):
        excused = outcomes[case].excused
        names = {each.name: {each.name, *each.further} for each in has}
        unseen = [name for name, all_names in names.items() if not all_names & set(excused)]
        rows.append({"case": case.name, "seen": excused, "unseen": unseen})
    return rows


def build_result(
    faults, fault_outcomes, healthy_outcomes, seconds, settings, errata=(), culprits=()
):
    """settings: among them the kernel's digest, and whether this is the whole matrix."""
    return {
        "settings": settings,
        "seconds": round(seconds, 1),
        "healthy": healthy_rows(healthy_outcomes, dict(culprits)),
        "faults": fault_rows(faults, fault_outcomes),
        "errata": errata_rows(dict(errata), healthy_outcomes),
    }


def is_good(result):
    """Every fault is caught by a test that names what it breaks, and nobody else fails."""
    return all(row["verdict"] in (CAUGHT, HEALTHY) for row in result["faults"] + result["healthy"])


def count(rows, verdict):
    return sum(row["verdict"] == verdict for row in rows)


def print_summary(result, out=sys.stdout):
    faults, healthy = result["faults"], result["healthy"]
    boots = sum(len(row["runs"]) for row in faults)
    for row in faults:
        if row["verdict"] != CAUGHT:
            print_fault(row, out)
    for row in [row for row in healthy if row["verdict"] == FALSE_ALARM][:LISTED]:
        print(f"false alarm: {row['case']}: {row['status']}", file=out)
        print(f"    failed: {', '.join(row['failed']) or row['reasons']}", file=out)
        print(f"    fails too, with the fewest choices: {row['smallest']}", file=out)
        print(f"    log: {row['log']}", file=out)
    for row in [row for row in healthy if row["verdict"] == NOT_READ_BACK][:LISTED]:
        for line in row["misread"]:
            print(f"not read back: {row['case']}: {line}", file=out)
        print(f"    so with the fewest choices: {row['smallest']}", file=out)
        print(f"    log: {row['log']}", file=out)
    for row in result["errata"]:
        print_errata(row, out)
    print(f"faults: {len(faults)} on {boots} processors: ", end="", file=out)
    print(", ".join(f"{count(faults, v)} {v}" for v in FAULT_VERDICTS), file=out)
    print(f"healthy processors: {len(healthy)}: ", end="", file=out)
    print(
        f"{count(healthy, HEALTHY)} pass, {count(healthy, FALSE_ALARM)} false alarms, ",
        end="",
        file=out,
    )
    print(f"{count(healthy, NOT_READ_BACK)} not read back", file=out)
    print(f"time: {result['seconds']:.0f} s", file=out)


def print_errata(row, out):
    """An identity without a single one is worth a look: nothing that it has can be seen."""
    seen = " ".join(f"{name} x{times}" for name, times in sorted(row["seen"].items())) or "none"
    unseen = " ".join(row["unseen"]) or "none"
    if row["seen"] or row["unseen"]:
        print(f"errata: {row['case']}: seen {seen}; not seen {unseen}", file=out)


def print_fault(row, out):
    print(f"{row['verdict']}: {row['name']} ({' '.join(row['claims'] + row['errata'])})", file=out)
    print(f"    {row['help']}", file=out)
    for run in row["runs"]:
        if run["verdict"] != CAUGHT:
            named = " ".join(run["broken"]) or "nothing"
            failed = ", ".join(run["failed"][:6]) or run["status"]
            print(
                f"    {run['case']}: {run['verdict']}; failed: {failed}; named: {named}", file=out
            )
            print(f"        log: {run['log']}", file=out)
