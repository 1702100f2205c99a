# SPDX-License-Identifier: GPL-2.0-or-later
r"""A board's whole run, by labgrid: one item for each test of btscheck, and one for the verdict.

Started by pytest --lg-env tools/integrations/labgrid/env.yaml \
    tools/integrations/labgrid/test_btscheck.py
"""

import io
import sys
from pathlib import Path

import pytest
from items import LOG

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

from errors import LabError  # noqa: E402
from judge import Status  # noqa: E402
from judgement_text import print_judgement  # noqa: E402


def in_words(judgement, log_path):
    text = io.StringIO()
    print_judgement(judgement, log_path=log_path, out=text)
    return text.getvalue()


def test_verdict(strategy, request, record_testsuite_property):
    """Passes for the status PASS and no other: a run that only skipped has shown nothing."""
    try:
        strategy.transition("judged")
    except LabError as error:
        pytest.fail(str(error), pytrace=False)
    judgement = strategy.judgement
    request.node.stash[LOG] = judgement.log
    for name, value in (("status", judgement.status.name), ("log", strategy.log)):
        record_testsuite_property(f"btscheck_{name}", value)
    words = in_words(judgement, strategy.log)
    if judgement.status != Status.PASS:
        pytest.fail(words, pytrace=False)
    print(words)
