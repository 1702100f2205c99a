# SPDX-License-Identifier: GPL-2.0-or-later
"""Decides whether near branches may take the fast path: only if the model's own test finds that it
does what the model's functions do. So a change of those by hand holds for every branch.
"""

import subprocess

from . import BuildError

FOLDER = "target/i386/debug_store"
LIBRARY = f"{FOLDER}/libdebug_store_model.a"
HEADER = f"{FOLDER}/model/fast_path.h"
THERE_IS_ONE = "#define FAST_PATH 1"


def _run(command, **how):
    """ "" where all is well, else what it said."""
    command = list(map(str, command))
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    said = (done.stdout + done.stderr).strip() or f"{command[0]}: status {done.returncode}"
    return said if done.returncode else ""


def _compile_test(model, objects, program, variables):
    """On the objects that go into the emulator. model: the healthy sources, with their tests."""
    library = objects / LIBRARY
    if said := _run(["ninja", "-C", objects, LIBRARY], env=variables):
        raise BuildError(f"the compiler failed:\n{said[-3000:]}")
    own = [model / "tests" / f"{name}.c" for name in ("main", "fast", "machine", "processors")]
    parts = sorted(library.with_name(library.name + ".p").glob("*.o"))
    words = ["cc", "-std=gnu11", "-O1", "-flto=auto", "-DONLY=fast_tests", f"-I{model}"]
    return _run([*words, "-o", program, *own, *parts], env=variables)


def difference(model, objects, variables):
    """In a line, what they do otherwise; "" where they agree."""
    program = objects / "fast-path-test"
    said = _compile_test(model, objects, program, variables) or _run([program])
    failed = [line for line in said.splitlines() if line.startswith("not ok")]
    return (failed or said.splitlines() or [""])[0]


def leave_out(tree):
    """Of the sources in QEMU's tree."""
    path = tree / HEADER
    path.write_text(path.read_text().replace(THERE_IS_ONE, "#define FAST_PATH 0"))
