# SPDX-License-Identifier: GPL-2.0-or-later
"""The wrong processors of wrong/*.toml: each says what it is, which claims it breaks, what it
needs, which edits of the healthy sources make it, and which published errata do the same.

What stands in wrong/invented was thought of by somebody who had not seen the tests. What stands in
wrong/errata does what errata do and breaks no claim by itself, or only now and then.
"""

import tomllib
from dataclasses import dataclass, field

from . import BuildError

FIELDS = {"is": str, "claims": str, "needs": str, "errata": list, "edit": list}
MODELS, MICROCODE = "models.toml", "microcode"
FAULT, INVENTED, SYMPTOM = "DS_FAULT", "DS_INVENTED", "DS_SYMPTOM"
KINDS = {"invented": INVENTED, "errata": SYMPTOM}


@dataclass
class Edit:
    """In a function; the text that stands once in it, white space aside, and what replaces it."""

    file: str
    function: str
    before: str
    after: str


@dataclass
class Erratum:
    """Published of some models. period: it happens once in so many times."""

    names: list[str]  # the first is its own, the others those on relatives
    models: list[int]
    period: int
    mended_by: list = field(default_factory=list)  # [[model, stepping, revision]]


@dataclass
class Wrong:
    """A wrong processor."""

    name: str
    what: str
    claims: str
    needs: str
    kind: str = FAULT
    edits: list[Edit] = field(default_factory=list)
    errata: list[Erratum] = field(default_factory=list)

    @property
    def identifier(self):
        return "FAULT_" + self.name.upper().replace("-", "_")


def load(folder):
    """All entries of a folder, in the order of the files."""
    found, models = {}, _read(folder / MODELS) if (folder / MODELS).exists() else {}
    for path in sorted(folder.rglob("*.toml")):
        for name, row in _read(path).items() if path.name != MODELS else ():
            try:
                if name in found:
                    raise BuildError("there is another of that name")
                found[name] = _wrong(name, row, KINDS.get(path.parent.name, FAULT), models)
            except BuildError as error:
                raise BuildError(f"{path}: {name}: {error}") from None
    return list(found.values())


def _read(path):
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BuildError(f"{path}: {error}") from None


def _wrong(name, row, kind, models):
    if not isinstance(row, dict) or set(row) - set(FIELDS):
        raise BuildError(f"an entry has {', '.join(FIELDS)}")
    for key, wanted in FIELDS.items():
        if not isinstance(row.get(key, wanted()), wanted):
            raise BuildError(f"'{key}' must be a {wanted.__name__}")
    if not row.get("is") or (kind != SYMPTOM and not row.get("claims")):
        raise BuildError("it must say what it is, and which claims it breaks")
    rows = row.get("edit", [])
    rows = [rows] if rows and isinstance(rows[0], str) else rows
    edits = [_edit(each) for each in rows]
    errata = [_erratum(each, models) for each in row.get("errata", [])]
    return Wrong(name, row["is"], row.get("claims", ""), row.get("needs", ""), kind, edits, errata)


def _edit(row):
    if len(row) != 3 or not all(isinstance(each, str) for each in row) or not row[1]:
        raise BuildError('an edit is ["FILE FUNCTION", BEFORE, AFTER]')
    file, _, function = row[0].partition(" ")
    if not file or not function:
        raise BuildError("an edit names a file and a function of it")
    return Edit(file, function, row[1], row[2])


def _erratum(row, models):
    if not isinstance(row, list) or len(row) not in (3, 4) or not isinstance(row[2], int):
        raise BuildError('an erratum is ["NAMES", "MODELS", once in how many times, "MICROCODE"]')
    mended = models.get(MICROCODE, {}).get(row[3]) if len(row) == 4 else []
    if row[1] == MICROCODE or row[1] not in models or mended is None:
        raise BuildError(f"{MODELS} has no {' or '.join(map(str, row[1::2]))}")
    return Erratum(row[0].split(), models[row[1]], row[2], mended)


# -- for the compiler ---------------------------------------------------------------------------


def list_of(entries):
    """fault_list.h, a row for each:
    FAULT(identifier, name, claims, needs, what it does, its kind)
    ERRATUM(name, names on other models, the fault that it is, N, its models, what mends it)
    """
    rows = [
        f'FAULT({each.identifier.removeprefix("FAULT_")}, "{each.name}", "{each.claims}",'
        f' "{each.needs}", {_quoted(each.what)}, {each.kind})'
        for each in entries
    ]
    rows += [_erratum_row(each.identifier, one) for each in entries for one in each.errata]
    return (
        "/* Made from wrong/ by builder/entries.py. */\n"
        "#ifndef FAULT\n#define FAULT(...)\n#endif\n#ifndef ERRATUM\n#define ERRATUM(...)\n#endif\n"
        + "\n".join(rows)
        + "\n#undef FAULT\n#undef ERRATUM\n"
    )


def _erratum_row(identifier, one):
    mended = "".join(f"{{{', '.join(map(str, each))}}}, " for each in one.mended_by)
    models = "".join(f"{each:#x}, " for each in one.models)
    return (
        f'ERRATUM("{one.names[0]}", "{" ".join(one.names[1:])}", {identifier}, {one.period},'
        f" ({{{models}0}}), ({{{mended}{{0}}}}))"
    )


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
