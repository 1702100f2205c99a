# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs as tables for people: the last of each board, all of one board."""

import slots
from judge import Status
from judgement_text import ENDED_WELL
from result_store import lock_folder

RUNNING, GONE = "running", "broken off"
WIDTH = 60  # characters of a cell, but of the last one
COLUMNS = (
    ("board", "board"),
    ("run", "number"),
    ("started", "started"),
    ("seconds", "seconds"),
    ("status", "shown"),
    ("trouble", "trouble"),
    ("processor", "signature"),
    ("microcode", "microcode"),
    ("hardware", "hardware"),
    ("bios", "bios"),
    ("image", "image"),
    ("options", "options"),
)


def with_state(store, runs):
    """Each with `shown`: its verdict, or whether it runs yet. The whole data is left out."""
    return [{**without_data(run), "shown": state(store, run)} for run in runs]


def without_data(run):
    return {key: value for key, value in run.items() if key != "data"}


def state(store, run):
    if run["ended"]:
        return run["verdict"]
    with slots.locked(lock_folder(store.path) / f"board-{run['board']}") as nobody_runs_it:
        return GONE if nobody_runs_it else RUNNING


def print_runs(runs, out):
    """A row for each, and below those that did not end well what was the matter."""
    table([name for name, _ in COLUMNS], [[run[key] for _, key in COLUMNS] for run in runs], out)
    wrong = [run for run in runs if run["ended"] and Status(run["status"]) not in ENDED_WELL]
    for run in wrong:
        print(f"{run['board']}@{run['number']}: {run['told']}", file=out)
        print(f"    log: {run['log']}" if run["log"] else "    no log", file=out)


def table(names, rows, out):
    """In columns as wide as they must be; what is unknown is a dash."""
    cells = [names] + [[cell(value) for value in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(names))]
    for row in cells:
        print("  ".join(f"{text:{width}}" for text, width in zip(row, widths)).rstrip(), file=out)


def cell(value):
    text = (
        "-" if value in (None, "") else f"{value:.1f}" if isinstance(value, float) else str(value)
    )
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
