# SPDX-License-Identifier: GPL-2.0-or-later
"""The corpus of real processors: what public dumps tell of their leaves, and what runs showed.

A run's row is a line of JSON. It has nothing that tells one machine from another of its kind: no
serial number, no name of a board, no firmware, no time.
"""

import json
from collections import Counter
from pathlib import Path

DUMPS = Path(__file__).with_name("processors") / "dumps.txt"
RUNS = DUMPS.with_name("runs.txt")
ALL = 0xFFFFFFFF
# Of EAX, EBX, ECX and EDX.
MASKS = {
    "1": (ALL, 0, 0x80008014, 0x200020),
    "7": (ALL, 1 << 11, 1 << 24, 1 << 15 | 1 << 19),
    "7.1": (1 << 8, 0, 0, 0),
    "1a": (ALL, 0, 0, 0),
}
UNAVAILABLE = 0x1880  # of IA32_MISC_ENABLE: counters are there, BTS and PEBS are not


def leaves_of(processor):
    """As a row of dumps.txt: of CPUID leaves 01H and 07H only the bits that decide, and nothing
    that is 0. A log has those of the processor that booted; "" of one that does not tell."""
    if not (told := processor.get("leaves")):
        return ""
    words = dict(word.split("=", 1) for word in told.split() if "=" in word)
    row = [vendor(words["0.0"])] if "0.0" in words else []
    if processor["hypervisor"]:
        row.append("under=" + processor["hypervisor"].replace(" ", "_"))
    row += filter(None, (word_of(name, text) for name, text in words.items()))
    return f"{' '.join(row)} # {processor['brand']}"


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


def corpus_rows(runs):
    return "".join(f"{json.dumps(row_of(run))}\n" for run in runs).encode()


def row_of(run):
    processor = run["processor"]
    return {
        **{key: processor[key] for key in ("brand", "hypervisor", "microcode", "kinds")},
        "model": (processor["signature"] or "").split(" ")[0],  # 06_8FH
        "stepping": processor["stepping"],
        "leaves": leaves_of(processor),
        "traits": {place: values_of(traits) for place, traits in run["traits"].items()},
        "verdict": run["status"]["name"],
        "errata": sorted(run["errata"]),
        "image": run["image"],
    }


def values_of(traits):
    """Name -> the values that were seen, without the settings under which they were."""
    return {
        name: "|".join(sorted({part.split()[0] for part in text.split("; ")}))
        for name, text in traits.items()
    }


def relatives_text(runs):
    known = [json.loads(line) for line in read(RUNS)]
    lines = (
        f"{run['board'] or run['log']}: {text}" for run in runs for text in relation(run, known)
    )
    return "".join(f"{line}\n" for line in lines).encode()


def relation(run, known):
    """Sentences: what the corpus has of this model, and where the run differs from it."""
    row = row_of(run)
    if not row["model"]:
        return ["the log does not tell which processor it is"]
    others = [each for each in known if each["model"] == row["model"]]
    verdicts = Counter(each["verdict"] for each in others)
    counted = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    said = [
        f"{len(others)} others of {row['model']} in the corpus" + f" ({counted})" * bool(counted)
    ]
    return [*said, *other_traits(row, others), leaves_in_dumps(row)]


def other_traits(row, others):
    """One sentence a trait of which others showed something else."""
    for place, traits in row["traits"].items():
        for name, value in traits.items():
            seen = [each["traits"].get(place, {}).get(name) for each in others]
            if different := Counter(each for each in seen if each not in (None, value)):
                they = ", ".join(f"{number}: {other}" for other, number in different.most_common())
                at = f" on {place}" if place else ""
                yield f"differs from {different.total()} others in {name}{at}: {value} ({they})"


def leaves_in_dumps(row):
    """A dump has no registers: only leaves are compared."""
    own = leaf_words(row["leaves"])
    alike = [line for line in read(DUMPS) if signature(leaf_words(line)) == signature(own)]
    names = [line.partition(" # ")[2] for line in alike if own == leaf_words(line)]
    if not own or not alike:
        return f"no public dump of {row['model']}" if own else "the log does not tell its leaves"
    if names:
        return f"its leaves are those of {', '.join(names)}"
    near = leaf_words(max(alike, key=lambda line: len(own & leaf_words(line))))
    here, there = (" ".join(sorted(words)) for words in (own - near, near - own))
    return (
        f"none of {len(alike)} public dumps of {row['model']} has {here}: the nearest has {there}"
    )


def leaf_words(line):
    return {word for word in line.partition(" # ")[0].split() if not word.startswith("msr")}


def signature(words):
    """CPUID.01H:EAX but for the stepping; None where it is not told."""
    found = (word[2:].split(".")[0] for word in words if word.startswith("1="))
    return next((int(eax, 16) >> 4 for eax in found), None)


def read(path):
    """Its rows; none where there is no such file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line for line in lines if line and line[0] not in "#@=-"]
