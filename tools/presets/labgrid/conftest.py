# SPDX-License-Identifier: GPL-2.0-or-later
"""pytest finds its hooks here."""

from items import pytest_runtest_protocol  # noqa: F401
