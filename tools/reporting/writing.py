# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes reports to files: the formats, and how each is written."""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from corpus import corpus_rows, relatives_text
from errors import LabError
from junit import junit_xml
from tap14 import tap_text


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
    "corpus": Format("a row of the corpus for each run (docs/corpus.md)", corpus_rows),
    "relatives": Format("how each differs from its relatives in the corpus", relatives_text),
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
