# SPDX-License-Identifier: GPL-2.0-or-later
"""The trace events of tools/lab/trace in programs that others wrote: speedscope in a headless
Chromium, the engine of DevTools."""

import base64
import json
import shutil

import pytest
from conftest import ROOT, execute, npm_packages
from trace_logs import FAILED, PASSED, build_kernel, run_trace, write_log

READER = ROOT / "tests/host/trace_viewers/read_trace_events.mjs"
LOOK_TIME = 240  # seconds
SETTLE = 20000  # milliseconds that a page has, in its own time
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
CHROMIUM += ["--enable-unsafe-swiftshader"]  # WebGL without a graphics card
CHROMIUM += ["--disable-background-networking", "--disable-sync", "--disable-component-update"]
TIME = 900  # seconds; the first one installs the viewers


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
    answer = execute(*command, check=True, timeout=LOOK_TIME)
    return answer.stdout, picture


def read_trace_events(file):
    """What DevTools' engine finds: {"threads": [{process, tid, name, slices}], "flows": number}."""
    engine = viewers() / "@paulirish/trace_engine"
    answer = execute("node", READER, engine, file, timeout=LOOK_TIME)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


@pytest.fixture(name="files", scope="module")
def fixture_files(tmp_path_factory):
    """A folder with the events of a log of two traces."""
    folder = tmp_path_factory.mktemp("traces")
    log, elf = write_log(folder, passed=PASSED), build_kernel(folder)
    answer = run_trace(log, "--elf", elf, f"--perfetto={folder / 'perfetto.json'}")
    assert answer.returncode == 0, answer.stderr
    return folder


def colours_of(picture):
    image = pytest.importorskip("PIL.Image").open(picture).convert("RGB")
    return {colour for _, colour in image.getcolors(1 << 24)}


@pytest.mark.timeout(TIME)
def test_speedscope_shows(files, tmp_path):
    """It names the first trace, and draws boxes of many colours."""
    document, picture = look(page_for(files / "perfetto.json", tmp_path), tmp_path)
    assert f"{FAILED} (bts) (pid 1), ring 0 (tid 0)" in document and "Time Order" in document
    assert "suite.other (lbr)" in document
    assert len(colours_of(picture)) > 10


@pytest.mark.timeout(TIME)
def test_trace_events_in_an_engine(files):
    """DevTools' engine finds each slice, on the thread of its ring, and its process by name."""
    found = read_trace_events(files / "perfetto.json")
    threads = {
        (each["process"], each["name"]): [(at, time) for at, time, _ in each["slices"]]
        for each in found["threads"]
    }
    whole = {
        ring: [(at, 1) for at in ats]
        for ring, ats in (
            ("ring 0", [0, 1, 2, 3, 7, 8, 9]),
            ("ring 3", [4, 5]),
            ("differences", [3, 5, 6]),
        )
    }
    failed = {name: slices for (test, name), slices in threads.items() if test == f"{FAILED} (bts)"}
    assert failed == whole
    assert threads[("suite.other (lbr)", "ring 0")] == [(7, 1)]
    assert found["flows"] == 2
