# SPDX-License-Identifier: GPL-2.0-or-later
"""The coverage table: claim, its tests, the faults that break it, and what that proves."""

from dataclasses import asdict, dataclass, field

OPEN, COVERED, PROVEN = "open", "covered", "proven"

STATES = {
    OPEN: "no test checks it, or no fault has ever broken it",
    COVERED: "a test checks it; that the tests find every known fault of it is not shown",
    PROVEN: "faults that break it made a test fail that names it, and none went unnoticed",
}


@dataclass
class Row:
    id: str
    group: str
    text: str
    tests: list[str] = field(default_factory=list)
    caught: list[str] = field(default_factory=list)  # faults, by a failure that names this claim
    elsewhere: list[str] = field(default_factory=list)  # … that names another claim of the fault
    missed: list[str] = field(default_factory=list)  # faults that break it, and no test said so
    state: str = OPEN
    why: str = ""


def doubt_about(matrix, kernel):
    """Why the result of a matrix proves nothing about this kernel; "" where it does."""
    settings = matrix.get("settings", {})
    if settings.get("kernel") != kernel:
        return "the matrix is of another kernel"
    return "" if settings.get("whole") else "the matrix is of a part"


def build_rows(claims, declarations, matrix=None, doubt=""):
    """One row a claim, in the table's order. matrix: what tools/matrix wrote, or None."""
    rows = {claim.id: Row(claim.id, claim.group, claim.text) for claim in claims.values()}
    for test in declarations:
        for name in dict.fromkeys(test.claims):
            if name in rows and not test.only_when_named:
                rows[name].tests.append(test.full_name)
    for fault in matrix["faults"] if matrix else []:
        for name in fault["claims"]:
            if name in rows:
                column(rows[name], fault).append(fault["name"])
    for row in rows.values():
        row.state, row.why = judge(row, matrix is not None)
        if row.state == PROVEN and doubt:
            row.state, row.why = COVERED, doubt
    return list(rows.values())


def column(row, fault):
    """Where in the row the fault belongs."""
    if fault["verdict"] != "caught":
        return row.missed
    return row.caught if row.id in fault["broken"] else row.elsewhere


def judge(row, faults_are_known):
    if not row.tests:
        return OPEN, "no test"
    if not faults_are_known:
        return COVERED, ""
    if row.missed:
        return COVERED, "not found: " + ", ".join(row.missed)
    if row.elsewhere and not row.caught:
        return COVERED, "found by other claims alone: " + ", ".join(row.elsewhere)
    return (PROVEN, "") if row.caught else (OPEN, "no fault breaks it")


def unknown_names(claims, declarations):
    return [
        f"{test.file}:{test.line}: {test.full_name} names no claim of the table: {name}"
        for test in declarations
        for name in test.claims
        if name not in claims
    ]


def counts(rows):
    return {state: sum(row.state == state for row in rows) for state in STATES}


def as_json(rows):
    return {"claims": [asdict(row) for row in rows], "counts": counts(rows)}


def as_markdown(rows):
    lines = ["# Claims, tests, faults", ""]
    for state, number in counts(rows).items():
        lines.append(f"- **{state}** {number}: {STATES[state]}")
    lines += ["", *section("Open", [row for row in rows if row.state == OPEN])]
    for group in dict.fromkeys(row.group for row in rows):
        mine = [row for row in rows if row.group == group]
        lines += ["", f"## {group}", "", "| claim | state | tests | faults caught |"]
        lines += ["| --- | --- | --- | --- |"]
        lines += [line_of(row) for row in mine]
    return "\n".join(lines) + "\n"


def section(title, rows):
    names = [f"- {row.id} ({row.why}): {row.text}" for row in rows] or ["- none"]
    return [f"## {title}", "", *names]


def line_of(row):
    cell = ", ".join
    state = f"{row.state}: {row.why}" if row.why else row.state
    return f"| {row.id}: {row.text} | {state} | {cell(row.tests)} | {cell(row.caught)} |"


def as_line(row):
    """For a list where each claim has one."""
    return f"{row.id:8} {row.state:8} {len(row.tests):3} tests  {row.text}"


def mutants_as_markdown(kept):
    """The score of the last kept run over the mutants; "" where none was kept."""
    if kept is None:
        return ""
    which = kept.get("sample") or "all of them"
    measured = f"Measured at {kept['commit']}, {which}, {kept['seconds']} s of one machine."
    lines = ["", "## Mutants", "", measured]
    for score in kept["scores"]:
        rest = {key: value for key, value in score.items() if key not in ("group", "percent")}
        counts = ", ".join(f"{number} {status}" for status, number in rest.items())
        lines.append(f"- {score['group']}: {score['percent']} % killed ({counts})")
    lines += [f"- {row['status']}: {row['name']}" for row in kept["survivors"]]
    return "\n".join(lines) + "\n"
