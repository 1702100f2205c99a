# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes reports to files: the formats, and how each is written."""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from errors import LabError
from junit import junit_xml
from tap14 import tap_text

ALL = 0xFFFFFFFF
# Of EAX, EBX, ECX and EDX.
MASKS = {
    "1": (ALL, 0, 0x80008014, 0x200020),
    "7": (ALL, 1 << 11, 1 << 24, 1 << 15 | 1 << 19),
    "7.1": (1 << 8, 0, 0, 0),
    "1a": (ALL, 0, 0, 0),
}
UNAVAILABLE = 0x1880  # of IA32_MISC_ENABLE: counters are there, BTS and PEBS are not


def leaves_rows(runs):
    """Of CPUID leaves 01H and 07H only the bits that decide, and nothing that is 0. A log has those
    of the processor that booted."""
    return "".join(f"{row_of(run)}\n" for run in runs).encode()


def row_of(run):
    processor = run["processor"]
    name = processor["brand"] or run["board"] or run["log"]
    if not (told := processor.get("leaves")):
        return f"# {name}: the log does not tell"
    words = dict(word.split("=", 1) for word in told.split() if "=" in word)
    row = [vendor(words["0.0"])] if "0.0" in words else []
    if processor["hypervisor"]:
        row.append("under=" + processor["hypervisor"].replace(" ", "_"))
    row += filter(None, (word_of(name, text) for name, text in words.items()))
    return f"{' '.join(row)} # {name}"


def word_of(name, text):
    """One of the row's words; None: all of it is 0."""
    values = [int(value, 16) for value in text.split(".")]
    name = name.removesuffix(".0")
    if name == "0":
        values = values[:1]
    elif name == "7":
        values[0] = min(values[0], 1)
    elif name == "msr1a0":
        values = [values[0] & UNAVAILABLE]
    values = [value & mask for value, mask in zip(values, MASKS.get(name, [~0] * len(values)))]
    while values and not values[-1]:
        values.pop()
    return f"{name}={'.'.join(f'{value:x}' for value in values)}" if values else None


def vendor(text):
    _, first, third, second = (int(value, 16) for value in text.split("."))
    letters = b"".join(word.to_bytes(4, "little") for word in (first, second, third))
    return letters.decode("ascii", "replace")


def html_page(runs):
    """The other formats need nothing but Python."""
    try:
        from page import html_page as make
    except ModuleNotFoundError as error:
        name = error.name
        raise LabError(f"the page needs Python's {name} (Debian: python3-{name})") from error
    return make(runs)


@dataclass(frozen=True)
class Format:
    what: str
    make: Callable  # a list of run_data dicts -> bytes


FORMATS = {
    "junit": Format("JUnit XML, for a CI system", junit_xml),
    "json": Format(
        "JSON with all that is known of each run (tools/reporting/run_data.schema.json)",
        lambda runs: (json.dumps(runs, indent=1) + "\n").encode(),
    ),
    "tap": Format("TAP, for prove and similar programs", lambda runs: tap_text(runs).encode()),
    "leaves": Format(
        "the processor of each run, as a row of tests/host/real_processors.txt", leaves_rows
    ),
    "html": Format("an HTML page for people, which needs no other file", html_page),
}


def write_reports(runs, files):
    """files: name of a format -> path, or "-" for standard output."""
    for name, path in files.items():
        content = FORMATS[name].make(runs)
        if path == "-":
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
            continue
        try:
            write(path, content)
        except OSError as error:
            raise LabError(f"{path} cannot be written: {error.strerror}") from error


def write(path, content):
    """All of it, or what was there before."""
    if Path(path).exists() and not Path(path).is_file():  # /dev/null, a pipe
        Path(path).write_bytes(content)
        return
    folder = Path(path).absolute().parent
    handle, beside = tempfile.mkstemp(prefix=f".{Path(path).name[:80]}.", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(beside, 0o666 & ~current_umask())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
