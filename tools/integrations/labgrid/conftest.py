# SPDX-License-Identifier: GPL-2.0-or-later
"""pytest finds its hooks here."""

import signal

import pytest
from items import pytest_runtest_protocol  # noqa: F401


def pytest_configure():
    """A CI system that ends a job early must not leave a board on."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def end(number, _):
    pytest.exit(f"ended by {signal.Signals(number).name}", returncode=128 + number)
