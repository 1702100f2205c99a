# SPDX-License-Identifier: GPL-2.0-or-later
"""The hooks: semantic patches and single lines, each checked by name and place.

Where a hook does not insert exactly what hooks.toml promises, or changes anything else in the file,
the build stops and names every hook that does not fit, with the file and the place.
"""

import difflib
import os
import re
import shutil
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

from . import BuildError, run

FUNCTION = re.compile(r"^(?![\s#}/]|typedef)[^;{}()=]*?\b(\w+)\s*\([^;{}]*\)\s*\n\{", re.M)
STRUCTURE = re.compile(r"^struct (\w+) \{", re.M)
END = re.compile(r"^\}", re.M)


def load(folder):
    """Returns hooks.toml as (hooks by name, lines)."""
    table = tomllib.loads((folder / "hooks.toml").read_text())
    unlisted = {path.stem for path in (folder / "hooks").glob("*.cocci")} ^ set(table["hook"])
    if unlisted:
        raise BuildError(f"hooks.toml and hooks/ do not agree on: {', '.join(sorted(unlisted))}")
    return table["hook"], table["line"]


def files(hooks, lines):
    """The files of QEMU that are changed."""
    return {name for places in hooks.values() for name in places} | {x["file"] for x in lines}


def _enclosing(text, position):
    """The function or structure around a position of C text; "" outside of all."""
    starts = [m for p in (FUNCTION, STRUCTURE) for m in p.finditer(text, 0, position)]
    last = max(starts, key=lambda match: match.start(), default=None)
    return "" if last is None or END.search(text, last.end(), position) else last.group(1)


def _places(text, word):
    """Where a word stands: [(function, line)]."""
    return [
        (_enclosing(text, match.start()), text.count("\n", 0, match.start()) + 1)
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)
    ]


def mismatches(before, after, promised):
    """What a patch did not insert where it must, or inserted elsewhere; one text each."""
    for word, functions in promised.items():
        found = Counter(f for f, _ in _places(after, word)) - Counter(
            f for f, _ in _places(before, word)
        )
        for function in sorted({*functions, *found}):
            got, wanted = found[function], functions.count(function)
            if got != wanted:
                where = f"in {function}" if function else "outside of all functions"
                yield f"{word} was inserted {got} times {where}, where it must be {wanted}"


def _apply_patch(folder, name, path, promised):
    """Applies one semantic patch to one file, in place; returns what does not fit."""
    before = path.read_text()
    inputs = ["--macro-file", str(folder / "macros.h"), "--sp-file", f"{folder}/hooks/{name}.cocci"]
    try:
        run(["spatch", "--very-quiet", "--in-place", *inputs, str(path)])
    except BuildError as error:
        return [f"spatch did not take it: {error}"]
    return list(mismatches(before, path.read_text(), promised))


def _insert_line(path, line):
    """Inserts one line, before the one that is given or at the end; returns what does not fit."""
    content = path.read_text().splitlines(keepends=True)
    where = len(content)
    if "before" in line:
        places = [i for i, text in enumerate(content) if text.strip() == line["before"]]
        if len(places) != 1:
            return [f"{len(places)} places for {line['text']}, where it must be 1"]
        where = places[0]
    content.insert(where, line["text"] + "\n")
    path.write_text("".join(content))
    return []


def _check_undo(original, changed):
    """The hooks only insert: without their lines the file is what it was."""
    old, new = original.read_text().splitlines(), changed.read_text().splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind not in ("equal", "insert"):
            yield f"they do more than insert in lines {start + 1} to {end}"


def update(source, target):
    """Copies a file only when it differs, so that ninja rebuilds no more than it must; at once,
    though somebody may be reading it."""
    if not target.exists() or target.read_bytes() != source.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copyfile(source, fresh)
        fresh.replace(target)


def copy_files(pristine, scratch, names):
    """Copies the files of QEMU that are changed; the names of those that are not there."""
    for name in names:
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        if not (pristine / name).is_file():
            yield f"{name}: there is no such file"
        else:
            shutil.copyfile(pristine / name, scratch / name)


def hook_files(folder, scratch, hooks, lines):
    """Applies everything to the copies; what does not fit, as `hook NAME: FILE: why`."""
    for hook, places in hooks.items():
        for name, promised in places.items():
            if (scratch / name).is_file():
                for problem in _apply_patch(folder, hook, scratch / name, promised):
                    yield f"hook {hook}: {name}: {problem}"
    for line in lines:
        if (scratch / line["file"]).is_file():
            yield from (f"{line['file']}: {x}" for x in _insert_line(scratch / line["file"], line))


def _log(scratch, hooks):
    """One text for each hook and file: every place, with its line in the changed file."""
    for hook, places in hooks.items():
        for name, promised in places.items():
            text, lines = (scratch / name).read_text(), {}
            for word in promised:
                for function, line in _places(text, word):
                    lines.setdefault(function or "top", set()).add(line)
            places = (f"{f} {' '.join(map(str, sorted(x)))}" for f, x in lines.items())
            yield f"hook {hook}: {name}: {', '.join(places)}"


# The model is many small functions that call each other for each instruction: one optimization.
MESON = """\
i386_system_ss.add(when: 'CONFIG_TCG', if_true: files(
{glue}))
debug_store_model = static_library('debug_store_model', files(
{model}), override_options: ['b_lto=true'], build_by_default: false)
i386_system_ss.add(when: 'CONFIG_TCG', if_true: declare_dependency(
  objects: debug_store_model.extract_all_objects(recursive: false)))
"""


def apply(folder, pristine, target):
    """Puts the hooked form of every changed file of pristine into target; returns one text for
    each hook and file, which names the places."""
    hooks, lines = load(folder)
    names = sorted(files(hooks, lines))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        problems = list(copy_files(pristine, scratch, names))
        problems += hook_files(folder, scratch, hooks, lines)
        present = [name for name in names if (scratch / name).is_file()]
        problems += [
            f"{name}: {problem}"
            for name in present
            for problem in _check_undo(pristine / name, scratch / name)
        ]
        if problems:
            raise BuildError("these hooks do not fit this QEMU:\n  " + "\n  ".join(problems))
        for name in names:
            update(scratch / name, target / name)
        return list(_log(scratch, hooks))


def add_sources(glue, model, target):
    """Puts the glue and the model into QEMU's tree as target/i386/debug_store."""
    folder = target / "target/i386/debug_store"
    wanted = {folder / p.name: p for p in sorted(glue.iterdir()) if p.is_file()}
    parts = sorted(path for path in model.rglob("*") if path.is_file())
    wanted |= {folder / "model" / path.relative_to(model): path for path in parts}
    for path in folder.rglob("*") if folder.exists() else []:
        if path.is_file() and path not in wanted and path.name != "meson.build":
            path.unlink()
    for path, source in wanted.items():
        update(source, path)
    sources = [path.relative_to(folder) for path in wanted if path.suffix == ".c"]
    meson = folder / "meson.build"
    text = MESON.format(
        glue=_listed(path for path in sources if path.parts[0] != "model"),
        model=_listed(path for path in sources if path.parts[0] == "model"),
    )
    if not meson.exists() or meson.read_text() != text:
        meson.write_text(text)


def _listed(paths):
    return "".join(f"  '{path}',\n" for path in paths)
