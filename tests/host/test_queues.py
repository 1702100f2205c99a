# SPDX-License-Identifier: GPL-2.0-or-later
"""The order of tests, and that no worker waits while another has a queue."""

import os
import re
import subprocess
import sys

import pytest

pytest.importorskip("xdist", reason="no pytest-xdist")

# The long one stands last in its file; all others are quick.
SMALL = """\
import time, pytest
@pytest.mark.parametrize("number", range(40))
def test_quick(number):
    time.sleep(0.05)
@pytest.mark.timeout(900)
def test_long():
    time.sleep(2.5)
"""


def test_longest_begins_first_and_the_other_worker_takes_the_rest(tmp_path):
    (tmp_path / "test_small.py").write_text(SMALL)
    (tmp_path / "conftest.py").write_text("from queues import *\n")
    known = {**os.environ, "PYTHONPATH": os.path.dirname(__file__), "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-n2", "-v", "-p", "no:cacheprovider", tmp_path]
    answer = subprocess.run(command, env=known, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout
    done = re.findall(r"^\[(gw\d)\].* PASSED .*::(test_\w+)", answer.stdout, re.M)
    assert len(done) == 41, answer.stdout
    busy = next(worker for worker, name in done if name == "test_long")
    assert [worker for worker, _ in done].count(busy) <= 3, answer.stdout
