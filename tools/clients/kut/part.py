# SPDX-License-Identifier: GPL-2.0-or-later
"""kvm-unit-tests: builds its programs about counters, branches and debugging, boots, compares."""

import shutil
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clients.kut.results import compare, read, witnesses
from clients.steps import BAD_INPUT, Stopped, boot, processor, run

EXPECTED = Path(__file__).with_name("expected.toml")
CLOCKS = {"host": [], "instructions": ["-icount", "shift=0,sleep=off"]}
MACHINE = "-m 512 -device isa-debug-exit,iobase=0xf4,iosize=4".split()


def copy(source, target):
    """Puts a tree, or the newest commit of a bare git directory, into the new folder `target`."""
    if (source / "configure").is_file():
        shutil.copytree(source, target, symlinks=True)
    elif (source / "HEAD").is_file():
        run("git", "clone", "--quiet", "--shared", source, target, status=BAD_INPUT)
    else:
        text = f"KUT_SRC={source}: neither a tree of kvm-unit-tests nor a git directory of it"
        raise Stopped(BAD_INPUT, text)


def build(source, target, tests):
    """Builds `tests` from `source` in `target`, which is made anew: a file of each by its name."""
    target, files = Path(target).resolve(), {name: f"x86/{name}.flat" for name in tests}
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    copy(Path(source).resolve(), target)
    run("./configure", "--arch=x86_64", cwd=target, status=BAD_INPUT)
    run("make", "-j2", *files.values(), cwd=target, status=BAD_INPUT)
    return {name: target / file for name, file in files.items()}


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
