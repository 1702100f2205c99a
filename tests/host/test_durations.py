# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of how long the tests took, and the tests that are named for it."""

import os
import subprocess
import sys
from collections import Counter

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


# Two workers, as in the real run; what is written comes of both.
SMALL = """\
import time
def test_slow():
    time.sleep(0.4)
def test_quick():
    pass
"""


def test_run_of_two_workers_writes_one_table(tmp_path):
    (tmp_path / "test_small.py").write_text(SMALL)
    (tmp_path / "conftest.py").write_text(
        "from pathlib import Path\n"
        "from durations import Durations\n"
        "def pytest_configure(config):\n"
        "    if not hasattr(config, 'workerinput'):\n"
        f"        config.pluginmanager.register(Durations(Path({str(tmp_path)!r}) / 'd.md'))\n"
    )
    words = ["-n", "2", "-p", "no:cacheprovider", "-p", "no:labgrid", str(tmp_path)]
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.path.dirname(__file__), "PYTEST_ADDOPTS": ""},
        timeout=120,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "of all seconds (0 s): test_small.py::test_slow" in answer.stdout
    rows = (tmp_path / "d.md").read_text().splitlines()
    assert rows[2].startswith("| test_small.py | 2 | 0.4 | 100.0 % | test_slow | 0.4 |")
