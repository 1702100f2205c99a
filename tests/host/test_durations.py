# SPDX-License-Identifier: GPL-2.0-or-later
"""How long tests take: their order, the table, and the tests that are named for it."""

import os
import re
import sys
from collections import Counter

import pytest
from conftest import execute
from durations import above_share, table

SPENT = Counter({"test_a.py::one[a|b]": 90.0, "test_a.py::two": 0.5, "test_b.py::three": 9.5})


def test_table_has_a_row_for_each_file_the_longest_first():
    assert table(SPENT).splitlines()[2:] == [
        "| test_a.py | 2 | 90.5 | 90.5 % | one[a\\|b] | 90.0 |",
        "| test_b.py | 1 | 9.5 | 9.5 % | three | 9.5 |",
        "| all | 3 | 100.0 | 100.0 % | | |",
    ]


def test_test_above_its_share_is_named_and_no_other():
    assert list(above_share(SPENT)) == [
        "90.0 % of all seconds (90 s): test_a.py::one[a|b]",
        " 9.5 % of all seconds (10 s): test_b.py::three",
    ]


def run_two_workers(folder, tests, conftest):
    """Two, as in the real run; what pytest says."""
    pytest.importorskip("xdist", reason="no pytest-xdist")
    (folder / "test_small.py").write_text(tests)
    (folder / "conftest.py").write_text(conftest)
    words = ["-n2", "-v", "-p", "no:cacheprovider", "-p", "no:labgrid", str(folder)]
    known = {**os.environ, "PYTHONPATH": os.path.dirname(__file__), "PYTEST_ADDOPTS": ""}
    answer = execute(sys.executable, "-m", "pytest", *words, cwd=folder, env=known, timeout=120)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


SMALL = """\
import time
def test_slow():
    time.sleep(0.4)
def test_quick():
    pass
"""
WRITES_ITS_TABLE = """\
from pathlib import Path
from durations import Durations
def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations(Path(__file__).with_name("d.md")))
"""


def test_run_of_two_workers_writes_one_table(tmp_path):
    said = run_two_workers(tmp_path, SMALL, WRITES_ITS_TABLE)
    assert "of all seconds (0 s): test_small.py::test_slow" in said
    rows = (tmp_path / "d.md").read_text().splitlines()
    assert rows[2].startswith("| test_small.py | 2 | 0.4 | 100.0 % | test_slow | 0.4 |")


# The long one stands last in its file; all others are quick.
LONGEST_LAST = """\
import time, pytest
@pytest.mark.parametrize("number", range(40))
def test_quick(number):
    time.sleep(0.05)
@pytest.mark.timeout(900)
def test_long():
    time.sleep(2.5)
"""


def test_longest_begins_first_and_the_other_worker_takes_the_rest(tmp_path):
    said = run_two_workers(tmp_path, LONGEST_LAST, "from durations import *\n")
    done = re.findall(r"^\[(gw\d)\].* PASSED .*::(test_\w+)", said, re.M)
    assert len(done) == 41, said
    busy = next(worker for worker, name in done if name == "test_long")
    assert [worker for worker, _ in done].count(busy) <= 3, said
