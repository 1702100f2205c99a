# SPDX-License-Identifier: GPL-2.0-or-later
"""The hooks: semantic patches and single lines, each checked by name.

A hook that does not insert exactly what hooks.toml promises, or changes anything else in the file,
stops the build.
"""

import difflib
import re
import shutil
import tempfile
import tomllib
from pathlib import Path

from . import BuildError, run


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


def _occurrences(text, word):
    return len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text))


def _apply_patch(name, patch, path, promised):
    """Applies one semantic patch to one file, in place."""
    before = path.read_text()
    try:
        run(["spatch", "--very-quiet", "--in-place", "--sp-file", str(patch), str(path)])
    except BuildError as error:
        raise BuildError(f"hook {name} on {path.name}: {error}") from None
    after = path.read_text()
    for word, count in promised.items():
        found = _occurrences(after, word) - _occurrences(before, word)
        if found != count:
            raise BuildError(
                f"hook {name} does not match: {word} inserted {found} times in {path.name},"
                f" where it must be {count}"
            )


def _insert_line(path, line):
    """Inserts one line, before the one that is given or at the end."""
    content = path.read_text().splitlines(keepends=True)
    where = len(content)
    if "before" in line:
        places = [i for i, text in enumerate(content) if text.strip() == line["before"]]
        if len(places) != 1:
            raise BuildError(f"line for {line['file']}: {len(places)} places, where it must be 1")
        where = places[0]
    content.insert(where, line["text"] + "\n")
    path.write_text("".join(content))


def _check_undo(original, changed, name):
    """The hooks only insert: without their lines the file is what it was."""
    old, new = original.read_text().splitlines(), changed.read_text().splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind not in ("equal", "insert"):
            raise BuildError(f"the hooks do more than insert in {name}, lines {start + 1} to {end}")


def update(source, target):
    """Copies a file only when it differs, so that ninja rebuilds no more than it must."""
    if not target.exists() or target.read_bytes() != source.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def apply(folder, pristine, target):
    """Puts the hooked form of every changed file of pristine into target; returns how many."""
    hooks, lines = load(folder)
    names = sorted(files(hooks, lines))
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            work = Path(scratch) / name
            work.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(pristine / name, work)
        for hook, places in hooks.items():
            for name, promised in places.items():
                patch = folder / "hooks" / f"{hook}.cocci"
                _apply_patch(hook, patch, Path(scratch) / name, promised)
        for line in lines:
            _insert_line(Path(scratch) / line["file"], line)
        for name in names:
            _check_undo(pristine / name, Path(scratch) / name, name)
            update(Path(scratch) / name, target / name)
    return len(names)


def add_sources(glue, model, target):
    """Puts the glue and the model into QEMU's tree as target/i386/debug_store."""
    folder = target / "target/i386/debug_store"
    wanted = {folder / p.name: p for p in sorted(glue.iterdir()) if p.is_file()}
    wanted |= {folder / "model" / p.name: p for p in sorted(model.glob("*.[ch]"))}
    for path in folder.rglob("*") if folder.exists() else []:
        if path.is_file() and path not in wanted and path.name != "meson.build":
            path.unlink()
    for path, source in wanted.items():
        update(source, path)
    sources = [str(p.relative_to(folder)) for p in wanted if p.suffix == ".c"]
    listing = "".join(f"  '{name}',\n" for name in sources)
    meson = folder / "meson.build"
    text = f"i386_softmmu_ss.add(when: 'CONFIG_TCG', if_true: files(\n{listing}))\n"
    if not meson.exists() or meson.read_text() != text:
        meson.write_text(text)
