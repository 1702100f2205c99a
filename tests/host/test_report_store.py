# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports of a rack's store: the same as of its logs, and no board is missing in them."""

import fcntl
import json
import resource
from types import SimpleNamespace

import jsonschema
import pytest
from conftest import ROOT
from judge import Status, judge
from lxml import etree
from report_logs import FAILING, LOGS, PASSING, report, write_logs
from result_store import Store, lock_folder

from page import html_page
from run_data import brief, run_data

SCHEMA = json.loads((ROOT / "tools/reporting/run_data.schema.json").read_text(encoding="utf-8"))
EMULATED = '[[bays]]\nname = "{}"\nqemu = {{ profile = "skylake", variation = "{}" }}\n'
BAYS = EMULATED.format("good", "x-ds-wrap=eager") + EMULATED.format("bad", "x-ds-fault=jmp-lost")


def begin(store, board):
    return store.begin("rack", SimpleNamespace(name=board, board=board, options=""))[0]


def keep(store, board, log):
    data = run_data(judge(log), board=board, when="2026-11-26T12:00:00Z", seconds=1.5)
    store.finish(begin(store, board), data, tries=1, trouble="", told="told")


@pytest.fixture
def store(tmp_path):
    return Store.to_write(tmp_path / "s" / "store.sqlite")


def reported(tmp_path, *words):
    """(exit status, board -> run)"""
    answer = report("--json", tmp_path / "x.json", *words)
    assert b"Traceback" not in answer.stderr
    runs = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(runs)
    return answer.returncode, {run["board"]: run for run in runs}


def test_the_last_run_of_each_board_or_every_run(store, tmp_path):
    keep(store, "a", FAILING)
    keep(store, "a", PASSING)
    keep(store, "b", LOGS["CUT_OFF"])
    status, runs = reported(tmp_path, store.path)
    assert {name: run["status"]["name"] for name, run in runs.items()} == {
        "a": "PASS",
        "b": "CUT_OFF",
    }
    assert status == Status.CUT_OFF
    status, runs = reported(tmp_path, "--every-run", store.path)
    assert list(runs) == ["a@1", "a@2", "b@1"] and status == Status.CUT_OFF


def test_a_stored_run_is_what_its_log_says(store, tmp_path):
    keep(store, "one", FAILING)
    (log,) = write_logs(tmp_path / "logs", one=FAILING)
    stored, judged = (reported(tmp_path, path)[1]["one"] for path in (store.path, log))
    alike = {**judged, "log": None, "when": stored["when"], "seconds": 1.5}
    assert stored == alike


def test_a_board_of_a_killed_rack_and_one_that_runs_are_not_missing(store, tmp_path):
    """The rack that began them is gone, or has the board's lock."""
    keep(store, "a", PASSING)
    keep(store, "b", PASSING)
    begin(store, "b")
    status, runs = reported(tmp_path, store.path)
    assert status == Status.ERROR and runs["b"]["status"]["name"] == "ERROR"
    assert runs["b"]["reasons"] == ["the rack was killed while this ran"] and runs["b"]["when"]
    begin(store, "b")
    with open(lock_folder(store.path) / "board-b", "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, runs = reported(tmp_path, store.path)
    assert status == Status.ERROR and "has not ended yet" in runs["b"]["reasons"][0]


def test_logs_and_a_store_in_one_report_have_names_of_their_own(store, tmp_path):
    keep(store, "one", PASSING)
    (log,) = write_logs(tmp_path / "logs", one=PASSING)
    status, runs = reported(tmp_path, log, store.path)
    assert status == Status.PASS and list(runs) == ["one", "one (2)"]


@pytest.mark.parametrize("how", ["empty", "other", "damaged", "not there", "newer"])
def test_a_store_that_cannot_be_read_is_one_sentence(store, tmp_path, how):
    path = store.path
    if how == "other":
        keep(store, "a", PASSING)
        with store.transaction() as connection:
            connection.execute("UPDATE runs SET data = '{\"format\": 1}'")
    if how == "damaged":
        keep(store, "a", PASSING)
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
    if how == "not there":
        path = tmp_path / "none.toml"
    if how == "newer":
        with store.connection() as connection:
            connection.execute("PRAGMA user_version = 99")
    answer = report("--json", tmp_path / "x.json", path)
    assert answer.returncode == Status.ERROR and b"Traceback" not in answer.stderr
    said = answer.stderr.decode().strip()
    assert said.startswith("report: ") and "fault of btscheck" not in said and "\n" not in said
    assert not (tmp_path / "x.json").exists()


def test_a_real_rack_in_every_format(lab, iso, emulator):
    """Two emulated bays, one of which records no jumps."""
    head = f'iso = "{iso}"\nemulator = "{emulator}"\noptions = "test=table17_6.*"\n'
    rack = lab.write('store = "s.sqlite"\n' + head + BAYS)
    assert lab.run(rack, timeout=280)[0] == Status.FAIL
    names = {name: lab.folder / f"x.{name}" for name in ("junit", "json", "tap", "html")}
    words = [word for name, path in names.items() for word in (f"--{name}", path)]
    for source in (rack, lab.folder / "s.sqlite"):
        answer = report(*words, source)
        assert answer.returncode == Status.FAIL, answer.stderr
    assert "1 of 2 passed" in names["html"].read_text(encoding="utf-8")
    cases = etree.parse(names["junit"]).xpath("//testcase[failure|error|skipped]")
    failed = {case.get("classname") for case in cases}
    assert "btscheck.bad.table17_6" in failed and "btscheck.good.verdict" not in failed
    exported = json.loads(lab.rack("export", "--store", rack).stdout)
    assert exported == json.loads(names["json"].read_text(encoding="utf-8"))


# ---- what a page of many boards needs ----------------------------------------------------------


def runs_of_all():
    return [run_data(judge(log), board=name) for name, log in LOGS.items()]


def test_a_page_of_many_boards_is_the_same_from_brief_runs():
    runs = runs_of_all()
    assert html_page(runs) == html_page([brief(run) for run in runs])


def test_brief_runs_have_whatever_did_not_pass():
    for run in runs_of_all():
        parts = [each for test in run["tests"] for each in (test, *test["subtests"])]
        left = [each for test in brief(run)["tests"] for each in (test, *test["subtests"])]
        odd = [each["name"] for each in parts if each["outcome"] not in ("pass", "skip")]
        assert [each["name"] for each in left if each["outcome"] not in ("pass", "skip")] == odd


def test_a_thousand_boards_of_a_store_in_three_seconds(store, tmp_path):
    """The whole program, its start and the store's included; in the processor's time."""
    keep(store, "0", FAILING)
    keep(store, "1", PASSING)
    with store.transaction() as connection:
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
            " INSERT INTO runs (board, number, rack, bay, started, ended, data, brief)"
            " SELECT i, 1, rack, bay, started, ended, json_set(data, '$.board', cast(i AS TEXT)),"
            " json_set(brief, '$.board', cast(i AS TEXT)) FROM n JOIN runs ON board = i % 2"
        )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = report("--html", tmp_path / "page.html", store.path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert answer.returncode == Status.FAIL, answer.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(f">{board}<" in page for board in range(1000))
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 3
