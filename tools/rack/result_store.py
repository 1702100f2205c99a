# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of all runs in one SQLite file, which several rack processes write at once.

A run begins before its board is switched on, and ends with all that is known. If its process was
killed, the next one that takes the board ends it.
"""

import contextlib
import errno
import hashlib
import json
import os
import sqlite3
import time
from datetime import datetime, timezone

import slots
from errors import no_room
from machine import LabError, told
from nearest import no_such
from places import MADE

from run_data import brief

ROW = "board, number, started, ended, told, log"  # of a run, beside its data
USUAL = MADE / "rack/store.sqlite"  # where no rack file names another
OURS = 0x62747363  # application_id: "btsc"
BOARDS_NAMED = 40  # where one is not found
PATIENCE = 60  # seconds that one writer waits for another
NEVER_ENDED = "broken-off"  # trouble of a run whose process was killed

# What makes a store of version n one of version n + 1, from nothing on. Only ever add one.
STEPS = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        board TEXT NOT NULL,
        number INTEGER NOT NULL,            -- the board's first run is 1
        rack TEXT NOT NULL, bay TEXT NOT NULL,
        started TEXT NOT NULL, ended TEXT,  -- ISO 8601, UTC; no end: it runs, or was killed
        seconds REAL, tries INTEGER NOT NULL DEFAULT 0,
        status INTEGER, verdict TEXT, trouble TEXT NOT NULL DEFAULT '',
        told TEXT NOT NULL DEFAULT '',      -- why, and what to do next
        brand TEXT, signature TEXT, stepping INTEGER, microcode TEXT,
        image TEXT, options TEXT NOT NULL DEFAULT '', log TEXT,
        data TEXT,                          -- the whole run: tools/reporting/run_data.schema.json
        UNIQUE (board, number)
    );
    CREATE TABLE tries (run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL,
        started TEXT NOT NULL, seconds REAL, trouble TEXT NOT NULL, told TEXT NOT NULL, log TEXT,
        PRIMARY KEY (run, number));
    CREATE TABLE findings (run INTEGER NOT NULL REFERENCES runs, test TEXT NOT NULL,
        kind TEXT NOT NULL, text TEXT NOT NULL, times INTEGER NOT NULL);
    CREATE TABLE traits (run INTEGER NOT NULL REFERENCES runs, place TEXT NOT NULL,
        name TEXT NOT NULL, value TEXT NOT NULL);
    CREATE INDEX findings_of_run ON findings (run);
    CREATE INDEX traits_of_run ON traits (run);
    CREATE INDEX traits_by_name ON traits (name, value);
    """,
    """
    ALTER TABLE runs ADD COLUMN log_sum TEXT;  -- what sum_of_log() makes of a log that ended
    CREATE INDEX runs_by_log ON runs (log_sum);
    """,
    """
    ALTER TABLE runs ADD COLUMN brief TEXT;  -- data, without what passed: for pages of many boards
    """,
    """
    ALTER TABLE runs ADD COLUMN hardware TEXT;  -- the board, as its tables name it
    ALTER TABLE runs ADD COLUMN bios TEXT;
    ALTER TABLE runs ADD COLUMN ppin TEXT;      -- the inventory number of its processor
    """,
)


def now():
    """As the store has times."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextlib.contextmanager
def store_errors(path):
    """What SQLite finds wrong with the file, in words."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise LabError(f"the store {path} cannot be used: {why_not(error, path)}") from error
    except sqlite3.DatabaseError as error:
        raise LabError(
            f"the store {path} is damaged or no store: {error}; move it away, a new one is made"
            " (`sqlite3 FILE .recover` may save the old one's rows; logs are judged again by"
            " tools/lab/judge-log)"
        ) from error


def why_not(error, path):
    """SQLite has words of its own for a full disk, several; some room may be there again."""
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
        return os.strerror(errno.ENOSPC)
    return no_room(path.parent) or error


@contextlib.contextmanager
def alone(path):
    """One process opens a store at a time: SQLite waits for no other one that changes its mode."""
    until = time.monotonic() + PATIENCE
    while (handle := lock_of_store(path)) is None:
        if time.monotonic() > until:
            raise LabError(f"the store {path} was being opened by another for {PATIENCE} s")
        time.sleep(slots.LOOK_AGAIN)
    with handle:
        yield


def lock_of_store(path):
    try:
        return slots.try_lock(lock_folder(path) / "store")
    except OSError as error:
        raise LabError(
            f"the store {path} cannot be used, its folder cannot be written: {told(error)}; SQLite"
            " writes beside it also where it reads: copy it to a folder of yours"
        ) from error


def lock_folder(path):
    """Where those who share a store lock their boards and groups; it is made."""
    folder = path.with_name(path.name + ".locks")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def logs_folder(path):
    """Where the runs of a store keep their logs, each board its own folder."""
    return path.with_name(path.name + ".logs")


def sum_of_log(log):
    """Two logs with the same one are the same to the letter, from the first line of the kernel to
    its verdict; None of a log that did not come so far."""
    lines = lines_of_log(log)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines else None


def lines_of_log(log):
    if log.root is None or log.verdict is None:
        return []
    return log.lines[log.root.line - 1 : log.ended_at]


class Store:
    """Each act has a connection of its own, so any thread may do it. All raise LabError."""

    def __init__(self, path):
        self.path = path

    @classmethod
    def to_write(cls, path):
        """Makes the store where there is none; brings an older one to this version."""
        path.parent.mkdir(parents=True, exist_ok=True)
        store = cls(path)
        with alone(path), store_errors(path), store.connection() as connection:
            store.check(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            store.bring_up_to_date(connection)
        return store

    @classmethod
    def to_read(cls, path):
        """One that is there and of this version."""
        if not path.is_file():
            raise LabError(f"there is no store {path}; `rack run` makes it, --store names another")
        store = cls(path)
        with alone(path), store_errors(path), store.connection() as connection:
            store.check(connection)
            store.bring_up_to_date(connection)
        return store

    @contextlib.contextmanager
    def connection(self):
        """Outside of a transaction, which transaction() begins."""
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def transaction(self):
        """All of it, or nothing: a process that is killed in the middle leaves nothing."""
        with store_errors(self.path), self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def check(self, connection):
        """Refuses what is no store of ours, and what is damaged."""
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        mark = value_of(connection, "application_id")
        if mark != OURS and (tables or mark):
            raise LabError(f"{self.path} is a database of something else; name another store")
        version = value_of(connection, "user_version")
        if version > len(STEPS):
            raise LabError(
                f"the store {self.path} has version {version}, this rack knows {len(STEPS)}: use"
                " the newer btscheck that wrote it"
            )
        if (found := value_of(connection, "quick_check(1)")) != "ok":
            raise sqlite3.DatabaseError(found)

    def bring_up_to_date(self, connection):
        """One version after the other, each whole or not at all."""
        while (version := value_of(connection, "user_version")) < len(STEPS):
            connection.execute("BEGIN IMMEDIATE")
            try:
                if value_of(connection, "user_version") == version:  # nobody was faster
                    for statement in statements(STEPS[version]):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {OURS}")
                    connection.execute(f"PRAGMA user_version = {version + 1}")
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    # ---- writing ----------------------------------------------------------------------------

    def begin(self, rack, bay):
        """A new run of a board that the caller has locked: (its id, its number)."""
        with self.transaction() as connection:
            self.end_broken_off(connection, bay.board)
            number = connection.execute(
                "SELECT ifnull(max(number), 0) + 1 FROM runs WHERE board = ?", (bay.board,)
            ).fetchone()[0]
            row = (bay.board, number, rack, bay.name, now(), bay.options)
            made = connection.execute(
                "INSERT INTO runs (board, number, rack, bay, started, options)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
            return made.lastrowid, number

    @staticmethod
    def end_broken_off(connection, board):
        """Who had begun it is gone, or the board would not be ours."""
        connection.execute(
            "UPDATE runs SET ended = ?, status = 2, verdict = 'ERROR', trouble = ?, told ="
            " 'the rack was killed while this ran' WHERE board = ? AND ended IS NULL",
            (now(), NEVER_ENDED, board),
        )

    def add_try(self, run, number, row):
        """row: started, seconds, trouble, told, log."""
        values = (run, number, *(row[k] for k in ("started", "seconds", "trouble", "told", "log")))
        with self.transaction() as connection:
            connection.execute("INSERT INTO tries VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def run_with_log(self, run, log_sum):
        """Another run that has this very log, as "NUMBER of BOARD"; None where there is none."""
        text = "SELECT number, board FROM runs WHERE log_sum = ? AND id != ? ORDER BY id LIMIT 1"
        found = self.select(text, log_sum, run)
        return f"{found[0]['number']} of {found[0]['board']}" if found else None

    def finish(self, run, data, *, tries, trouble, told, log_sum=None):
        """data: of run_data(); with its findings and traits as rows, for whoever asks in SQL."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE runs SET ended = :ended, seconds = :seconds, tries = :tries,"
                " status = :status, verdict = :verdict, trouble = :trouble, told = :told,"
                " brand = :brand, signature = :signature, stepping = :stepping,"
                " microcode = :microcode, image = :image, log = :log,"
                " hardware = :hardware, bios = :bios, ppin = :ppin,"
                " options = CASE :options WHEN '' THEN options ELSE :options END,"
                " data = :data, brief = :brief, log_sum = :log_sum WHERE id = :id",
                {
                    "id": run,
                    "tries": tries,
                    "trouble": trouble,
                    "told": told,
                    "log_sum": log_sum,
                    **columns_of(data),
                },
            )
            connection.executemany(
                "INSERT INTO findings VALUES (?, ?, ?, ?, ?)",
                [(run, *each) for each in findings_of(data["tests"])],
            )
            connection.executemany(
                "INSERT INTO traits VALUES (?, ?, ?, ?)",
                [
                    (run, place, name, value)
                    for place, traits in data["traits"].items()
                    for name, value in traits.items()
                ],
            )

    # ---- reading ----------------------------------------------------------------------------

    def select(self, text, *values):
        """Rows as dicts."""
        with store_errors(self.path), self.connection() as connection:
            return [dict(row) for row in connection.execute(text, values)]

    def latest(self):
        """The last run of each board."""
        return self.select(
            "SELECT * FROM runs WHERE number = (SELECT max(number) FROM runs AS other"
            " WHERE other.board = runs.board) ORDER BY board"
        )

    def each(self, last, is_brief=False):
        """The rows of all runs, or of the last one of each board, one at a time; brief ones with
        as much of their data as a page of many boards needs."""
        columns = f"{ROW}, ifnull(brief, data) AS data" if is_brief else "*"
        wanted = "max(number)" if last else "number"
        group = "GROUP BY board" if last else ""
        runs = self.select(f"SELECT id, board, {wanted} AS n FROM runs {group} ORDER BY board, n")
        with store_errors(self.path), self.connection() as connection:
            for run in runs:
                row = connection.execute(f"SELECT {columns} FROM runs WHERE id = ?", (run["id"],))
                yield dict(row.fetchone())

    def count(self, last):
        """How many rows each() gives."""
        what = "DISTINCT board" if last else "*"
        return self.select(f"SELECT count({what}) AS n FROM runs")[0]["n"]

    def history(self, board):
        rows = self.select("SELECT * FROM runs WHERE board = ? ORDER BY number", board)
        if not rows:
            known = [row["board"] for row in self.latest()]
            if not known:
                raise LabError(f"the store {self.path} has no run")
            raise LabError(no_such("the store has no board", board, known[:BOARDS_NAMED]))
        return rows

    def find(self, name):
        """BOARD: its last run that has ended; BOARD@NUMBER."""
        board, _, number = name.partition("@")
        runs = self.history(board)
        if not number:
            runs = [run for run in runs if run["data"]] or runs
            return runs[-1]
        for run in runs:
            if str(run["number"]) == number:
                return run
        raise LabError(f"the board '{board}' has no run {number}; it has 1 to {len(runs)}")

    def tries(self, run):
        return self.select("SELECT * FROM tries WHERE run = ? ORDER BY number", run)


def value_of(connection, pragma):
    return connection.execute(f"PRAGMA {pragma}").fetchone()[0]


def statements(script):
    """executescript() would end the transaction."""
    text = "\n".join(line.split("--")[0] for line in script.splitlines())
    return [each for each in text.split(";") if each.strip()]


def columns_of(data):
    processor, machine = data["processor"], data["machine"]
    return {
        **{key: processor[key] for key in ("brand", "signature", "stepping", "microcode")},
        "hardware": machine["board"],
        "bios": machine["bios"],
        "ppin": machine["ppin"],
        "ended": now(),
        "seconds": data["seconds"],
        "image": data["image"],
        "status": data["status"]["number"],
        "verdict": data["status"]["name"],
        "options": " ".join(data["options"]),
        "log": data["log"],
        "data": json.dumps(data, ensure_ascii=False),
        "brief": json.dumps(brief(data), ensure_ascii=False),
    }


def findings_of(tests, above=""):
    """(test, kind, text, times) of tests and their parts."""
    for test in tests:
        name = above + test["name"]
        for found in test["findings"]:
            yield name, found["kind"], found["text"], found["times"]
        yield from findings_of(test["subtests"], name + ".")
