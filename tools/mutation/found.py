# SPDX-License-Identifier: GPL-2.0-or-later
"""What the boots of a mutant said, and whether an earlier run's answer counts."""

import zlib
from dataclasses import asdict, dataclass, field

from boots import Kept

KILLED, SURVIVED, UNREACHED = "killed", "survived", "never reached"
EQUIVALENT, UNTRIED = "equivalent", "not tried"
LICENCE = "# SPDX-License-Identifier: GPL-2.0-or-later"


@dataclass
class Found:
    """What the boots of one mutant said."""

    name: str
    status: str
    tests: list[str] = field(default_factory=list)  # that failed, up to the first or the right one
    claims: list[str] = field(default_factory=list)  # that their failures name
    case: str = ""  # the processor
    end: str = ""  # how the run ended, where no test said what is wrong
    boots: int = 0
    seconds: float = 0.0
    image: str = ""  # of the kernel and emulator that said so
    breadth: int = 0  # processors that one which survives was to be tried on
    tried: list[list[str]] = field(default_factory=list)  # [processor, command line] of each boot


class Store:
    def __init__(self, path):
        self.kept = Kept(path)
        self.found = {}
        for value in self.kept.values.values():
            self.take(value)

    def take(self, value):
        """What another version of this tool has kept is no result."""
        try:
            found = Found(**value)
        except TypeError:
            return
        self.found[found.name] = found

    def add(self, found):
        self.kept.add(found.name, asdict(found))
        self.found[found.name] = found

    def tried(self, name, image):
        """The boots that have killed nothing: it goes on behind them."""
        found = self.found.get(name)
        return found.tried if found and found.status == UNTRIED and found.image == image else []

    def known(self, name, image, trusts_killed, breadth=0):
        """What an earlier image killed may count: the tests have only become more."""
        found = self.found.get(name)
        if found is None:
            return None
        if found.status == KILLED:
            return found if trusts_killed or found.image == image else None
        if found.status == UNTRIED:
            return None
        return found if found.image == image and found.breadth >= breadth else None


def change_of(mutant):
    """Tells a mutant from a later one of the same name."""
    return f"{zlib.crc32((mutant['before'] + mutant['after']).encode()):08x}"


def read_kills(path, mutants):
    """Mutant -> Found, of those in the file that are still the same."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    changes = {mutant["name"]: change_of(mutant) for mutant in mutants}
    return {
        name: Found(name, KILLED, tests=tests, case=case)
        for name, change, case, *tests in rows
        if changes.get(name) == change
    }


def write_kills(path, kills, mutants):
    """A line each: name, change, the processor and the first test that told."""
    changes = {mutant["name"]: change_of(mutant) for mutant in mutants}
    rows = [
        " ".join([name, changes[name], each.case, *each.tests[:1]])
        for name, each in sorted(kills.items())
        if each.status == KILLED and name in changes
    ]
    path.write_text("\n".join([LICENCE, *rows, ""]), encoding="utf-8")
