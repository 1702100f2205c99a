# SPDX-License-Identifier: GPL-2.0-or-later
"""What tools/bench reads from a log, and makes of several; no rate is asked for here."""

import importlib.machinery
import importlib.util
import sys

import pytest
from conftest import ROOT
from machine import LabError

LOADER = importlib.machinery.SourceFileLoader("bench", str(ROOT / "tools/bench"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", LOADER))
sys.modules["bench"] = bench  # its dataclass looks there
LOADER.exec_module(bench)

RECORDED = """\
KTAP version 1
1..1
  KTAP version 1
  # Subtest: bench
  1..4
  # bench: off 1836.7 M branches/s
  ok 1 off
  # bench: bts 49.0 M records/s
  ok 2 bts
  # bench: lbr 67.7 M records/s
  ok 3 lbr
  # bench: stepped 0.6 M branches/s
  ok 4 stepped
# time: suite bench 0.61 s
ok 1 bench
# time: suite random 1.20 s
# coverage: 0 of 77 claims checked
# time: 879 ms from kernel entry to verdict
# totals: planned=4 run=4 pass=4 fail=0 skip=0 xfail=0 timeout=0
# results: pass=4 fail=0 skip=0 xfail=0 timeout=0 check=0xfde96acf
# verdict: PASS
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_log_is_read(end):
    log = bench.read_log(RECORDED.replace("\n", end))
    assert log.rates == {"off": 1836.7, "bts": 49.0, "lbr": 67.7, "stepped": 0.6}
    assert log.units["off"] == "branches" and log.units["lbr"] == "records"
    assert log.suites == {"bench": 0.61, "random": 1.2}
    assert (log.to_verdict, log.verdict) == (0.879, "PASS")


@pytest.mark.parametrize(
    "text", ["", "# bench: bts M records/s\n", "x # bench: bts 1.0 M records/s"]
)
def test_nothing_is_read_from_nothing(text):
    assert bench.read_log(text) == bench.Log({}, {}, {}, None, None)


def logs(**rates):
    """One round each: name=(rate, rate, ...), None where there is none."""
    rounds = range(max(map(len, rates.values())))
    return [
        bench.Log(
            {name: each[i] for name, each in rates.items() if each[i]},
            {name: "records" for name in rates},
            {},
            None,
            "PASS",
        )
        for i in rounds
    ]


def test_ratios_are_of_runs_side_by_side():
    fast, slow = logs(bts=(40.0, 20.0, 30.0)), logs(bts=(5.0, 2.0, None))
    assert bench.ratios(fast, slow, "bts") == [8.0, 10.0]
    all_of_them = {bench.FAST: fast, bench.LONG: slow, bench.PLAIN: logs(bts=(None,) * 3)}
    assert list(bench.comparisons(all_of_them)) == [
        "bts, emulator to long way: 9.00 (8.00 to 10.00), 2 pairs"
    ]


def test_table_has_medians_and_holes():
    lines = list(bench.table({"one": logs(bts=(1.0, 9.0, 2.0)), "two": logs(bts=(None,) * 3)}))
    assert lines[0].split() == ["M/s", "one", "two"]
    assert lines[1].split() == ["bts", "records", "2.0", "-"]


def test_times_begin_with_the_longest_suite():
    lines = list(bench.times(bench.read_log(RECORDED)))
    assert [line.split()[1] for line in lines[:2]] == ["random", "bench"]
    assert lines[2].split()[-2:] == ["0.88", "s"]


def program(path, version):
    path.write_text(f"#!/bin/sh\necho 'QEMU emulator version {version}'\n")
    path.chmod(0o755)
    return str(path)


def test_plain_is_of_the_same_version_or_the_emulator_itself(tmp_path, monkeypatch):
    ours, same = program(tmp_path / "ours", "10.0.13"), program(tmp_path / "same", "10.0.13 (D)")
    other = program(tmp_path / bench.STOCK, "7.2.22 (Debian 1:7.2)")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert bench.find_plain(None, ours) is None
    assert bench.find_plain(same, ours) == same
    with pytest.raises(LabError, match="10.0.13"):
        bench.find_plain(other, ours)
    program(tmp_path / bench.STOCK, "10.0.13")
    assert bench.find_plain(None, ours) == other


def test_each_machine_is_what_its_column_says(tmp_path):
    options = type("", (), {"profile": "skylake", "iso": tmp_path})()
    machines = bench.make_machines(options, "/ours", "/plain")
    assert [machine.qemu for machine in machines.values()] == ["/ours", "/ours", "/plain"]
    assert machines[bench.LONG].variation == "x-ds-fast=off" and not machines[bench.FAST].variation
    assert machines[bench.PLAIN].cpu == "Skylake-Client-v3,check=off,pmu=off"
    assert bench.make_machines(options, "/ours", None)[bench.PLAIN].qemu == "/ours"
