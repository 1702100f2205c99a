# SPDX-License-Identifier: GPL-2.0-or-later
"""Links the emulator with the debug store's objects replaced, and lists the mutants in it."""

import json

from . import MutationError, compiler

RUNTIME = "mutants.c"  # it knows QEMU, and is compiled as the glue is
ITS_MODEL = f"{compiler.FOLDER}/processor.c"
PROPERTIES = f"{compiler.FOLDER}/properties.c"
RENAMED = "-Ddebug_store_add_properties=debug_store_add_ordinary_properties"
FLAGS = ("-O1", "-w")


def counts(silicon):
    """A header that says how many there are."""
    return (
        f"#define DS_MUTANTS_LAST {len(silicon.mutants)}\n"
        f"#define DS_POINTS_LAST {len(silicon.points)}\n"
    )


def _compile(unit, path, tree, target):
    more = (*FLAGS, RENAMED) if path.name == PROPERTIES.rsplit("/", 1)[1] else FLAGS
    status, text = compiler.compile_into(target, unit, path, compiler.arguments(unit, tree, *more))
    if status != 0:
        raise MutationError(f"the compiler failed:\n{text[-3000:]}")
    return str(target)


def link(units, tree, objects, place, program):
    """Compiles every unit below tree, and links them with the emulator's other objects."""
    place.mkdir(exist_ok=True)
    like_glue = next(unit for unit in units if unit.name == ITS_MODEL)
    jobs = [(unit, compiler.source_in(unit, tree)) for unit in units]
    jobs.append((like_glue, tree / compiler.FOLDER / RUNTIME))

    def compile_one(job):
        unit, path = job
        name = str(path.relative_to(tree)).replace("/", "_")
        return _compile(unit, path, tree, place / f"{name}.o")

    made = compiler.each(compile_one, jobs)
    replaced = {unit.output: target for unit, target in zip(units, made)}
    fresh = program.with_suffix(".new")
    compiler.link(objects, replaced, made[len(units) :], fresh)
    fresh.replace(program)


def _mutant(one):
    part = one.changes[0].part
    points = [point.number for point in one.points]
    own = (
        "number",
        "name",
        "line",
        "column",
        "operator",
        "before",
        "after",
    )
    place = {"file": part.file, "function": part.name}
    return {
        **place,
        "point": points[0] if points else 0,
        **{name: getattr(one, name) for name in own},
    }


def _point(one):
    part = one.part
    return {"number": one.number, "file": part.file, "function": part.name, "line": one.line}


def write_list(path, silicon, changes, dropped, digest):
    """changes: of all that were thought of, by name, those among them that were dropped too."""
    table = {
        "digest": digest,
        "mutants": [_mutant(one) for one in silicon.mutants],
        "changes": changes,
        "dropped": dict(dropped),
        "points": [_point(one) for one in silicon.points],
    }
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
