# SPDX-License-Identifier: GPL-2.0-or-later
"""The claims of the manual in our words, tools/claims.toml."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from errors import LabError

TABLE = Path(__file__).resolve().parents[1] / "claims.toml"


@dataclass(frozen=True)
class Claim:
    id: str
    group: str
    text: str


@cache
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
