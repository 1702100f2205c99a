# SPDX-License-Identifier: GPL-2.0-or-later
"""kvm-unit-tests: builds its programs about counters, branches and debugging, boots, compares."""

import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clients.guest import boot, processor
from clients.kut.results import compare, read, witnesses
from clients.kut.source import build
from clients.stopped import BAD_INPUT, Stopped

EXPECTED = Path(__file__).with_name("expected.toml")
CLOCKS = {"host": [], "instructions": ["-icount", "shift=0,sleep=off"]}
MACHINE = "-m 512 -device isa-debug-exit,iobase=0xf4,iosize=4".split()


def rows(profile=None, test=None, file=EXPECTED):
    """The rows of expected.toml that are chosen; Stopped where there is none."""
    every = tomllib.loads(file.read_text())["run"]
    wanted = [
        row for row in every if profile in (None, row["profile"]) and test in (None, row["test"])
    ]
    if not wanted:
        names = ", ".join(f"{row['profile']} {row['test']}" for row in every)
        raise Stopped(BAD_INPUT, f"kvm-unit-tests: no such run; expected.toml has: {names}")
    return wanted


def describe(results):
    """The numbers of verdicts in words."""
    return ", ".join(f"{results.count(kind)} {kind}" for kind in ("PASS", "FAIL", "SKIP"))


def judge(row, ended):
    """The results of a boot, and one sentence for each difference."""
    results = read(ended.log)
    return results, witnesses(results, ended.status) + compare(results, row)


def try_one(row, kernel, options):
    """Boots one row, says how it went; whether it went as expected."""
    name = f"{row['profile']}-{row['test']}"
    try:
        ended = boot(
            options.emulator,
            processor(row["profile"]),
            [*MACHINE, *CLOCKS[row.get("clock", "host")], "-kernel", kernel],
            options.seconds,
        )
    except Stopped as stopped:
        raise Stopped(stopped.status, f"kvm-unit-tests: {name}: {stopped}") from stopped
    kept = options.build / f"kut-{name}.log"
    kept.write_text(ended.log)
    results, found = judge(row, ended)
    said = f"DIFFERENT, see {kept}" if found else "as expected"
    lines = [f"clients: kvm-unit-tests: {name}: {describe(results)}: {said}"]
    print("\n  ".join(lines + found), flush=True)
    return not found


def check(options):
    """All rows that the options choose; whether every one went as expected."""
    chosen = rows(options.profile, options.test)
    tests = sorted({row["test"] for row in chosen})
    kernels = build(options.source, options.build / "kut", tests)
    with ThreadPoolExecutor(options.jobs) as pool:
        tried = pool.map(lambda row: try_one(row, kernels[row["test"]], options), chosen)
        return all(list(tried))
