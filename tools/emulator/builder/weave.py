# SPDX-License-Identifier: GPL-2.0-or-later
"""Copies the model's healthy sources and applies the patches of all faults to the copy.

faults/FILE.cocci holds the semantic patches of FILE.c, one rule a fault. Above each rule, `// in
FUNCTION FUNCTION` names where its insertions must be found afterwards, FUNCTION*2 for two places.
Insertions are recognised by the names FAULT_... and fault_...() in the rule's lines with a plus.
If one is missing or elsewhere, the build stops and names patch and file.
"""

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from . import BuildError, run
from .hooks import mismatches, update

SUFFIXES = (".c", ".h", ".def")
RULE = re.compile(r"^// in ([\w* ]+)\n((?:(?!// in ).*\n)*)", re.M)
GUARD = re.compile(r"\b(FAULT_\w+|fault_(?!is_on\b|chance\b)\w+(?=\())")


def _rules(patch):
    """The rules of a patch file, each as (its functions, its lines)."""
    text = patch.read_text()
    rules = RULE.findall(text)
    if not rules or len(re.findall(r"^@@$", text, re.M)) != 2 * len(rules):
        raise BuildError(f"{patch}: not every rule says `// in FUNCTION` above it")
    return [(list(_each_place(functions)), lines) for functions, lines in rules]


def _each_place(functions):
    """FUNCTION, or FUNCTION*N for N places."""
    for word in functions.split():
        name, _, times = word.partition("*")
        yield from [name] * int(times or 1)


def _words(lines, sign):
    """How often each fault is named in the lines of a rule that begin with + or with -."""
    return Counter(GUARD.findall("\n".join(x for x in lines.splitlines() if x.startswith(sign))))


def _promised(patch):
    """What the rules insert: word -> functions, one for each place."""
    promised = {}
    for functions, lines in _rules(patch):
        inserted = _words(lines, "+") - _words(lines, "-")
        if not inserted:
            raise BuildError(f"{patch}: a rule in {' '.join(functions)} inserts no fault")
        for word, count in inserted.items():
            promised.setdefault(word, []).extend(functions * count)
    return promised


def _weave_file(patch, source):
    """Applies the patches of one file to it, in place; yields what does not fit."""
    before, promised = source.read_text(), _promised(patch)
    command = ["spatch", "--very-quiet", "--in-place", "--sp-file", str(patch), source.name]
    try:
        run(command, cwd=source.parent)
    except BuildError as error:
        yield f"spatch did not take it: {error}"
        return
    after = source.read_text()
    yield from mismatches(before, after, promised)
    source.write_text('#include "faults/fault.h"\n#include "faults/seams.h"\n' + after)


def _sources(folder):
    return [path for path in folder.iterdir() if path.suffix in SUFFIXES]


def _copy(model, scratch):
    """The sources as they are, healthy ones and faults."""
    for path in (*_sources(model), *_sources(model / "faults")):
        target = scratch / path.relative_to(model)
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)


def _weave_all(model, scratch):
    """Applies every patch; yields what does not fit, as `PATCH: FILE: why`."""
    for patch in sorted(model.glob("faults/*.cocci")):
        source = scratch / f"{patch.stem}.c"
        if not source.is_file():
            yield f"{patch.name}: {source.name}: there is no such file"
        else:
            for problem in _weave_file(patch, source):
                yield f"{patch.name}: {source.name}: {problem}"


def weave(model, target):
    """Makes target the woven copy of the model; a file that is the same already stays untouched."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        _copy(model.resolve(), scratch)
        problems = list(_weave_all(model.resolve(), scratch))
        if problems:
            raise BuildError("these patches do not fit the model:\n  " + "\n  ".join(problems))
        wanted = {path.relative_to(scratch) for path in scratch.rglob("*") if path.is_file()}
        for name in sorted(wanted):
            update(scratch / name, target / name)
    for path in target.rglob("*"):
        if path.suffix in SUFFIXES and path.relative_to(target) not in wanted:
            path.unlink(missing_ok=True)
