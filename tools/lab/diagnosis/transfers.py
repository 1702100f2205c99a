# SPDX-License-Identifier: GPL-2.0-or-later
"""What the log tells of a branch: its kind, and the rings before and behind it.

The traces of failed tests name the kind and rings of what was expected, whether it came or not; a
record too many is known by its FROM.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

STEP = re.compile(
    r" *# trace: \d+ ([-+=!]) (0x[0-9a-f]+) 0x[0-9a-f]+ \S+ (?:([0-3])>([0-3])|-) (.{1,40})"
)
# The kernel counts every check, the log tells of the first findings alone.
SUM = re.compile(r'# broken: (\S+) x\d+, (?:.*? kind="([^"]+)")?.*')
MORE = re.compile(r" and \d+ more$")
OF_RECORDS = ("record.", "lbr.")
UPPER_HALF = 1 << 63  # there the kernel lies, and its programs of ring 0
LOW_RING_0 = ("protected_mode.", "real_mode.")  # … but for those of these suites
FAR = ("far CALL", "far JMP", "far RET", "IRET", "SYSCALL", "SYSRET", "SYSENTER", "SYSEXIT")


@dataclass
class Transfers:
    """FROM -> what is known, and how many good records there were of each kind."""

    kinds: dict[int, str] = field(default_factory=dict)
    rings: dict[int, str] = field(default_factory=dict)
    good: Counter = field(default_factory=Counter)
    sums: dict[str, list[str]] = field(default_factory=dict)  # kind of finding -> kinds of branch

    def facts(self, case, found):
        """Name -> value of a finding about records; nothing of one that is only counted."""
        if not found.kind.startswith(OF_RECORDS) or not found.is_told():
            return {}
        address = found.number("expected")
        address = found.number("got") if address is None else address
        kind = self.kinds.get(address) or found.fields.get("where")
        facts = {"kind of branch": kind, "FROM ring": self.ring_of(case, address)}
        return {name: value for name, value in facts.items() if value}

    def ring_of(self, case, address):
        if address is None:
            return None
        if address in self.rings:
            return self.rings[address]
        if address & UPPER_HALF:
            return "0"
        return None if case.name.startswith(LOW_RING_0) else "above 0"


def read_transfers(log):
    known = Transfers()
    for kind, branches in (m.groups("") for m in filter(None, map(SUM.fullmatch, log.lines))):
        known.sums[kind] = [*filter(None, MORE.sub("", branches).split(", "))]
    for match in filter(None, map(STEP.fullmatch, log.lines)):
        mark, address, before, _, kind = match.groups()
        if before is not None and kind != "-":
            known.kinds[int(address, 16)] = kind
            known.rings[int(address, 16)] = "0" if before == "0" else "above 0"
            if mark == "=":
                known.good[kind] += 1
    return known
