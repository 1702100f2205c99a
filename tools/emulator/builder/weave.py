# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes copies of the healthy sources with all wrong processors in them (wrong.py).

Those that need a state or a helper have it in faults/. Where a helper is asked whatever the
processor is, faults/FILE.cocci inserts the call into FILE.c first: above each rule, `// in FUNCTION
FUNCTION` names where its insertions must be found afterwards, FUNCTION*2 for two places. Insertions
are recognised by the names fault_...() in the rule's lines with a plus. If one is missing or
elsewhere, the build stops and names patch and file.
"""

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from . import BuildError, entries, run, wrong
from .hooks import mismatches, update

GLUE = "glue/"
SUFFIXES = (".c", ".h", ".def")
RULE = re.compile(r"^// in ([\w* ]+)\n((?:(?!// in ).*\n)*)", re.M)
GUARD = re.compile(r"\b(fault_(?!is_on\b|chance\b)\w+(?=\())")


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
    source.write_text(wrong.with_header(after))


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


def _put_edits(scratch, processors, place_of):
    """Edits the copies; place_of: where the file that an edit names lies, if it is one of them."""
    for name, by_function in wrong.edits_by_place(processors).items():
        place = place_of(name)
        if place is None:
            continue
        if not (scratch / place).is_file():
            yield f"{name}: there is no such file"
            continue
        text, problems = wrong.weave_text((scratch / place).read_text(), by_function)
        yield from (f"{name}: {problem}" for problem in problems)
        header = wrong.GLUE_HEADER if name.startswith(GLUE) else wrong.HEADER
        (scratch / place).write_text(wrong.with_header(text, header))


def _model_place(name):
    return None if name.startswith(GLUE) else name


def _glue_place(name):
    return name.removeprefix(GLUE) if name.startswith(GLUE) else None


def weave_glue(glue, folder, target):
    """Makes target the woven copy of the glue; folder: of the entries."""
    with tempfile.TemporaryDirectory() as fresh:
        scratch = Path(fresh)
        for path in glue.iterdir():
            shutil.copyfile(path, scratch / path.name)
        problems = list(_put_edits(scratch, entries.load(folder), _glue_place))
        if problems:
            raise BuildError("these edits do not fit the glue:\n  " + "\n  ".join(problems))
        for path in scratch.iterdir():
            update(path, target / path.name)


def weave(model, target):
    """Makes target the woven copy of the model, with the entries of the folder wrong beside it; a
    file that is the same already stays untouched."""
    processors = entries.load(model.parent / "wrong")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        _copy(model.resolve(), scratch)
        (scratch / "faults").mkdir(exist_ok=True)
        (scratch / "faults/fault_list.h").write_text(entries.list_of(processors))
        problems = list(_weave_all(model.resolve(), scratch))
        problems += _put_edits(scratch, processors, _model_place)
        if problems:
            raise BuildError("these edits do not fit the model:\n  " + "\n  ".join(problems))
        wanted = {path.relative_to(scratch) for path in scratch.rglob("*") if path.is_file()}
        for name in sorted(wanted):
            update(scratch / name, target / name)
    for path in target.rglob("*"):
        if path.suffix in SUFFIXES and path.relative_to(target) not in wanted:
            path.unlink(missing_ok=True)
