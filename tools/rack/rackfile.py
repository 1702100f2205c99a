# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a rack file: its bays, or what is wrong with it.

rack.schema.json has the form. This file checks what a schema cannot, and puts its complaints into
words.
"""

import json
import math
import os
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema
from boards import find_board
from image_file import check_image
from machine import LabError, Machine, check_command_line, find_profile, told
from places import BUILD
from result_store import USUAL

SCHEMA = Path(__file__).with_name("rack.schema.json")
CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
SHOWN = 5  # faults of a file that are told at once
TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "object": "a table",
    "array": "a list",
    "boolean": "true or false",
}


@dataclass(frozen=True)
class Seconds:
    """How long a bay may take for what; None: as the lab's other machines."""

    total: float | None = None
    silence: float | None = None
    first: float | None = None  # until the first byte, from the switch on
    power: float = 60  # each command of the power switch, the BMC, the boot server
    pause: float = 5  # off, so that supplies are empty


@dataclass(frozen=True)
class Group:
    """Bays that share a supply."""

    name: str
    on_at_once: int
    seconds_between: float = 0


@dataclass(frozen=True)
class Bay:
    """One place of the rack; the tables are those of the schema."""

    name: str
    board: str  # what the store calls it
    groups: tuple[str, ...] = ()
    image: str = ""  # what must stand behind "# btscheck:"; "" takes any
    options: str = ""
    seconds: Seconds = Seconds()
    qemu: dict | None = None
    console: dict | None = None
    power: dict = field(default_factory=dict)
    boot: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Rack:
    """A whole rack file; its paths are absolute."""

    name: str
    path: Path
    store: Path
    iso: Path
    emulator: str
    parallel: int
    groups: dict[str, Group]
    bays: tuple[Bay, ...]


def load_rack(path):
    """Reads and checks a rack file; LabError says all that is wrong with it."""
    table = read_toml(path)
    refuse(path, words_of(table))
    refuse(path, contradictions(table))
    rack = make_rack(Path(path).absolute(), table)
    refuse(path, [*no_such_ports(rack.bays), *shared(rack.bays)])
    return rack


def read_toml(path):
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise LabError(f"the rack file cannot be read: {told(error)}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise LabError(f"{path} is no TOML: {error}") from error


def refuse(path, faults):
    if not faults:
        return
    more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    raise LabError(f"{path}: " + "; ".join(faults[:SHOWN] + more))


# ---- the schema's complaints in words -------------------------------------------------------


def words_of(table):
    """What the schema finds wrong, in the order of the file."""
    errors = validator().iter_errors(table)
    found = sorted(errors, key=lambda error: [order(key) for key in error.absolute_path])
    told = [f"{place(table, error.absolute_path)} {complaint(error)}" for error in found]
    told += [f"{place(table, path)} {fault}" for path, fault in odd_values(table)]
    return list(dict.fromkeys(told))


def validator():
    """Here 1.0 is no whole number: nothing can be counted with it."""
    usual = jsonschema.Draft202012Validator
    types = usual.TYPE_CHECKER.redefine("integer", lambda _, it: type(it) is int)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return jsonschema.validators.extend(usual, type_checker=types)(schema)


def order(key):
    return f"{key:08}" if isinstance(key, int) else str(key)


def odd_values(value, path=()):
    """(key path, what is wrong) of what the schema lets pass: "nan" is in every range, and Python's
    patterns do not see an end of line behind the last word."""
    if isinstance(value, float) and math.isnan(value):
        yield path, "wants a number, not nan"
    if isinstance(value, str) and CONTROLS.search(value):
        yield path, f"wants a text of one line, not {json.dumps(value)[:60]}"
    if isinstance(value, (dict, list)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from odd_values(each, (*path, key))
            yield from odd_values(key, (*path, key))


def place(table, path):
    """The key path, "bay 3 (skl-2), power, on"."""
    path = list(path)
    if path[:1] == ["bays"] and len(path) > 1:
        bay = table["bays"][path[1]]
        name = bay.get("name") if isinstance(bay, dict) else None
        path[:2] = [f"bay {path[1] + 1}" + (f" ({name})" if isinstance(name, str) else "")]
    return ", ".join(map(str, path)) + ":" if path else "the file:"


def complaint(error):
    """One error of jsonschema as the end of a sentence."""
    wanted = error.validator_value
    if error.validator == "required":
        missing = [name for name in wanted if name not in error.instance]
        return f"'{missing[0]}' is missing"
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = [name for name in error.instance if name not in known]
        return f"there is no '{unknown[0]}'; there are: {', '.join(known)}"
    shown = json.dumps(error.instance, ensure_ascii=False, default=str)[:60]
    if error.validator == "type":
        return f"wants {error.schema.get('description', TYPES.get(wanted, wanted))}, not {shown}"
    if error.validator == "enum":
        return f"wants one of {', '.join(map(str, wanted))}, not {shown}"
    if "description" in error.schema:
        return f"wants {error.schema['description']}, not {shown}"
    return error.message[:200]


# ---- what a schema cannot say ---------------------------------------------------------------


def contradictions(table):
    """What does not go together, in words."""
    bays, groups = table["bays"], table.get("groups", {})
    found = []
    for key in ("name", "board"):
        names = Counter(bay.get(key, bay["name"]) for bay in bays)
        found += [f"{n} bays have the {key} '{name}'" for name, n in names.items() if n > 1]
    for number, bay in enumerate(bays, 1):
        here = f"bay {number} ({bay['name']})"
        found += [
            f"{here}: there is no group '{g}'" for g in bay.get("groups", []) if g not in groups
        ]
        found += [f"{here}: {fault}" for fault in faults_of(bay)]
    return found


def faults_of(bay):
    """One bay's."""
    if ("qemu" in bay) == ("console" in bay):
        yield "wants either 'qemu' or 'console'"
    if "qemu" in bay:
        yield from (
            f"'{key}' has no effect on an emulated machine"
            for key in ("power", "boot")
            if key in bay
        )
    power = bay.get("power", {})
    if "on" in power and power["on"] == power["off"]:
        yield "power: 'on' and 'off' are the same"


def shared(bays):
    """What belongs to one board, and several bays name: one of them would pass for the other."""
    named = Counter(each for bay in bays for each in set(things_of(bay)))
    return [f"{n} bays share the {what} {it}" for (what, it), n in named.items() if n > 1]


def things_of(bay):
    """(what it is, which)"""
    console, power = bay.console or {"kind": ""}, bay.power
    if console["kind"] == "serial":
        yield "console", line_of(console["line"])
    elif "command" in console:
        yield "console", console["command"]
    if power.get("kind") == "pdudaemon":
        yield "outlet", f"{power['port']} of {power['hostname']}"
    elif power.get("kind") == "labgrid":
        yield "place", power["place"]


def line_of(line):
    """A device has several names (/dev/serial/by-id/…), and a port several ways to write it."""
    if line.startswith("/"):
        return os.path.realpath(line)
    host, port = address_of(line)
    return f"{host.lower()}:{port}"


def address_of(line):
    host, port = line.split("://")[1].rsplit(":", 1)
    return host, int(port)


def no_such_ports(bays):
    for bay in bays:
        line = (bay.console or {}).get("line", "/")
        if not line.startswith("/") and not 1 <= address_of(line)[1] <= 65535:
            yield f"bay {bay.name}: console {line}: a port is a number from 1 to 65535"


# ---- what it says ---------------------------------------------------------------------------


def make_rack(path, table):
    def beside(name, default):
        return path.parent / table[name] if name in table else default

    emulator = table.get("emulator", "")
    if "/" in emulator:
        emulator = str(path.parent / emulator)
    return Rack(
        name=table.get("name", path.stem),
        path=path,
        store=beside("store", USUAL),
        iso=beside("iso", BUILD / "btscheck.iso"),
        emulator=emulator,
        parallel=table.get("parallel", len(table["bays"])),
        groups={n: Group(n, **each) for n, each in table.get("groups", {}).items()},
        bays=tuple(make_bay(bay, table) for bay in table["bays"]),
    )


def make_bay(bay, table):
    """What the bay does not say, the rack says for all."""
    console = bay.get("console")
    return Bay(
        name=bay["name"],
        board=bay.get("board", bay["name"]),
        groups=tuple(bay.get("groups", ())),
        image=bay.get("image", table.get("image", "")),
        options=bay.get("options", table.get("options", "")).strip(),
        seconds=Seconds(**{**table.get("limits", {}), **bay.get("limits", {})}),
        qemu=bay.get("qemu"),
        console={"kind": "serial", "line": console} if isinstance(console, str) else console,
        power=bay.get("power", {}),
        boot=bay.get("boot", {}),
    )


def no_such_image(path):
    try:
        check_image(path)
    except LabError as error:
        yield str(error)


def find_things(rack, bays):
    """What the file names must be there, too, of these bays. Yields sentences."""
    machines = [bay for bay in bays if bay.qemu is not None]
    if rack.store.is_dir():
        yield f"the store {rack.store} is a folder; name a file in it"
    if machines:
        yield from no_such_image(rack.iso)
    for bay in machines:
        yield from no_such_machine(bay)


def no_such_machine(bay):
    """What is known of an emulated bay without an emulator."""
    checks = [
        (find_profile, bay.qemu.get("profile", Machine.profile)),
        (find_board, bay.qemu.get("board", Machine.board)),
        (check_command_line, bay.options),
    ]
    for check, value in checks:
        try:
            check(value)
        except LabError as error:
            yield f"bay {bay.name}: {error}"
