# SPDX-License-Identifier: GPL-2.0-or-later
"""A file of JSON values, one a line, to which a run only appends, so that an interrupted one can
go on."""

import json
import threading
from pathlib import Path


class Lines:
    """Several threads may add."""

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
