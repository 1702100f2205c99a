# SPDX-License-Identifier: GPL-2.0-or-later
"""The store of a rack: several writers, old and damaged ones, and what is read out of it."""

import io
import json
import shutil
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import comparing
import listing
import pytest
import result_store
import stored_runs
from conftest import ROOT, execute
from judge import judge
from machine import LabError
from result_store import Store
from judge_logs import FAILING, GOOD, raw

from run_data import run_data

IMAGE = "# btscheck: v1\n"
NOW = "2026-11-28T20:51:00Z"
SIGNATURE = "# signature: 06_5EH stepping {} (CPUID.01H:EAX = 0x000506e3)\n"


def data(text, stepping=3):
    log = text.replace(IMAGE, IMAGE + SIGNATURE.format(stepping), 1)
    return run_data(judge(raw(log), None), board="a", seconds=1.5)


def bay(name):
    return SimpleNamespace(name=name, board=name, options="test=x")


def keep(store, board, text=GOOD, trouble="", **more):
    run, number = store.begin("rack", bay(board))
    store.finish(run, data(text, **more), tries=1, trouble=trouble, told="told")
    return number


@pytest.fixture
def store(tmp_path):
    return Store.to_write(tmp_path / "s" / "store.sqlite")


def test_run_is_found_again(store):
    assert [keep(store, "a"), keep(store, "a", FAILING), keep(store, "b")] == [1, 2, 1]
    again = Store.to_read(store.path)
    assert [(run["board"], run["number"]) for run in again.latest()] == [("a", 2), ("b", 1)]
    run = again.find("a@1")
    assert (run["verdict"], run["signature"], run["stepping"]) == ("PASS", "06_5EH stepping 3", 3)
    assert (run["image"], run["options"], run["seconds"]) == ("v1", "test=x", 1.5)
    assert json.loads(run["data"])["status"]["name"] == "PASS"
    assert again.find("a")["status"] == 1


BOARD = "# bios: V 1.40\n# board: Maker {}\n# ppin: 0x01\n# date: 2026-11-28 20:51:1{}\n"


def of_board(number, log=GOOD):
    return log.replace(IMAGE, IMAGE + BOARD.format(number, number), 1)


def test_store_says_which_board_it_was(store):
    keep(store, "a", of_board(9))
    run = store.find("a")
    assert (run["hardware"], run["bios"], run["ppin"]) == ("Maker 9", "V 1.40", "0x01")
    out = io.StringIO()
    listing.print_runs(listing.with_state(store, store.latest()), out)
    head, row = out.getvalue().splitlines()
    for name, value in (("hardware", "Maker 9"), ("bios", "V 1.40")):
        assert row[head.index(name) :].startswith(value), out.getvalue()


def test_boards_are_compared_but_not_their_clocks(store):
    keep(store, "a", of_board(1))
    keep(store, "b", of_board(2))
    keep(store, "c")
    rows = comparing.compare(store, "a", "b")["rows"]
    found = {row["name"]: (row["a"], row["b"], row["same"]) for row in rows}
    assert found["board"] == ("Maker 1", "Maker 2", False)
    assert found["bios"] == ("V 1.40", "V 1.40", True) and "date" not in found
    rows = comparing.compare(store, "a", "c")["rows"]
    assert ("Maker 1", "-") in [(row["a"], row["b"]) for row in rows]


def test_store_of_three_versions_ago_has_its_runs(tmp_path, monkeypatch):
    """Its rows and their data know nothing of boards."""
    path = tmp_path / "store.sqlite"
    with monkeypatch.context() as older:
        older.setattr(result_store, "STEPS", result_store.STEPS[:3])
        Store.to_write(path)
    old = data(GOOD)
    del old["machine"]
    with sqlite3.connect(path) as connection:
        row = ("a", 1, "rack", "a", NOW, NOW, 0, "PASS", json.dumps(old))
        connection.execute(
            "INSERT INTO runs (board, number, rack, bay, started, ended, status, verdict, data)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
    store = Store.to_write(path)
    keep(store, "b", of_board(2))
    out = io.StringIO()
    listing.print_runs(listing.with_state(store, store.latest()), out)
    assert "Maker 2" in out.getvalue() and store.find("a")["hardware"] is None
    assert comparing.compare(store, "a", "b")["rows"]
    assert [run["board"] for run in stored_runs.last_runs(store)] == ["a", "a"]


def test_findings_and_traits_are_rows(store):
    log = FAILING.replace("    not ok 2", "    # finding: setup where=1\n    not ok 2", 1)
    log = log.replace("# totals:", "# trait: wrap=lazy\n# totals:", 1)
    keep(store, "a", log)
    assert [row["kind"] for row in store.select("SELECT * FROM findings")] == ["setup"]
    traits = store.select("SELECT place, name, value FROM traits")
    assert traits == [{"place": "", "name": "wrap", "value": "lazy"}]


def test_run_whose_rack_was_killed_is_ended_by_the_next(store):
    store.begin("rack", bay("a"))
    store.begin("rack", bay("b"))
    assert keep(store, "a") == 2
    assert [run["trouble"] for run in store.history("a")] == ["broken-off", ""]
    assert store.history("b")[0]["ended"] is None, "another board's run is another's affair"


WRITER = """
import sys
sys.path[:0] = [{lab!r}, {reporting!r}, {rack!r}, {host!r}]
from test_rack_store import Store, keep
from pathlib import Path
for _ in range(15):
    keep(Store.to_write(Path(sys.argv[1])), sys.argv[2])
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path):
    """Some of one board, and all of them make the store."""
    folders = {name: str(ROOT / "tools" / name) for name in ("lab", "reporting", "rack")}
    program = WRITER.format(**folders, host=str(ROOT / "tests/host"))
    path = tmp_path / "store.sqlite"
    command = [sys.executable, "-c", program, path]
    running = [subprocess.Popen([*command, board]) for board in ("a", "b", "b")]
    assert [each.wait(250) for each in running] == [0, 0, 0]
    store = Store.to_read(path)
    assert [run["number"] for run in store.history("a")] == list(range(1, 16))
    assert [run["number"] for run in store.history("b")] == list(range(1, 31))
    assert store.select("PRAGMA integrity_check") == [{"integrity_check": "ok"}]


def test_act_that_fails_in_the_middle_leaves_nothing(store):
    broken = data(GOOD)
    broken["traits"] = {"": {"wrap": None}}
    run, _ = store.begin("rack", bay("a"))
    with pytest.raises(LabError):
        store.finish(run, broken, tries=1, trouble="", told="")
    assert store.history("a")[0]["ended"] is None


def test_older_store_is_brought_up_to_date_once(store, monkeypatch):
    keep(store, "a")
    step = "ALTER TABLE runs ADD COLUMN slot TEXT; CREATE TABLE more (x)"
    monkeypatch.setattr(result_store, "STEPS", (*result_store.STEPS, step))
    newer = Store.to_write(store.path)
    assert newer.find("a")["slot"] is None
    assert newer.select("PRAGMA user_version") == [{"user_version": len(result_store.STEPS)}]
    assert Store.to_read(store.path).history("a")[0]["verdict"] == "PASS"


def test_step_that_fails_changes_nothing(store, monkeypatch):
    monkeypatch.setattr(
        result_store, "STEPS", (*result_store.STEPS, "CREATE TABLE more (x); NONSENSE")
    )
    with pytest.raises(LabError):
        Store.to_write(store.path)
    monkeypatch.undo()
    assert store.select("SELECT name FROM sqlite_master WHERE name = 'more'") == []


def test_newer_store_is_refused(store):
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(LabError, match="has version 99, this rack knows"):
        Store.to_write(store.path)


def some_text(path):
    path.write_text("I am no database, and longer than sixteen bytes. " * 40)


def of_others(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE runs (a)")


def damaged(path):
    store = Store.to_write(path)
    for _ in range(20):
        keep(store, "a")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    whole = bytearray(path.read_bytes())
    for at in range(4096, len(whole), 4096):
        whole[at : at + 100] = b"\xa5" * 100
    path.write_bytes(whole)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [(some_text, "damaged or no store"), (of_others, "something else"), (damaged, "is damaged")],
)
def test_file_that_is_no_store_is_refused_and_left_alone(tmp_path, spoil, told):
    path = tmp_path / "store.sqlite"
    spoil(path)
    before = path.read_bytes()
    for opening in (Store.to_write, Store.to_read):
        with pytest.raises(LabError, match=told):
            opening(path)
    assert path.read_bytes() == before


def test_store_that_is_not_there_is_not_made_by_reading(tmp_path):
    with pytest.raises(LabError, match="there is no store"):
        Store.to_read(tmp_path / "none")
    with pytest.raises(LabError, match="cannot be used"):
        Store(tmp_path).latest()


def test_store_whose_folder_cannot_be_written_is_told_in_words(store):
    """Another's, on a disk of theirs: SQLite could not even read it."""
    folder = store.path.with_name(store.path.name + ".locks")
    shutil.rmtree(folder)
    folder.write_text("in the way")
    with pytest.raises(LabError, match="its folder cannot be written: .*copy it"):
        Store.to_read(store.path)


def test_stores_side_by_side_share_neither_locks_nor_logs(tmp_path):
    """As those of two releases, v1.4 and v1.5."""
    paths = [tmp_path / "v1.4", tmp_path / "v1.5"]
    for folder in (result_store.lock_folder, result_store.logs_folder):
        assert len({folder(path) for path in paths} | set(paths)) == 4


def test_log_is_known_again_to_the_letter(store):
    """Whatever stood before and behind it; a log that is cut off is none."""
    log, other = judge(raw(GOOD)).log, judge(raw(GOOD.replace("check: v1", "check: v2"))).log
    again = judge(b"firmware\n" + raw(GOOD)).log
    assert result_store.sum_of_log(again) == result_store.sum_of_log(log) is not None
    assert result_store.sum_of_log(other) != result_store.sum_of_log(log)
    assert result_store.sum_of_log(judge(raw(GOOD)[:200]).log) is None
    kept, late = [store.begin("rack", bay(name))[0] for name in ("a", "b")]
    known = result_store.sum_of_log(log)
    store.finish(kept, data(GOOD), tries=1, trouble="", told="", log_sum=known)
    assert store.run_with_log(late, known) == "1 of a" and store.run_with_log(kept, known) is None


def test_run_that_has_not_ended_is_not_missing_in_what_is_exported(store):
    keep(store, "a")
    store.begin("rack", bay("b"))
    command = [ROOT / "tools/lab/rack", "export", "--store", store.path]
    answer = execute(*command, check=True, timeout=60)
    runs = {run["board"]: run["status"]["name"] for run in json.loads(answer.stdout)}
    assert runs == {"a": "PASS", "b": "ERROR"}


def test_comparison_has_what_differs_first(store):
    keep(
        store,
        "a",
        GOOD.replace("# totals:", "# trait: wrap=lazy\n# trait: from=next\n# totals:", 1),
    )
    other = FAILING.replace("# totals:", "# trait: wrap=eager\n# trait: from=next\n# totals:", 1)
    keep(store, "b", other, stepping=4)
    rows = comparing.compare(store, "a", "b@1")["rows"]
    assert [row["same"] for row in rows] == sorted(row["same"] for row in rows)
    found = {(row["part"], row["name"]): (row["a"], row["b"]) for row in rows if not row["same"]}
    assert found["verdict", "status"] == ("PASS", "FAIL")
    assert found["traits", "wrap"] == ("lazy", "eager")
    assert found["processor", "stepping"] == ("3", "4")
    assert ("traits", "from") not in found
    out = io.StringIO()
    comparing.print_comparison(comparing.compare(store, "a", "b"), out)
    first, second = out.getvalue().split("The same:")
    assert "wrap" in first and "next" in second and "wrap" not in second


def test_run_that_has_not_ended_cannot_be_compared(store):
    keep(store, "a")
    store.begin("rack", bay("b"))
    with pytest.raises(LabError, match="b@1 cannot be compared: it has not ended"):
        comparing.compare(store, "a", "b")
