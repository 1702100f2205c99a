# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of each mutant, kept as they come: JSON, one value a line, to which a run only
appends, so that an interrupted run can go on.
"""

import json
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path

KILLED, SURVIVED, UNREACHED = "killed", "survived", "never reached"
EQUIVALENT, UNTRIED = "equivalent", "not tried"


class Lines:
    """A file of JSON values. Several threads may add."""

    def __init__(self, path):
        self.path, self.lock = Path(path), threading.Lock()

    def read(self):
        """The values, oldest first, without a line that was cut off."""
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        values = []
        for line in text.splitlines():
            try:
                values.append(json.loads(line))
            except ValueError:
                continue
        return values

    def add(self, value):
        """The newline in front ends one that was cut off."""
        with self.lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps(value)}\n")


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


class Store:
    """The last result of a mutant counts. Several threads may add."""

    def __init__(self, path):
        self.lines = Lines(path)
        self.found = {}
        for value in self.lines.read():
            self.take(value)

    def take(self, value):
        """What another version of this tool has kept is no result."""
        try:
            found = Found(**value)
        except TypeError:
            return
        self.found[found.name] = found

    def add(self, found):
        self.lines.add(asdict(found))
        self.found[found.name] = found

    def known(self, name, image, trusts_killed, breadth=0):
        """What an earlier image killed may count: the tests have only become more."""
        found = self.found.get(name)
        if found is None:
            return None
        if found.status == KILLED:
            return found if trusts_killed or found.image == image else None
        return found if found.image == image and found.breadth >= breadth else None
