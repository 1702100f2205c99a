# SPDX-License-Identifier: GPL-2.0-or-later
"""Packages of another release of this distribution, through lists of our own.

The machine's apt lists stay untouched. Ours are made from its sources: the same mirrors and keys,
with another release in place of the machine's own: as a rule the one that has the QEMU which the
hooks were written for.
"""

import re
from pathlib import Path

from . import BuildError, NoSource, run

# The release whose QEMU is taken, by distribution.
RELEASES = {"debian": "trixie", "ubuntu": "resolute"}
FLOATING = ("stable", "testing", "unstable", "sid")


def _os_release(text):
    """os-release(5) as a dictionary."""
    pairs = re.findall(r"^(\w+)=[\"']?(.*?)[\"']?$", text, re.M)
    return dict(pairs)


def releases(etc):
    """Returns (the suites' names that stand for this machine's release, the release to take)."""
    path = etc / "os-release"
    known = _os_release(path.read_text()) if path.is_file() else {}
    for name in (known.get("ID", ""), *known.get("ID_LIKE", "").split()):
        if name in RELEASES:
            own = {known.get(key) for key in ("VERSION_CODENAME", "UBUNTU_CODENAME")} - {None, ""}
            return (*sorted(own), *FLOATING), RELEASES[name]
    raise NoSource("this distribution is neither Debian nor Ubuntu, nor like them")


def _suite(text, own, wanted):
    """The suite of the wanted release, or None for one that is not of the machine's release."""
    match = re.fullmatch(rf"({'|'.join(map(re.escape, own))})((?:-[\w-]+)?/?)", text)
    return match and wanted + match.group(2)


def _one_line(text, kind, own, wanted):
    """One-line format: `deb [options] URI suite component...`."""
    for line in text.splitlines():
        match = re.match(r"deb(?:-src)?\s+((?:\[.*?\]\s+)?\S+)\s+(\S+)\s+(.*)", line.strip())
        suite = match and _suite(match.group(2), own, wanted)
        if suite:
            yield f"{kind} {match.group(1)} {suite} {match.group(3)}"


def _stanzas(text, kind, own, wanted):
    """deb822 format."""
    for stanza in re.split(r"\n\s*\n", text):
        body = "\n".join(line for line in stanza.splitlines() if not line.startswith("#"))
        found = re.search(r"^Suites:(.*)$", body, re.M)
        suites = [_suite(word, own, wanted) for word in found.group(1).split()] if found else []
        if any(suites) and not re.search(r"^Enabled:\s*no", body, re.M):
            body = re.sub(
                r"^Suites:.*$", f"Suites: {' '.join(filter(None, suites))}", body, flags=re.M
            )
            yield re.sub(r"^Types:.*$", f"Types: {kind}", body, flags=re.M)


def write_lists(etc, parts, kind, release=None):
    """Writes our own lists to parts, of kind `deb` or `deb-src`; returns how many entries. release:
    None for the one that has the QEMU.
    """
    own, usual = releases(etc)
    wanted = release or usual
    apt, lines, stanzas = etc / "apt", [], []
    for path in [apt / "sources.list", *sorted((apt / "sources.list.d").glob("*"))]:
        if path.suffix == ".list" and path.is_file():
            lines += _one_line(path.read_text(), kind, own, wanted)
        elif path.suffix == ".sources" and path.is_file():
            stanzas += _stanzas(path.read_text(), kind, own, wanted)
    parts.mkdir(parents=True, exist_ok=True)
    (parts / "ours.list").write_text("\n".join(dict.fromkeys(lines)) + "\n")
    (parts / "ours.sources").write_text("\n\n".join(stanzas) + "\n")
    return len(lines) + len(stanzas)


def _options(state):
    directories = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": state / "parts",
        "Dir::State::Lists": state / "lists",
        "Dir::State::Status": "/dev/null",  # what is installed here may be newer than that release
        "Dir::Cache": state / "cache",
    }
    settings = {
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
        "Acquire::Retries": "2",
        "Acquire::http::Timeout": "30",
        "Acquire::https::Timeout": "30",
    }
    options = {**directories, **settings}
    return [word for name, value in options.items() for word in ("-o", f"{name}={value}")]


class Lists:
    """Lists of one kind, `deb` or `deb-src`, kept in a folder; up to date when made."""

    def __init__(self, folder, kind, etc=Path("/etc"), release=None):
        self._options = _options(folder)
        for name in ("lists/partial", "cache/archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        if write_lists(etc, folder / "parts", kind, release) == 0:
            raise NoSource("this machine's apt has no package sources of its own release")
        self.run("apt-get", "update")

    def run(self, program, *arguments, cwd=None):
        """Runs an apt program with these lists; NoSource when it fails."""
        try:
            return run([program, *self._options, *arguments], cwd=cwd)
        except BuildError as error:
            raise NoSource(str(error)) from None
