# SPDX-License-Identifier: GPL-2.0-or-later
"""Tells pytest what became of each test of a log, as if each were an item: suite::test.

The tests are known only once the board has run, so this makes reports, not functions. JUnit, the
terminal and pytest's exit status treat them like those of any item. An item that ran a board puts
the log into its stash, under LOG; conftest.py has the hook.
"""

import pytest

LOG = pytest.StashKey()
LINES_MOST = 60  # lines of the log that a failure shows; the log has them all


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Behind the item's own report, when its output is captured no longer."""
    yield
    if (log := item.stash.get(LOG, None)) is not None:
        report_tests(item, log)


def report_tests(item, log):
    """item: the one that ran the board. One report for each test (suite::test) of the log."""
    for suite in log.root.results if log.root else []:
        before = suite.block.line if suite.block else suite.line
        for test in suite.children:
            lines = log.lines[before : test.line]
            before = test.line
            tell(item, f"{suite.name}::{test.name}", test, lines)


def tell(item, name, test, lines):
    path = item.nodeid.split("::")[0]
    report = {
        "nodeid": f"{path}::{name}",
        "location": (item.location[0], None, name.replace("::", ".")),
        "keywords": {},
    }
    item.session.testscollected += 1
    for when in ("call", "teardown"):  # the second closes it in JUnit
        made = pytest.TestReport(**report, outcome="passed", longrepr=None, when=when)
        if when == "call":
            judge_report(made, item, test, lines)
        item.ihook.pytest_runtest_logreport(report=made)


def judge_report(made, item, test, lines):
    """Skipped for the log's reason; an erratum's excuse is an expected failure."""
    if test.outcome in ("fail", "timeout"):
        made.outcome = "failed"
        made.longrepr = "\n".join(lines[-LINES_MOST:])
    elif test.outcome == "xfail":
        made.outcome, made.wasxfail = "skipped", test.reason
        made.longrepr = test.reason
    elif test.outcome == "skip":
        made.outcome = "skipped"
        made.longrepr = (item.location[0], 0, f"Skipped: {test.reason}")
