# SPDX-License-Identifier: GPL-2.0-or-later
"""Drops what is no mutant: what does not compile, and what the compiler proves equal.

Compiles every copy of a function and the unchanged one with optimisation. If their machine code is
the same, names aside, no test can tell them apart. The same holds for two mutants of one function.
"""

import re
from collections import defaultdict

from . import MutationError, compiler, mutants, schemata

ROUNDS = 8
FLAGS = (
    "-w",
    "-O2",
    "-g0",
    "-fno-asynchronous-unwind-tables",
    "-fno-ident",
    "-fno-reorder-blocks-and-partition",
    "-fno-ipa-icf",
)
WORD = re.compile(r"[\w.$]+")


def guard(name):
    """The macro under which a header's copies are compiled; "" for what is no header."""
    return (
        f"PROOF_OF_{name.upper().translate(str.maketrans('/.-', '___'))}" if is_part(name) else ""
    )


def is_part(name):
    return not name.endswith(".c")


def _compile(unit, names, tree):
    defines = [f"-D{guard(name)}" for name in names if is_part(name)]
    path = compiler.source_in(unit, tree)
    target = tree / "listings" / (unit.name.replace("/", "_") + ".s")
    target.parent.mkdir(parents=True, exist_ok=True)
    flags = compiler.arguments(unit, tree, *defines, *FLAGS)
    status, text = compiler.compile_into(target, unit, path, flags, "-S")
    return status, target.read_text(encoding="utf-8") if status == 0 else text


def _homes(silicon):
    """[(unit, the files that are looked at when it is compiled)]"""
    found = {}
    for name, unit in silicon.home.items():
        if silicon.parts[name]:
            found.setdefault(unit.name, (unit, []))[1].append(name)
    return list(found.values())


def _broken(text, written):
    """The mutants that an error is in, and what is wrong; elsewhere it is our own mistake."""
    found = {}
    for path, line, message in compiler.errors(text):
        mutant = written[path].mutant_at(line) if path in written else None
        if mutant is None:
            raise MutationError(f"{path}:{line}: {message}: and no mutant stands there")
        found.setdefault(mutant.number, (mutant, message))
    return found


def _compile_all(homes, tree, written):
    """(assembler by unit, the mutants that do not compile)"""
    listings, broken = {}, {}
    for (unit, _), (status, text) in zip(homes, compiler.each(lambda x: _compile(*x, tree), homes)):
        if status == 0:
            listings[unit.name] = text
        else:
            found = _broken(text, written)
            if not found:
                raise MutationError(f"{unit.name}: the compiler failed:\n{text[-2000:]}")
            broken |= found
    return listings, broken


def prove(silicon, dropped, write, say):
    """Takes them out of silicon.mutants. write: puts the copies somewhere, for the compiler."""
    mutants.number(silicon.mutants, silicon.points)
    listings, homes = {}, _homes(silicon)
    say(f"comparing {len(silicon.mutants)} mutants with what they are made of")
    for _ in range(ROUNDS):
        written, tree = write(silicon)
        fresh, broken = _compile_all(homes, tree, written)
        listings |= fresh
        homes = [home for home in homes if home[0].name not in listings]
        silicon.mutants = [x for x in silicon.mutants if x.number not in broken]
        dropped["does not compile"] += len(broken)
        if not homes:
            _drop_equal(silicon, listings, dropped)
            return
    raise MutationError("there are still mutants that do not compile")


def _drop_equal(silicon, listings, dropped):
    home = {silicon.folder / name: unit.name for name, unit in silicon.home.items()}
    codes = {name: Listing(text) for name, text in listings.items()}

    def code(change, number):
        if change.part.is_table:
            return None
        listing = codes[home[change.part.path]]
        return listing.code(schemata.clone_name(change.part, number))

    seen, kept = defaultdict(set), []
    for mutant in silicon.mutants:
        own = [code(change, mutant.number) for change in mutant.changes]
        place = mutant.changes[0].part.path, mutant.changes[0].part.name
        if None not in own and own == [code(change, 0) for change in mutant.changes]:
            dropped["same code"] += 1
        elif None not in own and own[0] in seen[place]:
            dropped["same code as another"] += 1
        else:
            seen[place].update(own)
            kept.append(mutant)
    silicon.mutants = kept


class Listing:
    """What a compiler made of a file, in assembler, by function."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.ends, self.starts = {}, {}
        for number, line in enumerate(self.lines):
            if line.endswith(":") and not line.startswith((".L", "\t", " ")):
                self.starts[line[:-1]] = number
            elif line.startswith("\t.size\t"):
                self.ends[line.split("\t")[2].split(",")[0]] = number
        self.data = self._data()

    def _data(self):
        """What stands behind each label that is not a function's: strings, constants, tables."""
        found, label, inside = {}, None, set()
        for name, start in self.starts.items():
            if self._is_function(name):
                inside.update(range(start, self.ends.get(name, start)))
        for number, line in enumerate(self.lines):
            if number in inside:
                label = None
            elif line.endswith(":") and not line.startswith(("\t", " ")):
                label = line[:-1]
                found[label] = []
            elif label and line.startswith("\t.") and not line.startswith(DIRECTIVES):
                found[label].append(line.strip())
            elif line.startswith("\t.section") or line.startswith("\t.text"):
                label = None
        return {name: " ".join(lines) for name, lines in found.items()}

    def _is_function(self, name):
        start = self.starts[name]
        return any("@function" in x for x in self.lines[max(start - 4, 0) : start])

    def code(self, name):
        """The code of a function with its own names taken out; None where there is none."""
        if name not in self.starts or name not in self.ends:
            return None
        labels = {}

        def plain(match):
            word = match[0]
            if word == name or word.endswith("." + name):
                return "SELF"
            if word in self.data and (word.startswith(".LC") or "." in word[1:]):
                return "{" + self.data[word] + "}"
            if word.startswith(".L"):
                return labels.setdefault(word, f".L{len(labels)}")
            return word

        lines = self.lines[self.starts[name] + 1 : self.ends[name]]
        return "\n".join(WORD.sub(plain, line) for line in lines)


DIRECTIVES = ("\t.size", "\t.type", "\t.align", "\t.globl", "\t.section", "\t.text", "\t.p2align")
