# SPDX-License-Identifier: GPL-2.0-or-later
"""Ends a boot early: watches the log for the failure that answers the question.

Later tests do not run then, so the log has no verdict and shows only that a test failed. For
callers that ask whether a fault is found.
"""

from ktap import INDENT
from line_kinds import BROKEN_CLAIMS, CLAIMS_OR_BREAKS, RESULT, SUBTEST
from log_lines import Follower


class BrokenClaims:
    """The claims that failures name, from the lines of a log as they come.

    What stands before an XFAIL is explained by its erratum.
    """

    def __init__(self):
        self.found, self.waiting = [], []

    def hear(self, text):
        """One line, without its indentation."""
        if match := BROKEN_CLAIMS.fullmatch(text):
            self.found += match[1].split()
        elif match := CLAIMS_OR_BREAKS.fullmatch(text):
            self.waiting += match[1].split()
        elif match := RESULT.fullmatch(text):
            self.found += self.waiting if match[1] == "not ok" else []
            self.waiting = []


class FailureWatch:
    """Called with bytes as they come, cut anywhere: has the failure come that was waited for?

    claims: all that must have been named by failed tests, or one of them where one is enough; None
    where any failed test will do. known: tests that fail in any case, "suite.test".
    """

    def __init__(self, claims=None, known=(), one_is_enough=False):
        self.wanted = None if claims is None else set(claims)
        self.one_is_enough = one_is_enough
        self.known = set(known)
        self.follower, self.suite, self.broken = Follower(), "", BrokenClaims()
        self.named, self.failed = set(), []  # claims, tests

    def __call__(self, chunk):
        for line in self.follower.heard(chunk):
            self.hear(line)
        return self.enough()

    def enough(self):
        if self.wanted is None:
            return bool(self.failed)
        if self.one_is_enough:
            return bool(self.wanted & self.named)
        return bool(self.wanted) and self.wanted <= self.named

    def hear(self, line):
        text = line.strip()
        self.broken.hear(text)
        indent = len(line) - len(line.lstrip(" "))
        if indent != INDENT:
            return
        if text.startswith(SUBTEST):
            self.suite = text.removeprefix(SUBTEST)
        elif result := RESULT.fullmatch(text):
            self.test_ended(result[1] == "ok", f"{self.suite}.{result[3]}")

    def test_ended(self, passed, name):
        """The claims of a test that fails in any case are forgotten with it."""
        if not passed and name not in self.known:
            self.failed.append(name)
            self.named |= set(self.broken.found)
        self.broken.found.clear()
