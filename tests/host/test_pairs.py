# SPDX-License-Identifier: GPL-2.0-or-later
"""Two faults in one processor: which pairs, how they are judged; some are booted."""

import json
import sys

import pytest
from conftest import ROOT, execute
from test_laboratory import boots, laboratory  # noqa: F401 pylint: disable=unused-import

sys.path.insert(0, str(ROOT / "tools/trust"))

import pairs  # noqa: E402
import plan  # noqa: E402
from outcome import Outcome  # noqa: E402
from silicon import Fault  # noqa: E402

ABLE = {"skylake": {"a", "b", "c"}, "haswell": {"b", "c"}, "no-ds": {"a"}}
FAULTS = {
    "a": Fault("a", ("X-1", "X-2"), (), "breaks one"),
    "b": Fault("b", ("X-3",), (), "breaks three"),
    "c": Fault("c", (), ("E1",), "like an erratum"),
}


def test_pairs_are_of_faults_that_the_processor_can_show():
    cases = pairs.pair_cases(ABLE, 100, 1)
    names = {case.name for case in cases}
    assert names == {
        "skylake,fault=a+b",
        "skylake,fault=a+c",
        "skylake,fault=b+c",
        "haswell,fault=b+c",
    }
    assert len(cases) == len(names)
    assert pairs.pair_cases(ABLE, 2, 5) == pairs.pair_cases(ABLE, 2, 5)
    assert len({tuple(pairs.pair_cases(ABLE, 2, seed)) for seed in range(20)}) > 3
    assert pairs.pair_cases({"no-ds": {"a"}}, 3, 1) == []


@pytest.mark.parametrize(
    ("pair", "status", "broken", "failed", "verdict"),
    [
        ("a+b", "FAIL", ["X-2"], ["t.t"], "caught"),
        ("a+b", "FAIL", ["X-3"], ["t.t"], "caught"),
        ("a+b", "FAIL", ["X-9"], ["t.t"], "caught elsewhere"),
        ("a+c", "FAIL", ["X-9"], ["t.t"], "caught"),
        ("a+b", "PASS", [], [], "missed"),
        ("a+c", "PASS", [], [], "missed"),
        ("a+c", "CUT_OFF", [], [], "broke off"),
    ],
)
def test_one_of_the_two_is_enough(pair, status, broken, failed, verdict):
    case, outcome = plan.Case("skylake", fault=pair), Outcome(status, broken, failed, [])
    assert pairs.judge_pair(case, FAULTS, outcome) == verdict


def test_a_pair_is_booted_with_the_tests_of_both(laboratory):  # noqa: F811
    case, faults = plan.Case("skylake", fault="a+b"), FAULTS
    healthy = laboratory.run(plan.Case("skylake"))
    found = pairs.boot_pair(laboratory, case, faults, healthy)
    assert pairs.judge_pair(case, faults, found) == "caught"
    line = boots(laboratory)[-1]
    assert "x-ds-fault=a+b" in line and "btscheck:test=table17_6.encodings" in line


def test_rare_pairs_on_the_command_line():
    assert plan.Case("skylake", fault="a+b", rarity=9).fault_text() == "a:1/9+b:1/9"


def test_the_result_names_what_was_missed(capsys, tmp_path):
    cases = [plan.Case("skylake", fault=pair) for pair in ("a+b", "b+c")]
    found = {cases[0]: Outcome("PASS", [], [], []), cases[1]: Outcome("FAIL", ["X-3"], ["t.t"], [])}
    result = pairs.build_result(found, FAULTS, 3, 1)
    assert pairs.finish(result, tmp_path / "pairs.json") == 1
    text = capsys.readouterr().out
    assert "missed: skylake,fault=a+b (X-1 X-2 X-3)" in text
    assert "pairs of faults: 2, seed 1: 1 caught, 0 caught elsewhere, 0 broke off, 1 missed" in text
    assert json.loads((tmp_path / "pairs.json").read_text()) == result
    del found[cases[0]]
    assert pairs.finish(pairs.build_result(found, FAULTS, 3, 1), tmp_path / "pairs.json") == 0


@pytest.mark.parametrize("others", [["--neighbours"], ["--only", "skylake,*"]])
def test_what_has_no_effect_is_refused(others):
    answer = execute(ROOT / "tools/matrix", "--pairs", "3", *others)
    assert answer.returncode == 2 and "have no effect" in answer.stderr


@pytest.mark.timeout(600)
def test_some_pairs(iso, emulator, tmp_path):
    command = [str(ROOT / "tools/matrix"), "--smoke", "--pairs", "3", "--qemu", emulator]
    command += ["--iso", str(iso), "--elf", str(iso.with_suffix(".elf")), "--seed", "2"]
    command += ["--output", str(tmp_path / "pairs.json")]
    answer = execute(*command)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "pairs of faults: 3, seed 2: 3 caught" in answer.stdout
