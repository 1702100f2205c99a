# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks whether the log's traits show the variation that the emulated silicon was set to."""

import fnmatch
import functools
import re
import tomllib
from pathlib import Path

from machine import load_profiles

TABLE = Path(__file__).resolve().parent / "choices.toml"
UNKNOWN = "unknown"
OWN_ERRATA = "own"
UNLEARNT = "unlearnt"
TAKEN_COUNTER = "taken-counter"  # what such a counter would have shown may be unknown
NOT_ASKED = "not asked"  # unknown, since the test that learns it was not selected
TRAIT = re.compile(r"([a-z0-9-]+)=([^ ]+)(.*)")
POINT = re.compile(r"\[[^]]+\]")
OF_PROFILES = ("seen", "unseen", "blurred", "one_more")  # keys of an entry
SWITCH = {"on": "yes", "off": "no"}


@functools.cache
def load_table():
    """Variation -> what choices.toml has on it; groups of profiles are spelled out."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    groups = table.pop("groups")
    return {name: spelled_out(entry, groups) for name, entry in table.items()}


def spelled_out(entry, groups):
    lists = {key: entry[key] for key in OF_PROFILES if key in entry}
    return entry | {
        key: [glob for word in words for glob in groups.get(word, [word])]
        for key, words in lists.items()
    }


def read_traits(lines):
    """Trait, or "trait[point]" where it has points -> value; from the text of `# trait:` lines."""
    traits = {}
    for line in lines:
        found = TRAIT.fullmatch(line)
        if not found:
            continue
        name, value, rest = found.groups()
        if value == UNKNOWN:
            traits[name] = NOT_ASKED if rest.endswith(" was not selected)") else UNKNOWN
            continue
        for point in POINT.findall(rest) or [""]:
            traits[name + point] = value
    return traits


def values_at(traits, trait):
    """The values of a trait at all of its points, or at those that a glob in brackets names."""
    name, bracket, points = trait.partition("[")
    globs = [name, f"{name}[[]*"] if not bracket else [f"{name}[[]{points}"]
    return {value for at, value in traits.items() if any(fnmatch.fnmatchcase(at, g) for g in globs)}


def is_one_of(profile, globs):
    return any(fnmatch.fnmatchcase(profile, glob) for glob in globs)


def cannot_be_seen(entry, profile):
    unseen = is_one_of(profile, entry.get("unseen", ()))
    return unseen or not is_one_of(profile, entry.get("seen", ["*"]))


def is_blurred(entry, case):
    """May an erratum of the processor show something else?"""
    return case.has(OWN_ERRATA) and is_one_of(case.profile, entry.get("blurred", ()))


def is_hidden(entry, case):
    """May another of its properties leave it unknown?"""
    others = entry.get("hidden_by", ())
    return has_taken_counter(case) or any(name in others for name, _ in case.properties)


def has_taken_counter(case):
    return dict(case.properties).get(TAKEN_COUNTER, "none") != "none"


def words_of(words):
    return [words] if isinstance(words, str) else words


def expected_of(name, entry, value, profile):
    """Trait -> test of the text read, and the words for what is expected."""
    at = words_of(entry.get("at", name))
    if "less" in entry:
        least = max(0, int(value) - entry["less"])
        most = int(value) + is_one_of(profile, entry.get("one_more", ()))
        words = str(most) if least == most else f"{least} to {most}"
        return {at[0]: (lambda text: text.isdigit() and least <= int(text) <= most, words)}
    return {
        trait: (lambda text, words=words_of(words): text in words, " or ".join(words_of(words)))
        for trait, words in wanted(at, entry, value).items()
    }


def wanted(at, entry, value):
    """Trait -> the word or words that must be read there."""
    words = entry.get(value, SWITCH.get(value, value))
    return words if isinstance(words, dict) else dict.fromkeys(at, words)


def says(traits, trait):
    """What stands there, or what stands of the trait at other points."""
    for at in (trait, trait.partition("[")[0]):
        if values := sorted(values_at(traits, at)):
            return ", ".join(f"{at}={value}" for value in values)
    return f"nothing of {trait}"


@functools.cache
def traits_of(profile):
    """Trait -> its value, whatever else is chosen; from profiles.toml."""
    return load_profiles().get(profile, {}).get("traits", {})


def misread(case, traits):
    """What the traits of a healthy processor say otherwise than it was set; a line each."""
    found, table = misread_profile(case, traits), load_table()
    for name, value in case.choices():
        entry = table.get(name, {})
        if UNLEARNT not in entry and not is_blurred(entry, case):
            found += misread_one(case, entry, traits, (name, value))
    return found


def misread_profile(case, traits):
    """Where the log speaks of such a trait at all, as far as its test was selected."""
    found = []
    for trait, word in traits_of(case.profile).items():
        told, got = values_at(traits, trait.partition("[")[0]) - {NOT_ASKED}, values_at(
            traits, trait
        )
        good = got <= {word, UNKNOWN} if has_taken_counter(case) else got == {word}
        if told and not good:
            found.append(f"{case.profile}: log says {says(traits, trait)}, expected {word}")
    return found


def misread_one(case, entry, traits, chosen):
    name, value = chosen
    hidden = is_hidden(entry, case)
    unseen = cannot_be_seen(entry, case.profile)
    found = []
    for trait, (holds, words) in expected_of(name, entry, value, case.profile).items():
        got = values_at(traits, trait)
        if traits.get(trait.partition("[")[0]) == NOT_ASKED:
            continue
        if unseen:
            good = "seen" in entry or not got - {UNKNOWN}
            words = UNKNOWN
        else:
            unknown = not got - {UNKNOWN} and trait.partition("[")[0] in traits
            lacks = entry.get("may_lack", False) and not got
            good = lacks or (hidden and unknown) or (bool(got) and all(map(holds, got)))
        if not good:
            found.append(f"x-ds-{name}={value}: log says {says(traits, trait)}, expected {words}")
    return found
