# SPDX-License-Identifier: GPL-2.0-or-later
"""One run as data: what every report, and a store, is made from."""

import json
import re

import jsonschema
import pytest
from claim_states import sections, states_of
from conftest import ROOT
from damage import damaged, text_of
from errors import LabError
from gather import board_names, runs_of, without_passed_parts
from judge import judge
from junit import junit_xml
from lxml import etree
from many_boards import end_of
from one_board import row_of
from page import html_page
from report_logs import FAILING, FULL, LOGS, PASSING, STARVED, TRACE, log_of, write_logs
from run_data import in_utc, run_data
from table17_6 import claim_of, pictures_of
from tap14 import tap_text
from traces import boxes_of, windows_of
from words import broken_parts, clean, deviations, failed_tests, points_of, retest_words, usual_of
from words import why_it_failed

SCHEMA = json.loads((ROOT / "tools/reporting/run_data.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CLAIMS = [name for _, claims in sections() for name, _ in claims]


def run_of(log, **more):
    run = run_data(judge(log), **more)
    VALIDATOR.validate(json.loads(json.dumps(run)))
    return run


def test_schema_is_one_and_refuses_what_is_no_run():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    run = run_of(PASSING)
    VALIDATOR.validate([run, run])
    for wrong in ({**run, "more": 1}, {**run, "version": 2}, {**run, "when": "yesterday"}, {}):
        with pytest.raises(jsonschema.ValidationError):
            VALIDATOR.validate(wrong)


def test_a_run_holds_what_its_log_says():
    run = run_of(FAILING, board="bay7", when="2026-11-26T12:00:00+02:00", log_path="x", seconds=9.5)
    assert (run["board"], run["when"], run["seconds"]) == ("bay7", "2026-11-26T10:00:00Z", 9.5)
    assert run["status"]["name"] == "FAIL" and run["image"] == "v1-5-gabcdef0"
    processor = run["processor"]
    assert (processor["signature"], processor["eax"]) == ("06_5EH stepping 3", 0x506E3)
    assert [processor[key] for key in ("family", "model", "stepping")] == [6, 0x5E, 3]
    assert processor["microcode"] == "0x000000d6" and processor["hypervisor"] is None
    told = {key: text for key, text in run["machine"].items() if text}
    assert told == {
        "bios": "Some Vendor P1.40, 07/01/2018",
        "board": "Board Maker Board Nine, version 2",
        "ppin": "0x0123456789abcdef",
        "date": "2026-11-26 11:58:03",
    }
    assert run["options"] == ["cpu=all", "seed=7"] and run["seed"] == "0x00000007"
    assert run["coverage"][""]["not_checked"][0]["claims"] == "ALBR-*"
    assert run["traits"] == {
        "": {"crossing": "old [off-os,int-n] [off-os,iret]; new [off-usr,int-n]", "wrap": "lazy"}
    }
    assert run["unknown_traits"] == {"": {"init-lbr": "CPUID.07H.0:EDX[19] = 0"}}
    assert run["errata"] == {"HSD53": 3} and "FROM" in run["errata_text"]["HSD53"]
    assert run["times"] == {"total_ms": 4894, "suites": {"probe": 0.25, "table17_6": 1.5}}
    assert run["soak"]["seconds"] == 3661 and run["soak"]["records"] == 1234567


def test_a_test_has_what_stands_before_its_result():
    (test,) = failed_tests(run_of(FAILING))
    assert test["name"] == "table17_6.encodings" and len(test["subtests"]) == 32
    assert test["rerun"] == "make run TEST=table17_6.encodings"
    assert test["retest"] == {"failed": 1, "runs": 3, "cut_short": False}
    assert test["claims"] == ["T17-6.3", "BTS-1"] and not test["findings"] and not test["notes"]
    part = test["subtests"][24]
    assert part["name"] == FULL[24] and part["claims"] == ["T17-6.3"]
    assert [(each["kind"], each["times"], each["after"]) for each in part["findings"]] == [
        ("record.missing", 1, 6),
        ("record.from", 1, 7),
        ("record.from", 3, 7),
    ]
    assert part["notes"][0] == "row T17-6.3: all stored, circular"
    assert len(part["notes"]) == TRACE.count("#") - 4  # without the findings and the claims
    assert test["subtests"][0]["notes"] == []


@pytest.mark.parametrize(
    "line, words",
    [
        ("failed 3 of 3", "3 of 3"),
        ("failed 0 of 3", "0 of 3"),
        ("failed 1 of 1, no time for more", "1 of 1, no time for more"),
        ("none, no time for it", "none, no time for it"),
    ],
)
def test_how_often_it_failed_again_is_told_in_every_report(line, words):
    run = run_of(FAILING.replace(b"failed 1 of 3", line.encode()))
    (test,) = failed_tests(run)
    assert retest_words(test) == words and f"failed again: {words}" in why_it_failed(test)
    assert f"(failed again: {words})".encode() in junit_xml([run])
    assert f"failed again: {words}" in tap_text([run])
    assert f"failed again: {words}</summary>".encode() in html_page([run])


def test_a_run_of_an_older_version_has_neither():
    """Stores keep runs from before the kernel said which board it was and ran tests again."""
    old = run_of(FAILING)
    del old["machine"]
    for test in old["tests"]:
        del test["retest"]
    VALIDATOR.validate(old)
    assert retest_words(failed_tests(old)[0]) == ""
    pages = html_page([old]), html_page([old, run_of(PASSING)])
    for text in (junit_xml([old]), tap_text([old]).encode(), *pages):
        assert b"failed again" not in text and text


def test_board_stands_in_the_reports():
    runs = [run_of(FAILING), run_of(PASSING)]
    for text in (junit_xml(runs[:1]), html_page(runs[:1]), html_page(runs)):
        assert b"Board Maker Board Nine, version 2" in text
    assert b"0x0123456789abcdef" in html_page(runs[:1])


def test_branch_records_are_counted_and_not_repeated():
    records = b"".join(b"    # trace: %d = 0x1 0x2 0x0 0>0 JMP\r\n" % n for n in range(500))
    log = FAILING.replace(b"    # row T17-6.3", records + b"    # row T17-6.3", 1)
    part = failed_tests(run_of(log))[0]["subtests"][24]
    assert part["notes"][-1] == "500 lines of branch records: tools/lab/trace LOG shows them"
    assert not any(note.startswith("trace:") for note in part["notes"])
    assert part["findings"] == failed_tests(run_of(FAILING))[0]["subtests"][24]["findings"]


def cut_behind(log, line):
    return log[: log.index(line) + len(line)]


def test_a_log_that_was_cut_lacks_no_test():
    """In a suite: those that ended, the one that ran, and how many never came."""
    outcomes = outcomes_of(cut_behind(PASSING, b"  ok 1 ds_area\r\n"))
    assert outcomes == {
        "probe.ds_area": ("pass", ""),
        "probe.not in the log": ("unfinished", "2 of 3 tests are planned and not in the log"),
        "not in the log.suites": ("unfinished", "1 of 2 suites are planned and not in the log"),
    }
    outcomes = outcomes_of(cut_behind(FAILING, b"    ok 7 " + FULL[6].encode() + b"\r\n"))
    assert outcomes["table17_6.encodings"] == (
        "unfinished",
        "its result is not in the log; 7 of its 32 parts are there",
    )
    assert outcomes["probe.ds_area"] == ("pass", "") and len(outcomes) == 5


def outcomes_of(log):
    return {test["name"]: (test["outcome"], test["reason"]) for test in run_of(log)["tests"]}


@pytest.mark.parametrize("end", [b"Bail out! #PF\r\n# verdict: CRASH\r\n", PASSING])
def test_a_crash_and_a_restart_lack_no_test(end):
    """What the test that ran had found belongs to it."""
    log = cut_behind(FAILING, b"    # row T17-6.3: all stored, circular\r\n") + end
    tests = {test["name"]: test for test in run_of(log)["tests"]}
    assert tests["table17_6.encodings"]["outcome"] == "unfinished"
    assert tests["table17_6.encodings"]["notes"][0] == "row T17-6.3: all stored, circular"
    assert tests["table17_6.not in the log"]["reason"].startswith("1 of 2 tests")


def test_what_failed_before_the_cut_is_told_with_its_claims():
    cut = FAILING[: FAILING.rindex(b"    ok 32 ")]
    run = run_of(cut)
    (test,) = [each for each in failed_tests(run) if each["name"] == "table17_6.encodings"]
    assert [each["outcome"] for each in test["subtests"]].count("fail") == 2
    assert states_of(run, CLAIMS)["T17-6.3"] == "broken"


SOAKED = """\
  # soak@{0}: after 20 s lbr.far_ret failed:
  # what {0} saw
  # finding: record.from slot=1 expected=0x1 got=0x2
  # claims: {1}
  # rerun: make run TEST=lbr.far_ret ARGS=seed={0}
"""
SOAK_SUITE = """\
  KTAP version 1
  # Subtest: soak@{0}
  1..1
  # soak: 2 failures
  not ok 1 drawn_tests
"""


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "cut"])
def test_each_processor_of_a_soak_tells_its_own(whole):
    """They write by turns, before the result of either."""
    told = [("E2", "LBR-1"), ("P0", "BTS-1"), ("E2", "LBR-2")]
    text = "".join(SOAKED.format(*each) for each in told)
    if whole:
        text += "".join(SOAK_SUITE.format(label) + f"not ok {n} soak@{label}\n" for n, label in
                        enumerate(("P0", "E2"), 3))  # fmt: skip
    begin, _, end = PASSING.partition(b"# trait: ")
    tests = {t["name"]: t for t in run_of(begin + text.encode() + b"# trait: " + end)["tests"]}
    for label, claims, notes in (("E2", ["LBR-1", "LBR-2"], 2), ("P0", ["BTS-1"], 1)):
        test = tests[f"soak@{label}.drawn_tests"]
        assert test["outcome"] == "fail" and test["claims"] == claims
        assert test["notes"].count(f"what {label} saw") == len(test["findings"]) == notes
        assert test["rerun"].endswith(f"seed={label}")


def test_no_log_can_say_that_it_is_unfinished():
    run = run_of(PASSING.replace(b"ok 2 late", b"not ok 2 late # UNFINISHED", 1))
    assert run["status"]["name"] == "DISAGREE"


@pytest.mark.parametrize("status", LOGS)
def test_every_ending_is_a_run(status):
    run = run_of(LOGS[status])
    assert run["status"]["name"] == status
    states = states_of(run, CLAIMS)
    assert set(states) == set(CLAIMS)
    if status == "CUT_OFF":
        assert set(states.values()) <= {"not told", "excused"}


def test_claims_have_the_state_that_the_log_gives_them():
    states = states_of(run_of(FAILING), CLAIMS)
    assert states["T17-6.3"] == states["BTS-1"] == "broken" and states["BTS-5"] == "excused"
    assert states["ALBR-7"] == "not checked" and states["DS-1"] == "in part"
    assert states["BTS-7"] == "checked"
    assert states_of(run_of(PASSING), CLAIMS)["BTS-1"] == "checked"


@pytest.mark.parametrize("claim", ["BTS-5", "ALBR-7", "DS-1", "BTS-7"])
def test_a_claim_of_two_states_has_the_worse(claim):
    """One that an erratum excuses elsewhere, that was not checked, in part, or was kept."""
    broken = FAILING.replace(b"# claims: T17-6.3", f"# claims: {claim}".encode())
    excused = FAILING.replace(b"# claims: BTS-5", f"# claims: {claim}".encode())
    assert states_of(run_of(broken), CLAIMS)[claim] == "broken"
    assert states_of(run_of(excused), CLAIMS)[claim] == "excused"


def test_an_unreadable_log_is_a_run_that_says_so(tmp_path):
    (there,) = write_logs(tmp_path, there=PASSING)
    runs = runs_of([there, tmp_path / "none.log", tmp_path])
    assert [run["status"]["name"] for run in runs] == ["PASS", "ERROR", "ERROR"]
    assert "No such file" in runs[1]["reasons"][0]
    VALIDATOR.validate(runs)


def test_boards_are_called_after_their_files(tmp_path):
    assert board_names([tmp_path / "a.log", tmp_path / "b.ktap"]) == ["a", "b"]
    names = board_names([tmp_path / "one/log.ktap", tmp_path / "two/log.ktap"])
    assert names == ["one/log", "two/log"]


def test_what_is_no_date_is_refused():
    with pytest.raises(LabError, match="no date"):
        in_utc("yesterday")


# --- what is read out of it ---


def test_table_has_all_encodings_and_what_was_stored():
    cells = pictures_of(run_of(FAILING))[""]
    assert [cell.outcome for cell in cells].count("fail") == 2
    assert cells[24].seen == "11 records, not 12" and cells[24].claim == "T17-6.3"
    sizes = [claim_of(*(number >> bit & 1 for bit in (4, 3, 2, 1, 0))) for number in range(32)]
    assert [sizes.count(f"T17-6.{row}") for row in range(1, 10)] == [16, 8, 1, 1, 1, 2, 1, 1, 1]


def test_a_compact_run_has_the_same_table():
    whole, short = run_of(FAILING), without_passed_parts(run_of(FAILING))
    assert len(failed_tests(short)[0]["subtests"]) == 2
    assert pictures_of(short) == pictures_of(whole)


def test_a_log_that_lost_encodings_does_not_say_that_they_passed():
    run = run_of(FAILING)
    del failed_tests(run)[0]["subtests"][3]
    assert pictures_of(run)[""][3].outcome is None


@pytest.mark.parametrize("status", LOGS)
def test_a_compact_log_passes_only_what_it_counts(status):
    run = without_passed_parts(run_of(LOGS[status]))
    outcomes = {cell.outcome for cells in pictures_of(run).values() for cell in cells}
    assert ("pass" in outcomes) == (status in ("PASS", "FAIL", "TIMEOUT", "SKIP"))


def test_records_are_aligned_and_the_buffer_is_drawn():
    part = broken_parts(failed_tests(run_of(FAILING))[0])[0][1]
    (window,) = windows_of(part["notes"])
    marks = [step.mark for step in window.steps]
    assert marks == ["same", "missing", "same", "same"]
    assert window.steps[1].expected.kind == "INT n" and window.steps[1].got is None
    boxes = {box.number: box for box in boxes_of(part, window)}
    assert boxes[2].lacks == 1 and boxes[7].mark == "from" and len(boxes) == 11


def test_a_record_in_place_of_another_is_one_step():
    notes = [
        "3 records expected, 4 got; - is missing, + is too many:",
        "-   2 0>3 far JMP a -> b",
        "+   2 0>3 far JMP a+0x1 -> b",
        "+   3 c -> d",
        "~   4 3>0 INT n e -> f",
        "a note",
    ]
    (window,) = windows_of(notes)
    assert [step.mark for step in window.steps] == ["differs", "extra", "same"]
    assert window.steps[0].got.branch == "a+0x1 -> b" and window.steps[0].got.kind == "far JMP"
    assert list(window.notes()) == [0, 1, 2, 3, 4] and window.steps[1].got.kind == ""


def test_slots_behind_the_last_finding_are_not_said_to_be_right():
    """The log counts further findings and does not say where they are."""
    part = broken_parts(failed_tests(run_of(FAILING))[0])[0][1]
    (window,) = windows_of(part["notes"])
    assert [box.mark for box in boxes_of(part, window)][7:] == [
        "from",
        "untold",
        "untold",
        "untold",
    ]
    part["findings"] = [each for each in part["findings"] if each["text"]]
    assert [box.mark for box in boxes_of(part, window)][7:] == ["from", "", "", ""]


def test_nothing_stands_only_where_a_finding_says_so():
    rows = [row_of({"kind": kind, "text": "under=pebs", "times": 1})
            for kind in ("stray-write", "record.missing", "pebs.extra")]  # fmt: skip
    assert [row["nothing"] for row in rows] == [None, "got", "expected"]


def test_traits_differ_only_where_both_were_tried():
    few, many = points_of("old [a]"), points_of("old [a] [b]; new [c]")
    assert many == {"a": "old", "b": "old", "c": "new"} and points_of("fits") == {"": "fits"}
    usual = usual_of([(many, 3), (few, 1)])
    assert deviations(few, usual) == {} and deviations(points_of("new [a]"), usual) == {"a": "new"}


# --- damage ---


TEXTS = [text_of(log).replace("\r", "") for log in (PASSING, FAILING, STARVED)]


def refuse_what_is_greener(run):
    """No report is better than the judge's word, in any format."""
    passed = run["status"]["name"] == "PASS"
    root = etree.fromstring(junit_xml([run]))
    assert (int(root.get("failures")) + int(root.get("errors")) == 0) == passed, run["status"]
    assert ("\nnot ok " in tap_text([run])) == (not passed)
    assert (end_of(run) == "passed") == passed
    assert not passed or not failed_tests(run)
    if run["status"]["name"] not in ("PASS", "FAIL", "SKIP"):
        assert "checked" not in states_of(run, CLAIMS).values()
    pictures_of(run)


@pytest.mark.parametrize("seeds", [range(at, at + 40) for at in range(0, 160, 40)])
def test_no_damaged_log_is_green(seeds):
    """Whatever it is, it is a run of the schema, well-formed XML, and green only as a PASS."""
    for seed in seeds:
        run = run_of(damaged(seed, TEXTS[seed % 3], TEXTS).raw, board=f"b{seed}")
        refuse_what_is_greener(run)


def test_no_cut_log_lacks_a_test():
    """Wherever the line went dead: what has a result has it in the report, the rest has none."""
    result = re.compile(r"^  (not )?ok [0-9]+ (\S+)(?: # ([A-Z]+))?.*\n", re.M)
    words = {None: "pass", "SKIP": "skip", "XFAIL": "xfail", "TIMEOUT": "timeout"}
    for text in TEXTS:
        for at in range(text.index("1..2") + 5, text.index("# verdict"), 97):
            cut = text[:at]
            run = run_of(cut.encode())
            refuse_what_is_greener(run)
            told = {
                name: "fail" if bad and not how else words[how]
                for bad, name, how in (match.groups() for match in result.finditer(cut))
            }
            got = {test["name"].split(".")[1]: test["outcome"] for test in run["tests"]}
            assert {name: got.get(name) for name in told} == told
            others = [outcome for name, outcome in got.items() if name not in told]
            assert set(others) <= {"unfinished"} and (others or len(told) == 5)


@pytest.mark.parametrize("code", [0, 8, 0x1B, 0x7F, 0x85, 0xD800, 0xFFFE, 0x202E, 0x2067, 0xFEFF])
def test_what_no_format_can_hold_is_replaced(code):
    text = clean(f"a{chr(code)}b")
    etree.fromstring(f"<x>{text}</x>".encode())
    assert (text == "a\ufffdb") == (code != 0x85)


def test_a_log_of_odd_bytes_is_a_run():
    run_of(log_of(head="# cpu: \x00\x08\x1b]0;x\x07\u202e\ud7ff <b>&\n"))
