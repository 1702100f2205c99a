# SPDX-License-Identifier: GPL-2.0-or-later
"""The tree of a log: blocks of results, each with the block that is nested before it."""

from dataclasses import dataclass, field

UNFINISHED = "unfinished"  # a block that has no result of its own; no log has such a directive


@dataclass
class Problem:
    line: int  # from 1; 0 when it belongs to no line
    text: str

    def __str__(self):
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass
class Result:
    """One `ok` or `not ok` line and the block nested before it."""

    name: str
    ok: bool
    directive: str | None
    reason: str
    line: int
    block: "Block | None" = None

    @property
    def outcome(self):
        """pass, fail, skip, xfail, timeout or unfinished."""
        if not self.ok:
            return {"TIMEOUT": "timeout", UNFINISHED: "unfinished"}.get(self.directive, "fail")
        return {"SKIP": "skip", "XFAIL": "xfail"}.get(self.directive, "pass")

    @property
    def children(self):
        return self.block.results if self.block else []


@dataclass
class Block:
    line: int
    depth: int
    plan: int | None = None
    skip: str | None = None  # reason of `1..0 # SKIP`
    results: list[Result] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    name: str = ""  # as its `# Subtest:` line says
    unfinished: list[Result] = field(default_factory=list)  # blocks in it that have no result

    def inside(self, unfinished):
        return self.results + (self.unfinished if unfinished else [])

    def closing_problem(self, end_line):
        """What is wrong with the block now that it ended, or None."""
        if self.plan is None:
            return Problem(self.line, "this block has no plan")
        if len(self.results) != self.plan:
            last = f", the last is '{self.results[-1].name}'" if self.results else ""
            return Problem(
                end_line,
                f"the block of line {self.line} planned {self.plan} results "
                f"and has {len(self.results)}{last}",
            )
        return None
