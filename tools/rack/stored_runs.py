# SPDX-License-Identifier: GPL-2.0-or-later
"""The runs of a store as every report has them: dicts of tools/reporting/run_data.schema.json.

A run without a judged log is included, with ERROR, so that a board whose rack was killed or that
runs at this moment is not missing in a report.
"""

import json

from listing import GONE, state
from machine import LabError
from result_store import USUAL, Store

from run_data import FORMAT, VERSION, in_utc, nothing_read

SQLITE = b"SQLite format 3\0"  # how every such file begins


def find_store(path):
    """The store to be read: path itself, the one that a rack file names, or the usual one."""
    if path and path.suffix == ".toml":
        try:
            from rackfile import load_rack
        except ModuleNotFoundError as error:
            package = f"python3-{error.name}"
            raise LabError(f"Python's {error.name} is missing; install {package}") from error
        path = load_rack(path).store
    return Store.to_read(path or USUAL)


def is_store(path):
    """Has it runs of a rack, or is it a log? A rack file stands for the store that it names."""
    if path.suffix == ".toml":
        return True
    try:
        with open(path, "rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def whole_runs(store, names=()):
    """Of each BOARD[@RUN] that is named, else the last run of each board; one after the other,
    because a thousand of them fill the memory."""
    if names:
        return (whole_run(store, store.find(name)) for name in names)
    return last_runs(store)


def last_runs(store, is_brief=False):
    """That of each board."""
    return (whole_run(store, row) for row in store.each(True, is_brief))


def every_run(store, is_brief=False):
    """Not only the last ones: a run is called BOARD@RUN then, and is a board of its own."""
    for row in store.each(False, is_brief):
        yield {**whole_run(store, row), "board": f"{row['board']}@{row['number']}"}


def whole_run(store, row):
    """What was kept when it ended; where that is nothing, why."""
    if row["data"]:
        return read(store, row)
    run = nothing_read(why_nothing(store, row), board=row["board"], log_path=row["log"])
    return {**run, "when": in_utc(row["started"])}


def read(store, row):
    """Only such runs as this version writes: of others a report would show half."""
    try:
        run = json.loads(row["data"])
        if (run["format"], run["version"]) == (FORMAT, VERSION):
            return run
    except (ValueError, KeyError, TypeError):
        pass
    raise LabError(
        f"the store {store.path} has something else than a run in {row['board']}@{row['number']}:"
        " name the others, or its log"
    )


def why_nothing(store, row):
    if row["ended"]:
        return row["told"] or "the store does not say what came of it"
    if state(store, row) == GONE:
        return "the rack was killed while this ran"
    return f"run {row['number']} has not ended yet: `tools/lab/rack status` shows when it has"
