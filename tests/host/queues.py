# SPDX-License-Identifier: GPL-2.0-or-later
"""The order of tests, so that no worker waits at the end: the longest begin first, and no worker
gets more than two at a time.
"""

import pytest

try:
    from xdist.scheduler import LoadScheduling
except ImportError:
    LoadScheduling = None  # one worker, no queues


def longest(item):
    """Seconds that the test may take, as its mark says; 0 for what the default is enough for."""
    mark = item.get_closest_marker("timeout")
    return mark.args[0] if mark else 0


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: -longest(item))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    class ShortQueues(LoadScheduling):
        """A worker knows the test after the one it runs, and no more."""

        def _send_tests(self, node, num):
            super()._send_tests(node, min(num, 2))

    return ShortQueues(config, log)
