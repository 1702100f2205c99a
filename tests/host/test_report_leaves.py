# SPDX-License-Identifier: GPL-2.0-or-later
"""A log's row of real_processors.txt."""

from conftest import ROOT
from judge import judge
from writing import leaves_rows
from report_logs import HEAD, PASSING, log_of, report, write_logs
from run_data import run_data

LEAVES = (
    "# leaves: 0.0=16.756e6547.6c65746e.49656e69 1.0=506e3.100800.7ffafbbf.bfebfbff"
    " 7.0=0.29c6fbf.0.bc000400 a.0=7300404.0.0.603 1a.0=0.0.0.0 msr345=33c5 msr1a0=850089\n"
)
TELLING = log_of(head=HEAD + LEAVES)
ROW = (
    "GenuineIntel 0=16 1=506e3.0.8014.200020 7=0.800 a=7300404.0.0.603 msr345=33c5 msr1a0=80"
    " # Intel Core Processor (Skylake)\n"
)


def row_of(log):
    return leaves_rows([run_data(judge(log))]).decode()


def test_row_has_the_bits_that_decide():
    assert row_of(TELLING) == ROW


def test_row_is_one_of_the_file_but_for_what_no_dump_tells():
    words = {word for word in ROW.split(" # ")[0].split() if not word.startswith("msr")}
    text = (ROOT / "tests/host/real_processors.txt").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if words <= set(line.split())]


def test_hypervisor_is_in_the_row():
    guest = TELLING.replace(b"none (bare metal)", b"Microsoft Hv")
    assert row_of(guest).startswith("GenuineIntel under=Microsoft_Hv 0=16 ")


def test_log_that_does_not_tell_has_no_row():
    assert row_of(PASSING) == "# Intel Core Processor (Skylake): the log does not tell\n"


def test_report_prints_a_row_of_each_log(tmp_path):
    answer = report("--leaves", "-", *write_logs(tmp_path, a=TELLING, b=TELLING))
    assert answer.returncode == 0 and answer.stdout.decode() == 2 * ROW, answer.stderr
