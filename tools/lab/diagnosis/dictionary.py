# SPDX-License-Identifier: GPL-2.0-or-later
"""The fault dictionary: how each wrong processor of the matrix fails, in a file (compact JSON, gz).

`tools/dictionary make` writes it. One text stands once; spectra are numbers of texts.
"""

import gzip
import json
import math
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from errors import LabError, told

from .spectrum import counts, ochiai, rarity, weighted

FORMAT, VERSION = "btscheck-dictionary", 1
USUAL = Path(__file__).resolve().parent / "dictionary.json.gz"  # of a release
NEAR = 0.7  # below that nothing is near: known faults have 0.8 and more on another profile
SHOWN = 3


@dataclass(frozen=True)
class Entry:
    """One wrong processor."""

    fault: str
    profile: str
    spectrum: frozenset[str]
    claims: tuple[str, ...]  # that its failure names, as they rank


@dataclass
class Dictionary:
    commit: str
    faults: dict[str, dict] = field(default_factory=dict)  # name -> {"help": …, "claims": […]}
    ran: dict[str, set[str]] = field(default_factory=dict)  # profile -> what it runs
    entries: list[Entry] = field(default_factory=list)

    def rank(self, spectrum, ran, is_weighted=True, entries=None):
        """[(fault, figure from 0 to 1)], the nearest first; of each fault its nearest processor.

        ran: by the log at hand. What either of the two did not run says nothing.
        """
        entries = self.entries if entries is None else entries
        weights = rarity([each.spectrum for each in entries]) if is_weighted else {}
        unknown, best = math.log(1 + max(1, len(entries))), {}
        for entry in entries:
            one = {each for each in spectrum if counts(each, self.ran[entry.profile])}
            other = {each for each in entry.spectrum if counts(each, ran)}
            figure = weighted(one, other, weights, unknown) if is_weighted else ochiai(one, other)
            best[entry.fault] = max(best.get(entry.fault, 0.0), figure)
        return sorted(best.items(), key=lambda item: (-item[1], item[0]))

    def write(self, path):
        texts = sorted({item for each in self.entries for item in each.spectrum})
        texts += sorted(set().union(*self.ran.values()) - set(texts))
        number = {text: at for at, text in enumerate(texts)}
        content = {
            "format": FORMAT,
            "version": VERSION,
            "commit": self.commit,
            "items": texts,
            "faults": self.faults,
            "ran": {
                profile: sorted(number[each] for each in ran) for profile, ran in self.ran.items()
            },
            "entries": [
                [
                    each.fault,
                    each.profile,
                    sorted(map(number.get, each.spectrum)),
                    each.claims,
                ]
                for each in self.entries
            ],
        }
        text = json.dumps(content, separators=(",", ":")).encode()
        is_packed = Path(path).suffix == ".gz"
        Path(path).write_bytes(gzip.compress(text, mtime=0) if is_packed else text)


def read_dictionary(path):
    """A file that is none is a LabError."""
    try:
        raw = Path(path).read_bytes()
        content = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
        if (content["format"], content["version"]) != (FORMAT, VERSION):
            raise ValueError("another format")
        return made_of(content)
    except OSError as error:
        raise LabError(told(error)) from error
    except (ValueError, KeyError, TypeError, IndexError, EOFError) as error:
        raise LabError(
            f"{path} is no fault dictionary: `tools/dictionary make` writes one"
        ) from error


def made_of(content):
    texts = content["items"]
    return Dictionary(
        content["commit"],
        content["faults"],
        {profile: {texts[at] for at in numbers} for profile, numbers in content["ran"].items()},
        [
            Entry(fault, profile, frozenset(texts[at] for at in numbers), tuple(claims))
            for fault, profile, numbers, claims in content["entries"]
        ],
    )


def find_dictionary(path=None):
    """The one that is named, else that of a release; None where there is none."""
    if path is not None:
        return read_dictionary(path)
    return usual_dictionary() if USUAL.exists() else None


@cache
def usual_dictionary():
    return read_dictionary(USUAL)
