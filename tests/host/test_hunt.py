# SPDX-License-Identifier: GPL-2.0-or-later
"""How mutants are hunted, and what is made of the answers; without a boot."""

import json
import runpy
import sys
from dataclasses import dataclass
from types import SimpleNamespace

import hunt
import pytest
import coverage_boots
from conftest import ROOT
from equivalent import load_equivalent
from hunt import FEW, Hunter, Seen, bad_end
from judge import Status
from machine import LabError
from plan import Case
from coverage_boots import differences, expected_of, record_reach
from boots import GLOB_LIMIT, Boots, glob_list
from score import contradicted, scores, statuses, survivors
from found import EQUIVALENT, KILLED, SURVIVED, UNREACHED, UNTRIED
from found import Found, Store, read_kills, write_kills

MUTANTS = SimpleNamespace(**runpy.run_path(str(ROOT / "tools/mutants")))
NOTHING = Seen([], [], "")


@dataclass(frozen=True)
class Processor:
    name: str
    properties: tuple = (("wrap", "eager"),)


FIRST, SECOND, THIRD, FOURTH = (Processor(name) for name in ("first", "second", "third", "fourth"))


def mutant(name="bts.c/store/drop.1", point=1):
    file, function, _ = name.rsplit("/", 2)
    return {
        "name": name,
        "file": file,
        "function": function,
        "point": point,
        "line": 7,
        "before": "a",
        "after": "b",
    }


class Fake(Hunter):
    """Answers from a list, the last of them for ever; notes what was booted."""

    def __init__(self, reach, answers, **more):
        super().__init__(
            qemu="",
            iso=None,
            snapshots=None,
            profiles={},
            reach=reach,
            folder=None,
            image="now",
            **more,
        )
        self.answers, self.booted = list(answers), []

    def boot(self, case, mutant, command_line):
        self.booted.append((case.name, command_line))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def test_what_no_test_reaches_is_not_booted():
    hunter = Fake({FIRST: {"a.x": {2}}}, [NOTHING])
    assert hunter.hunt(mutant(point=1)).status == UNREACHED
    assert not hunter.booted


def test_the_tests_that_reach_it_come_first_and_one_failure_ends_it():
    hunter = Fake({FIRST: {"a.x": {2}, "a.y": {1}}}, [Seen(["a.y"], ["BTS-1"], "")])
    found = hunter.hunt(mutant())
    assert (found.status, found.tests, found.case) == (KILLED, ["a.y"], "first")
    assert hunter.booted == [("first", "test=a.y")]


def test_a_survivor_is_tried_whole_and_on_other_processors_that_reach_it():
    many = {f"a.t{n:02}": {1} for n in range(FEW + GLOB_LIMIT + 1)}
    reach = {FIRST: many, SECOND: {"a.x": {2}}, THIRD: {"a.x": {1}}, FOURTH: {"a.x": {1}}}
    hunter = Fake(reach, [NOTHING], breadth=2)
    found = hunter.hunt(mutant())
    assert found.status == SURVIVED and found.boots == 4
    assert [case for case, _ in hunter.booted] == ["first", "first", "first", "third"]
    few, more = sorted(many)[:FEW], sorted(many)[FEW : FEW + GLOB_LIMIT]
    assert [line for _, line in hunter.booted] == [glob_list(few), glob_list(more), "", "test=a.x"]


def test_what_survives_fewer_boots_than_it_takes_is_tried_later_and_no_boot_twice(tmp_path):
    many, store = {f"a.t{n}": {1} for n in range(GLOB_LIMIT + 1)}, Store(tmp_path / "found")
    found = Fake({FIRST: many, SECOND: {"a.x": {1}}}, [NOTHING], most=1).hunt(mutant())
    store.add(found)
    assert (found.status, found.boots, store.known(found.name, "", True)) == (UNTRIED, 1, None)
    hunter = Fake({FIRST: many}, [NOTHING], most=2)
    assert hunter.hunt(mutant(), store.tried(found.name, found.image)).status == SURVIVED
    assert len(hunter.booted) == 1 and store.tried(found.name, "another") == []


def test_what_is_reached_before_any_test_may_be_seen_by_all_of_them():
    hunter = Fake({FIRST: {"a.x": {2}, "a.y": {1}, "": {1}}}, [NOTHING])
    hunter.hunt(mutant())
    assert hunter.booted == [("first", "test=a.y"), ("first", "")]


def test_those_that_reach_more_of_the_function_come_before_the_usual():
    reach = {FIRST: {"a.x": {1}}, SECOND: {"a.x": {1, 3}}, THIRD: {"a.x": {1, 2, 3}}}
    functions = {("bts.c", "store"): {1, 2, 3, 4}}
    hunter = Fake(reach, [NOTHING], breadth=1, functions=functions)
    hunter.hunt(mutant())
    assert [case for case, _ in hunter.booted] == ["third", "first"]


def test_what_killed_a_neighbour_comes_first():
    reach = {FIRST: {"a.x": {1}, "a.y": {1, 2, 3}}}
    hunter = Fake(reach, [Seen(["a.y"], [], "")])
    hunter.hunt(mutant("bts.c/store/drop.1"))
    hunter.hunt(mutant("bts.c/store/drop.2"))
    assert [line for _, line in hunter.booted] == ["test=a.x,a.y", "test=a.y,a.x"]


@pytest.mark.parametrize("end", ["CRASH", "TIMEOUT", "CUT_OFF", "ERROR"])
def test_a_run_with_a_bad_end_kills(end):
    found = Fake({FIRST: {"a.x": {1}}}, [Seen([], [], end)]).hunt(mutant())
    assert (found.status, found.end) == (KILLED, end)


def test_what_killed_elsewhere_comes_before_what_reaches_little_else():
    hunter = Fake({FIRST: {"a.x": {1}, "a.y": {1, 2, 3}}}, [NOTHING])
    hunter.learn(Found("lbr.c/push/drop.1", KILLED, ["a.y"]))
    hunter.hunt(mutant())
    assert hunter.booted[0] == ("first", "test=a.y,a.x")


def test_a_processor_that_differs_in_what_the_line_speaks_of_is_tried(tmp_path):
    reach = {case: {"a.x": {1}} for case in (FIRST, SECOND, THIRD, FOURTH)}
    hunter = Fake(reach, [NOTHING], breadth=1, differences={THIRD: {"ds_cpl": ""}})
    hunter.hunt(mutant() | {"file": "debugctl.c", "line": 1, "before": "p->ds_cpl", "after": "1"})
    assert {case for case, _ in hunter.booted} == {"first", "third"}


def test_a_processor_that_differs_in_a_name_that_begins_alike_is_tried(tmp_path):
    reach = {case: {"a.x": {1}} for case in (FIRST, SECOND, THIRD)}
    values = {SECOND: {"pmi_late": "on"}, THIRD: {"wrap": "lazy"}}
    hunter = Fake(reach, [NOTHING], breadth=1, differences=values)
    hunter.hunt(mutant() | {"file": "none.c", "line": 1, "before": "pmi_flush(cpu)", "after": ""})
    assert {case for case, _ in hunter.booted} == {"first", "second"}


def test_what_killed_it_before_and_what_is_asked_for_come_first():
    reach = {case: {"a.x": {1}, "a.y": set()} for case in (FIRST, SECOND, THIRD, FOURTH)}
    told = {mutant()["name"]: Found("", KILLED, tests=["a.y"], case="third")}
    hunter = Fake(reach, [NOTHING], breadth=1, on="f?urth", kept=told)
    hunter.hunt(mutant())
    assert hunter.booted[0] == ("third", "test=a.y")
    assert list(dict(hunter.booted)) == ["third", "fourth", "first"]
    told[mutant()["name"]].tests = ["a.test_that_is_no_more"]
    again = Fake(reach, [NOTHING], breadth=0, kept=told)
    assert again.hunt(mutant(point=7)).status == UNTRIED  # nothing else reaches it
    assert again.booted == [("third", "")]


def test_kills_are_kept_as_long_as_the_change_is_the_same(tmp_path):
    one, other = mutant("a.c/f/drop.1"), mutant("a.c/f/drop.2")
    kills = {
        one["name"]: Found(one["name"], KILLED, tests=["a.x", "a.y"], case="core2"),
        other["name"]: Found(other["name"], KILLED, end="CRASH", case="skylake"),
    }
    write_kills(tmp_path / "kills", kills, [one, other])
    kept = Found(one["name"], KILLED, tests=["a.x"], case="core2")
    assert list(read_kills(tmp_path / "kills", [one, other | {"after": "0"}]).values()) == [kept]
    assert other["name"] in read_kills(tmp_path / "kills", [other])


def test_the_processor_that_differs_most_is_tried():
    reach = {case: {"a.x": {1}} for case in (FIRST, SECOND, THIRD)}
    values = {SECOND: {"odd": "1"}, THIRD: {"odd": "1", "even": "2"}}
    hunter = Fake(reach, [NOTHING], breadth=1, differences=values)
    hunter.hunt(mutant())
    assert list(dict(hunter.booted)) == ["first", "third"]


def test_every_profile_is_tried():
    profiles = [Processor(name, ()) for name in ("core2", "nehalem", "skylake", "goldmont")]
    reach = {case: {"a.x": {1}} for case in (FIRST, SECOND, *profiles)}
    hunter = Fake(reach, [NOTHING], breadth=1)
    hunter.hunt(mutant())
    assert list(dict(hunter.booted)) == ["first", "core2", "nehalem", "skylake", "goldmont"]


def test_one_processor_is_tried_for_each_value(tmp_path):
    reach = {case: {"a.x": {1}} for case in (FIRST, SECOND, THIRD, FOURTH)}
    values = {SECOND: {"width": "40"}, THIRD: {"width": "40"}, FOURTH: {"width": "32"}}
    hunter = Fake(reach, [NOTHING], breadth=1, differences=values)
    hunter.hunt(mutant() | {"file": "debugctl.c", "line": 1, "before": "p->width", "after": "1"})
    assert {case for case, _ in hunter.booted} == {"first", "second", "fourth"}


def test_processors_differ_in_what_is_told_of_them():
    profiles = {
        "one": {"cpu": "X,+ds,+ds-cpl,x-ds-width=48"},
        "two": {"cpu": "X,+ds,x-ds-width=40"},
    }
    cases = [Case("one"), Case("two"), Case("one", (("lbr-writable", "fault"),))]
    found = differences(cases, profiles)
    assert found == {
        cases[0]: {},
        cases[1]: {"ds_cpl": "", "width": "width=40"},
        cases[2]: {"lbr_read_only": "lbr_writable=fault"},
    }


def test_a_variation_is_taken_to_reach_what_its_profile_does_and_no_profile(tmp_path):
    one, wild, varied = (
        Case("one"),
        Case("two", (("wrap", "eager"),)),
        Case("one", (("full", "x"),)),
    )
    reach = {one: {"a.x": {1}, "": {2}}, wild: {"a.x": {1, 3}, "a.y": {2, 4}}}
    assert expected_of(varied, reach) == {"a.x": {1}, "": {2, 3, 4}}


def test_a_processor_that_the_kernel_cannot_run_on_is_seen_and_a_refused_option_is_a_mistake(
    monkeypatch,
):
    def end_for(reason):
        refused = SimpleNamespace(status=Status.ERROR, reasons=[reason])
        monkeypatch.setattr(hunt, "judge", lambda *_: refused)
        return bad_end(SimpleNamespace(raw=b"# error", exit_code=5, timed_out=False))

    assert end_for("no long mode; cannot run") == "ERROR"
    assert end_for("IA32_APIC_BASE refuses the move to xAPIC mode") == "ERROR"
    with pytest.raises(LabError, match="refuses"):
        end_for("unknown option 'x'")


def test_results_are_kept_and_a_line_that_was_cut_off_is_none(tmp_path):
    path = tmp_path / "results.jsonl"
    store = Store(path)
    store.add(Found("one", SURVIVED, image="now"))
    store.add(Found("one", KILLED, image="now"))
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"name": "two", "sta')
    again = Store(path)
    assert again.known("one", "now", False).status == KILLED
    assert again.known("two", "now", False) is None
    again.add(Found("three", KILLED, image="now"))
    assert Store(path).known("three", "now", False).status == KILLED


def test_what_a_processor_reaches_is_kept_when_another_one_fails(tmp_path, monkeypatch):
    recorded = []

    def record_one(case, *unused):
        recorded.append(case.name)
        if case.name == "third" and recorded.count("third") == 1:
            raise LabError("it ended badly")
        return {"a.test": {1, 2}}

    def record():
        boots = Boots(qemu="", iso=None, profiles={}, folder=tmp_path, jobs=1)
        return record_reach(path, [FIRST, SECOND, THIRD], [], boots, None)

    monkeypatch.setattr(coverage_boots, "record_one", record_one)
    path = tmp_path / "reach.jsonl"
    path.write_text('["first", {"a.test": [3]}]\n["second", {"a.te', encoding="utf-8")
    with pytest.raises(LabError):
        record()
    reach = record()
    assert recorded == ["second", "third", "third"]
    assert reach == {
        FIRST: {"a.test": {3}},
        SECOND: {"a.test": {1, 2}},
        THIRD: {"a.test": {1, 2}},
    }


@pytest.mark.parametrize("status, trusts, known", [(KILLED, True, True), (SURVIVED, True, False)])
def test_of_an_earlier_image_only_the_killed_count_and_only_when_asked(
    tmp_path, status, trusts, known
):
    store = Store(tmp_path / "results.jsonl")
    store.add(Found("one", status, image="before"))
    assert (store.known("one", "now", trusts) is not None) == known
    assert store.known("one", "now", False) is None


def test_one_that_survived_on_fewer_processors_is_tried_again(tmp_path):
    store = Store(tmp_path / "results.jsonl")
    store.add(Found("one", SURVIVED, image="now", breadth=1))
    store.add(Found("two", KILLED, image="now", breadth=1))
    assert store.known("one", "now", False, 3) is None
    assert store.known("one", "now", False, 1).status == SURVIVED
    assert store.known("two", "now", False, 3).status == KILLED


ROW = """
[[equivalent]]
kind = "{kind}"
reason = "{reason}"
[equivalent.mutants]
"{name}" = "{change}"
"""


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "perhaps"}, {"reason": " "}, {"name": "no/such/one.1"}, {"change": "a -> c"}],
)
def test_an_equivalent_mutant_needs_a_reason_and_must_be_there(tmp_path, wrong):
    path = tmp_path / "equivalent.toml"
    right = {"kind": "same", "reason": "no reader", "name": mutant()["name"], "change": "a -> b"}
    path.write_text(ROW.format(**right))
    changes = {mutant()["name"]: "a -> b"}
    assert load_equivalent(tmp_path, changes) == {mutant()["name"]: ("same", "no reader")}
    path.write_text(ROW.format(**(right | wrong)))
    with pytest.raises(LabError):
        load_equivalent(tmp_path, changes)


def test_the_score_leaves_equivalent_ones_out_and_counts_what_was_never_reached():
    mutants = [mutant(f"bts.c/store/drop.{n}") for n in range(4)]
    mutants += [mutant("glue/msr.c/f/drop.1")]
    found = {
        mutants[0]["name"]: Found("", KILLED),
        mutants[1]["name"]: Found("", SURVIVED),
        mutants[2]["name"]: Found("", UNREACHED),
        mutants[4]["name"]: Found("", KILLED),
    }
    status = statuses(mutants, found, {mutants[3]["name"]: ("same", "so")})
    model, glue = scores(mutants, status)
    assert status[mutants[3]["name"]] == EQUIVALENT
    assert (model.counted, round(model.percent), model.is_good()) == (3, 33, False)
    assert (glue.percent, glue.is_good()) == (100, True)
    assert [each["name"] for each in survivors(mutants, status)] == [
        mutants[1]["name"],
        mutants[2]["name"],
    ]


def test_a_row_whose_mutant_fails_a_test_is_contradicted():
    mutants = [mutant(f"bts.c/store/drop.{n}") for n in range(4)]
    failed, crashed, passed, unlisted = (each["name"] for each in mutants)
    found = {
        failed: Found("", KILLED, tests=["a.x"]),
        crashed: Found("", KILLED, end="CRASH"),
        passed: Found("", SURVIVED),
        unlisted: Found("", KILLED, tests=["a.x"]),
    }
    listed = {name: ("same", "so") for name in (failed, crashed, passed)}
    assert contradicted(mutants, found, listed) == mutants[:1]


def test_a_mutant_killed_in_a_sample_of_what_was_kept_is_json(tmp_path):
    """What --keep writes is what make coverage reads."""
    from table import mutants_as_markdown

    kept = {
        "commit": "1.2",
        "sample": "60 drawn by seed 2",
        "seconds": 3,
        "scores": [{"group": "model", "percent": 98.2, "killed": 54, "survived": 1}],
        "survivors": [{"name": "bts.c/store/drop.1", "status": "survived"}],
    }
    text = mutants_as_markdown(json.loads(json.dumps(kept)))
    assert "Measured at 1.2, 60 drawn by seed 2, 3 s of one machine." in text
    assert "model: 98.2 % killed (54 killed, 1 survived)" in text
    assert "1.2, all of them, 3 s" in mutants_as_markdown(kept | {"sample": None})
    assert "- survived: bts.c/store/drop.1" in text
    assert mutants_as_markdown(None) == ""


def test_among_some_profiles(monkeypatch):
    """What survives there is no survivor of the rest."""
    recorded, varied = MUTANTS.cases("skylake*")
    assert {case.profile for case in recorded} == {"skylake", "skylake-server"}
    assert varied and {case.profile for case in varied} <= {"skylake", "skylake-server"}
    with pytest.raises(LabError, match="--among 486 names no profile"):
        MUTANTS.cases("486")
    monkeypatch.setattr(sys, "argv", ["mutants", "--among", "skylake"])
    assert MUTANTS.parse_arguments().breadth == 1
