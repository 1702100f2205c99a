# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes runs of kept logs and of racks' stores. A log is judged, and its board is named after its
file."""

import os
from collections import Counter
from pathlib import Path

from errors import LabError, told
from log_files import read_log
from stored_runs import every_run, find_store, is_store, last_runs
from witnesses import judge_kept

from run_data import brief, nothing_read, run_data

PACKED = ".gz"


def whole(run):
    return run


def runs_of(paths, shortened=whole, every=False):
    """The run_data dicts of the paths, in their order; no two have one name.

    shortened: what is kept of each where there are several, so that a thousand of them fit into the
    memory: whole, without_passed_parts or run_data.brief. every: of a store all runs, and not the
    last one of each board.
    """
    found, taken = [], Counter()
    for run in each_run([Path(path) for path in paths], shortened, every):
        run["board"] = not_taken(run["board"], taken)
        if len(found) == 1:
            found[0] = shortened(found[0])
        found.append(shortened(run) if found else run)
    return found


def each_run(paths, shortened, every):
    refuse_twice(paths)
    logs = [path for path in paths if not is_store(path)]
    names = dict(zip(logs, board_names(logs)))
    for path in paths:
        if path in names:
            yield run_of_log(path, names[path])
        else:
            yield from runs_of_store(find_store(path), shortened, every)


def refuse_twice(paths):
    for path, times in Counter(path.absolute() for path in paths).items():
        if times > 1:
            raise LabError(f"{path} is named {times} times: its runs would count so often")


def not_taken(name, taken):
    """ "skl-1", and of another file "skl-1 (2)"."""
    taken[name] += 1
    return name if taken[name] == 1 else not_taken(f"{name} ({taken[name]})", taken)


def without_passed_parts(run):
    """The run, as a compact log has it."""
    for test in run["tests"]:
        test["subtests"] = [each for each in test["subtests"] if each["outcome"] != "pass"]
    return {**run, "compact": True}


def runs_of_store(store, shortened, every):
    runs = store.count(last=not every)
    yield from (every_run if every else last_runs)(store, shortened is brief and runs > 1)
    if not runs:
        raise LabError(f"the store {store.path} has no run; `tools/lab/rack run` makes some")


def run_of_log(path, board):
    try:
        return run_data(judge_kept(read_log(path)), board=board, log_path=path)
    except (LabError, OSError) as error:
        text = told(error) if isinstance(error, OSError) else str(error)
        return nothing_read(text, board=board, log_path=path)


def board_names(paths):
    """The file's name without its ending; where that is not unique, the path of it."""
    bare = [path.with_suffix("") if path.suffix == PACKED else path for path in paths]
    names = [path.stem for path in bare]
    if len(set(names)) == len(names):
        return names
    whole = [path.absolute().with_suffix("") for path in bare]
    above = os.path.commonpath([path.parent for path in whole])
    return [os.path.relpath(path, above) for path in whole]
