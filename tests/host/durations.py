# SPDX-License-Identifier: GPL-2.0-or-later
"""How long tests take: the longest begin first, so that no worker waits at the end, and no worker
gets more than two at a time.

How long they took is a table by file in the build folder, in CI's log too; at the end of a run
stand the tests that took more than their share. Seconds are those of setup, call and teardown; two
workers spend them at a time.
"""

import os
from collections import Counter, defaultdict

import pytest

try:
    from xdist.scheduler import LoadScheduling
except ImportError:
    LoadScheduling = None  # one worker, no queues
SHARE = 1.0  # percent of all seconds; a test above it is named, but no more of them than:
NAMED = 12


def limit_of(item):
    """Seconds that the test may take, as its mark says; 0 for what the default is enough for."""
    mark = item.get_closest_marker("timeout")
    return mark.args[0] if mark else 0


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: -limit_of(item))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    class ShortQueues(LoadScheduling):
        """A worker knows the test after the one it runs, and no more."""

        def _send_tests(self, node, num):
            super()._send_tests(node, min(num, 2))

    return ShortQueues(config, log)


class Durations:
    """A plugin of pytest's: only where all reports come together, not in a worker."""

    def __init__(self, path):
        self.path = path  # of the table
        self.seconds = Counter()  # by test, as `file::name`

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += report.duration

    def pytest_terminal_summary(self, terminalreporter):
        if not self.seconds:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = table(self.seconds)
        self.path.write_text(text, encoding="utf-8")
        lines = text.splitlines() if os.environ.get("CI") else []
        for line in [*lines, *above_share(self.seconds), f"seconds by file: {self.path}"]:
            terminalreporter.write_line(line)


def by_file(seconds):
    """File -> {test: seconds}, the file that took longest first."""
    files = defaultdict(dict)
    for test, spent in seconds.items():
        files[test.split("::")[0]][test] = spent
    return dict(sorted(files.items(), key=lambda each: -sum(each[1].values())))


def table(seconds):
    """A table in Markdown: a row for each file."""
    whole = sum(seconds.values()) or 1
    rows = ["| file | tests | seconds | share | longest test | seconds |", "| --- " * 6 + "|"]
    for name, tests in by_file(seconds).items():
        spent, (longest, most) = sum(tests.values()), max(tests.items(), key=lambda each: each[1])
        longest = longest.partition("::")[2].replace("|", "\\|")
        share = 100 * spent / whole
        rows.append(
            f"| {name} | {len(tests)} | {spent:.1f} | {share:.1f} % | {longest} | {most:.1f} |"
        )
    rows.append(f"| all | {len(seconds)} | {whole:.1f} | 100.0 % | | |")
    return "\n".join(rows) + "\n"


def above_share(seconds):
    """A line for each test that took more than its share, the longest first."""
    whole = sum(seconds.values()) or 1
    for test, spent in seconds.most_common(NAMED):
        share = 100 * spent / whole
        if share <= SHARE:
            return
        yield f"{share:4.1f} % of all seconds ({spent:.0f} s): {test}"
