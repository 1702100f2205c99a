# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of the corpus, which tell nothing of whose machine it was; a run beside its relatives."""

import json

import corpus
import pytest
from judge import judge
from report_logs import HEAD, PASSING, log_of, report, write_logs
from run_data import run_data

LEAVES = (
    "# leaves: 0.0=16.756e6547.6c65746e.49656e69 1.0=506e3.100800.7ffafbbf.bfebfbff"
    " 7.0=0.29c6fbf.0.bc000400 a.0=7300404.0.0.603 1a.0=0.0.0.0 msr345=33c5 msr1a0=850089\n"
)
TELLING = log_of(head=HEAD + LEAVES)
ROW = (
    "GenuineIntel 0=16 1=506e3.0.8014.200020 7=0.800 a=7300404.0.0.603 msr345=33c5 msr1a0=80"
    " # Intel Core Processor (Skylake)"
)


def run_of(log):
    return run_data(judge(log), board="rack7-bay3", log_path="/home/me/secret.ktap")


def leaves_of(log):
    return corpus.row_of(run_of(log))["leaves"]


def test_leaves_are_the_bits_that_decide():
    assert leaves_of(TELLING) == ROW
    assert leaves_of(PASSING) == ""
    guest = TELLING.replace(b"none (bare metal)", b"Microsoft Hv")
    assert leaves_of(guest).startswith("GenuineIntel under=Microsoft_Hv 0=16 ")


def test_row_says_what_was_seen_and_nothing_of_the_board(tmp_path):
    (log,) = write_logs(tmp_path, secret=TELLING)
    row = report("--corpus", "-", log).stdout.decode()
    found = json.loads(row)
    assert (found["model"], found["stepping"], found["verdict"]) == ("06_5EH", 3, "PASS")
    assert found["traits"][""]["crossing"] == "new|old" and found["errata"] == ["HSD53"]
    for word in ("secret", "P1.40", "Board Maker", "0123456789abcdef", "2026", str(tmp_path)):
        assert word.encode() in TELLING + str(log).encode() and word not in row


@pytest.fixture(name="known")
def known_rows(tmp_path, monkeypatch):
    """Three of one model, of which two have another trait; one of another model."""
    same = corpus.row_of(run_of(TELLING))
    lazy = {**same, "traits": {"": {**same["traits"][""], "wrap": "eager"}}}
    rows = [same, lazy, {**lazy, "verdict": "FAIL"}, {**lazy, "model": "06_8FH"}]
    path = tmp_path / "runs.txt"
    path.write_text("# a comment\n" + "".join(f"{json.dumps(row)}\n" for row in rows))
    monkeypatch.setattr(corpus, "RUNS", path)


def test_run_beside_its_relatives(known):
    lines = corpus.relatives_text([run_of(TELLING)]).decode().splitlines()
    assert lines[0] == "rack7-bay3: 3 others of 06_5EH in the corpus (2 PASS, 1 FAIL)"
    assert lines[1] == "rack7-bay3: differs from 2 others in wrap: lazy (2: eager)"
    assert lines[2].startswith("rack7-bay3: its leaves are those of ") and len(lines) == 3


def test_leaves_that_no_dump_has(known):
    other = TELLING.replace(b"a.0=7300404", b"a.0=7300405")
    assert corpus.relation(run_of(other), [])[-1].endswith(
        "has a=7300405.0.0.603: the nearest has a=7300404.0.0.603"
    )
    elsewhere = TELLING.replace(b"1.0=506e3", b"1.0=f06e3").replace(b"06_5EH", b"06_FEH")
    assert corpus.relation(run_of(elsewhere), [])[-1] == "no public dump of 06_FEH"
    assert corpus.relation(run_of(PASSING), [])[-1] == "the log does not tell its leaves"
    assert corpus.relation(run_of(b""), []) == ["the log does not tell which processor it is"]


def test_rows_of_the_repository_are_rows():
    assert len(corpus.read(corpus.DUMPS)) > 200
    for row in map(json.loads, corpus.read(corpus.RUNS)):
        assert row.keys() == corpus.row_of(run_of(TELLING)).keys() and not row["hypervisor"]
