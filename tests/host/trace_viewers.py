# SPDX-License-Identifier: GPL-2.0-or-later
"""What others wrote to read traces: speedscope in a headless Chromium, the engine of DevTools."""

import base64
import json
import shutil
import subprocess

import pytest
from conftest import ROOT, npm_packages

READER = ROOT / "tests/host/trace_viewers/read_trace_events.mjs"
LOOK_TIME = 240  # seconds
SETTLE = 20000  # milliseconds that a page has, in its own time
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
CHROMIUM += ["--enable-unsafe-swiftshader"]  # WebGL without a graphics card
CHROMIUM += ["--disable-background-networking", "--disable-sync", "--disable-component-update"]


def viewers():
    """The folder of the packages."""
    return npm_packages("trace_viewers")


def page_for(file, folder):
    """speedscope with that file in it, without a server."""
    script = folder / f"{file.name}.js"
    content = base64.b64encode(file.read_bytes()).decode()
    script.write_text(f"speedscope.loadFileFromBase64({json.dumps(file.name)}, '{content}')")
    release = viewers() / "speedscope/dist/release"
    return f"{(release / 'index.html').as_uri()}#localProfilePath={script}"


def look(page, folder):
    """(the page's document, its picture's file) when it has settled."""
    if shutil.which("chromium") is None:
        pytest.skip("there is no chromium")
    picture = folder / "picture.png"
    command = [*CHROMIUM, f"--user-data-dir={folder / 'profile'}", "--window-size=1400,900"]
    command += [f"--virtual-time-budget={SETTLE}", f"--screenshot={picture}", "--dump-dom", page]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LOOK_TIME)
    return answer.stdout, picture


def read_trace_events(file):
    """What DevTools' engine finds: {"threads": [{process, tid, name, slices}], "flows": number}."""
    engine = viewers() / "@paulirish/trace_engine"
    command = ["node", str(READER), str(engine), str(file)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LOOK_TIME)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)
