# SPDX-License-Identifier: GPL-2.0-or-later
"""The claims table, tools/claims.toml."""

import tomllib
from dataclasses import dataclass

from machine import ROOT, LabError

TABLE = ROOT / "tools/claims.toml"


@dataclass(frozen=True)
class Claim:
    id: str
    group: str
    text: str


def load_claims(path=TABLE):
    """Id -> Claim, in the table's order."""
    try:
        groups = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"the claims cannot be read: {path}: {error}") from error
    claims = {}
    for group, rows in groups.items():
        for name, text in rows.items():
            if name in claims:
                raise LabError(f"{path}: claim {name} stands in two groups")
            claims[name] = Claim(name, group, text)
    return claims
