# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things lie: in a checkout all in its own folder, else what is written in the user's."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IS_CHECKOUT = (ROOT / "Makefile").is_file()  # or an archive of one; `make install` leaves it out
BUILD = ROOT / "build"  # the kernel and its image
STATE = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
MADE = BUILD if IS_CHECKOUT else STATE / "btscheck"  # logs, stores, tables for the emulator
