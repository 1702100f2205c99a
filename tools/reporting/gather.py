# SPDX-License-Identifier: GPL-2.0-or-later
"""Kept logs to runs: reads and judges each, and names its board after its file."""

import os
from pathlib import Path

from errors import LabError, told
from judge import judge

from run_data import nothing_read, run_data

LOG_LIMIT = 1 << 28  # bytes; no log is that long, and memory is finite


def runs_of_logs(paths, whole=True):
    """One run_data dict a path, in their order. A log that cannot be read is a run with ERROR.

    Not whole: without the subtests that passed, so that a thousand of them fit into the memory.
    """
    paths = [Path(path) for path in paths]
    runs = (run_of_log(path, board) for path, board in zip(paths, board_names(paths)))
    return [run if whole else without_passed_parts(run) for run in runs]


def without_passed_parts(run):
    """The run, as a compact log has it."""
    for test in run["tests"]:
        test["subtests"] = [each for each in test["subtests"] if each["outcome"] != "pass"]
    return {**run, "compact": True}


def run_of_log(path, board):
    try:
        return run_data(judge(read_log(path)), board=board, log_path=path)
    except (LabError, OSError) as error:
        text = told(error) if isinstance(error, OSError) else str(error)
        return nothing_read(text, board=board, log_path=path)


def read_log(path):
    with open(path, "rb") as log:
        raw = log.read(LOG_LIMIT + 1)
    if len(raw) > LOG_LIMIT:
        raise LabError(f"{path} is longer than {LOG_LIMIT >> 20} MiB: that is no log of btscheck")
    return raw


def board_names(paths):
    """The file's name without its ending; where that is not unique, the path of it."""
    names = [path.stem for path in paths]
    if len(set(names)) == len(names):
        return names
    whole = [path.absolute().with_suffix("") for path in paths]
    above = os.path.commonpath([path.parent for path in whole])
    return [os.path.relpath(path, above) for path in whole]
