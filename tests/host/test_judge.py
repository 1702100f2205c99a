# SPDX-License-Identifier: GPL-2.0-or-later
"""The judge: what it must not be fooled by. Each log differs from a good one in one point."""

import pytest

import ktap
from judge import Status, judge, kernel_status
from judge_logs import (
    EXIT,
    FAILING,
    GOOD,
    LISTED,
    SKIPPED,
    STARVED,
    TO_BE_COUNTED,
    changed,
    compact,
    raw,
)
from transport import VerdictWatch


def test_good_log_passes():
    judgement = judge(raw(GOOD), EXIT["PASS"])
    assert judgement.status == Status.PASS, judgement.reasons
    assert judgement.counts() == {"pass": 3, "fail": 0, "skip": 1, "xfail": 0, "timeout": 0}
    assert [name for name, _ in judgement.log.leaves()] == [
        "probe.ds_area",
        "probe.reserved_bits",
        "table17_6.encodings.tr0_bts0",
        "table17_6.encodings.tr1_bts1",
    ]


@pytest.mark.parametrize("options", ["", "test=probe.*", "skip=probe.reserved_bits cpu=all"])
def test_pass_of_named_tests_does_not_speak_of_every_test(options):
    log = changed(("# btscheck: v1\n", f"# btscheck: v1\n# command line: {options}\n"))
    meaning, _ = judge(raw(log), EXIT["PASS"]).meaning()
    assert meaning.startswith("every test that was named, " if options else "every test that this ")


def test_failing_log_fails_and_names_the_leaf():
    judgement = judge(raw(FAILING), EXIT["FAIL"])
    assert judgement.status == Status.FAIL, judgement.reasons
    assert judgement.reasons == ["not ok: table17_6.encodings.tr1_bts1"]


def test_compact_log_is_judged_as_a_full_one():
    judgement = judge(compact(), EXIT["FAIL"])
    assert judgement.status == Status.FAIL, judgement.reasons
    assert judgement.reasons == ["not ok: table17_6.encodings.tr1_bts1"]
    assert judgement.counts() == {"pass": 9, "fail": 1, "skip": 3, "xfail": 0, "timeout": 0}
    reasons = {name: leaf.reason for name, leaf in judgement.log.leaves() if leaf.reason}
    assert reasons["table17_6.encodings.tr0_bts1"] == "no DS"


@pytest.mark.parametrize(
    "pair",
    [
        ("# log: compact (as asked for)\n", ""),
        ("# log: compact", "# log: full"),
        ("# shown: pass=1 fail=1 skip=3 xfail=0 timeout=0 of=13\n", ""),
        ("# shown: pass=1", "# shown: pass=2"),
        ("skip=3 xfail=0 timeout=0 of=13\n", "skip=2 xfail=0 timeout=0 of=13\n"),
        ("of=13", "of=12"),
        ("of=13", "of=013"),
        ("results: pass=9", "results: pass=8"),
        ("results: pass=9 fail=1 skip=3", "results: pass=9 fail=1 skip=2"),
        ("results: pass=9 fail=1", "results: pass=9 fail=2"),
        ("results: pass=9 fail=1 skip=3", "results: pass=9 fail=1 skip=4"),
        ("results: pass=9 fail=1 skip=3 xfail=0", "results: pass=9 fail=1 skip=3 xfail=1"),
        ("    ok 2 tr0_bts1 # SKIP as above\n", ""),
        ("    not ok 3 tr1_bts1\n", ""),
        ("    1..3\n", ""),
        ("    1..3\n", "    1..2\n"),
        ("0xCHECK", "0x00000000"),
    ],
)
def test_compact_log_that_lost_something_is_never_a_verdict(pair):
    assert judge(compact(pair), EXIT["FAIL"]).status == Status.DISAGREE


def test_full_log_does_not_say_what_it_shows():
    text = changed(("# totals", "# shown: pass=3 fail=0 skip=1 xfail=0 timeout=0\n# totals"))
    assert judge(raw(text), EXIT["PASS"]).status == Status.DISAGREE


def test_starved_log_is_no_failure_of_the_processor():
    judgement = judge(raw(STARVED), EXIT["TIMEOUT"])
    assert judgement.status == Status.TIMEOUT, judgement.reasons
    assert judgement.reasons == ["not ok: table17_6.encodings.tr1_bts1"]
    assert judgement.counts()["timeout"] == 1
    assert "too little time" in judgement.meaning()[0]
    assert judge(raw(STARVED)).status == Status.TIMEOUT


@pytest.mark.parametrize(
    "verdict, pair",
    [
        ("PASS", ("verdict: TIMEOUT", "verdict: PASS")),
        ("SKIP", ("verdict: TIMEOUT", "verdict: SKIP")),
        ("FAIL", ("verdict: TIMEOUT", "verdict: FAIL")),
        ("TIMEOUT", ("timeout=1", "timeout=0")),
        ("TIMEOUT", ("not ok 2 table17_6 # TIMEOUT starved", "ok 2 table17_6")),
        ("TIMEOUT", ("not ok 2 table17_6 # TIMEOUT starved", "not ok 2 table17_6")),
    ],
)
def test_verdict_must_follow_from_what_was_starved(verdict, pair):
    assert judge(raw(changed(pair, text=STARVED)), EXIT[verdict]).status == Status.DISAGREE


def test_test_that_fails_beside_its_subtests_fails():
    text = changed(("    not ok 2 tr1_bts1", "    ok 2 tr1_bts1"), text=FAILING)
    judgement = judge(raw(text), EXIT["FAIL"])
    assert judgement.status == Status.FAIL
    assert "table17_6.encodings" in judgement.reasons[0]


def test_foreign_lines_change_nothing():
    text = changed(("    # a diagnostic", "oil is no result\n  random: words"))
    assert judge(raw(text), EXIT["PASS"]).status == Status.PASS


def test_known_deviation_passes():
    text = changed(
        ("ok 1 ds_area", "ok 1 ds_area # XFAIL bdm70"), ("pass=2", "pass=1"), ("xfail=0", "xfail=1")
    )
    judgement = judge(raw(text), EXIT["PASS"])
    assert judgement.status == Status.PASS, judgement.reasons
    assert judgement.counts()["xfail"] == 1


def test_archived_log_needs_no_exit_status():
    assert judge(raw(GOOD)).status == Status.PASS
    assert judge(raw(FAILING)).status == Status.FAIL


def test_ending_may_be_repeated():
    ending = GOOD[GOOD.index("# totals") :]
    assert judge(raw(GOOD + ending), None).status == Status.PASS


BROKEN = {
    "result_missing": [("  ok 2 reserved_bits # SKIP CPUID.01H:ECX[4].DS-CPL = 0\n", "")],
    "subtest_missing": [("    ok 2 tr1_bts1\n", "")],
    "suite_missing": [("1..2\n  KTAP version 1\n  # Subtest: probe", "1..3\n  KTAP version 1")],
    "one_more_than_planned": [("  ok 1 encodings", "  ok 1 encodings\n  ok 2 more")],
    "plan_missing": [("  1..1\n", "")],
    "plan_late": [("  1..1\n", ""), ("  ok 1 encodings", "  ok 1 encodings\n  1..1")],
    "plan_twice": [("  1..1\n", "  1..1\n  1..1\n")],
    "numbers_swapped": [("ok 1 ds_area", "ok 2 ds_area")],
    "number_zero": [("ok 1 ds_area", "ok 0 ds_area")],
    "number_missing": [("ok 1 ds_area", "ok ds_area")],
    "name_missing": [("ok 1 ds_area", "ok 1")],
    "name_twice": [("ok 2 reserved_bits", "ok 2 ds_area")],
    "ok_parent_of_not_ok": [("    ok 2 tr1_bts1", "    not ok 2 tr1_bts1")],
    "ok_suite_of_not_ok": [
        ("    ok 2 tr1_bts1", "    not ok 2 tr1_bts1"),
        ("  ok 1 encodings", "  not ok 1 encodings"),
    ],
    "parent_line_missing": [("  ok 1 encodings\n", "")],
    "nested_version_missing": [("    KTAP version 1\n", "")],
    "odd_indentation": [("    ok 2 tr1_bts1", "   ok 2 tr1_bts1")],
    "level_skipped": [("    ok 2 tr1_bts1", "      ok 2 tr1_bts1")],
    "unknown_directive": [("ok 1 ds_area", "ok 1 ds_area # TODO later")],
    "not_ok_skip": [("ok 2 reserved_bits", "not ok 2 reserved_bits")],
    "okay": [("ok 1 ds_area", "ok 1ds_area")],
    "nothing_planned": [("  1..1\n", "  1..0\n")],
    "totals_missing": [("# totals: planned=3 run=3 pass=2 fail=0 skip=1 xfail=0 timeout=0\n", "")],
    "totals_wrong": [("pass=2", "pass=3")],
    "totals_planned_wrong": [("planned=3", "planned=4")],
    "totals_key_missing": [(" xfail=0", "")],
    "results_missing": [("# results: TO BE COUNTED\n", "")],
    "results_without_a_check": [("TO BE COUNTED", "pass=3 fail=0 skip=1 xfail=0 timeout=0")],
    "results_key_missing": [("TO BE COUNTED", "pass=3 fail=0 skip=1 xfail=0 check=0x00000000")],
    "results_wrong": [("TO BE COUNTED", "pass=2 fail=0 skip=1 xfail=0 timeout=0 check=0x00000000")],
    "results_twice": [("TO BE COUNTED\n", "TO BE COUNTED\n# results: pass=1\n")],
    "result_after_the_end": [("# verdict: PASS\n", "# verdict: PASS\nok 3 late\n")],
    "line_after_the_verdict": [("# verdict: PASS\n", "# verdict: PASS\nwords\n")],
    "verdict_glued": [("# verdict: PASS\n", "# verdict: PASS# verdict: PASS\n# verdict: PASS\n")],
    "verdict_before_the_end": [("  ok 1 encodings", "# verdict: PASS\n  ok 1 encodings")],
    "results_before_the_totals": [
        ("# results: TO BE COUNTED\n", ""),
        ("# totals", "# results: TO BE COUNTED\n# totals"),
    ],
    "totals_with_a_key_twice": [
        ("xfail=0 timeout=0\n# results", "xfail=1 xfail=0 timeout=0\n# results")
    ],
    "totals_with_zeros_in_front": [("timeout=0\n# results", "timeout=00\n# results")],
    "nothing_but_skips": [("# time", "# nothing but skips: each says …\n# time")],
    "two_verdicts": [("# verdict: PASS\n", "# verdict: FAIL\n# verdict: PASS\n")],
    "unknown_verdict": [("# verdict: PASS\n", "# verdict: FINE\n")],
    "verdict_fail_tree_passes": [("# verdict: PASS\n", "# verdict: FAIL\n")],
    "bail_out_then_pass": [("ok 2 table17_6", "Bail out! #PF\nok 2 table17_6")],
    "crash_without_bail_out": [("# verdict: PASS\n", "# verdict: CRASH\n")],
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_log_is_never_a_verdict(name):
    text = changed(*BROKEN[name])
    log = ktap.read(raw(text))
    for exit_code in (None, EXIT.get(log.verdict, 33)):
        judgement = judge(raw(text), exit_code)
        assert judgement.status == Status.DISAGREE, (exit_code, judgement.reasons)
        assert judgement.reasons


@pytest.mark.parametrize("line", range(3, GOOD.count("\n")))
def test_log_with_one_line_less_never_passes_unless_it_was_a_remark(line):
    lines = raw(GOOD).splitlines(keepends=True)
    text = b"".join(lines[:line] + lines[line + 1 :])
    remark = lines[line].strip().startswith((b"# a diag", b"# time", b"# btscheck"))
    assert (judge(text, EXIT["PASS"]).status == Status.PASS) == remark


@pytest.mark.parametrize("keep", range(0, len(GOOD) - 1, 3))
def test_log_cut_anywhere_is_cut_off(keep):
    judgement = judge(raw(GOOD[:keep]), 0)
    assert judgement.status == Status.CUT_OFF, judgement.reasons
    assert "log" in judgement.reasons[0]


@pytest.mark.parametrize("first", ["", "KTAP!version 1\n"])
@pytest.mark.parametrize("text", [GOOD, GOOD[: GOOD.index("# totals")]])
def test_first_line_that_is_not_there_is_told(first, text):
    """The rest of the log is: it began."""
    judgement = judge(raw(text.replace("DVD\nKTAP version 1\n", f"DVD\n{first}")))
    assert "first line" in " ".join(judgement.reasons), judgement.reasons
    assert judgement.status == (Status.DISAGREE if text == GOOD else Status.CUT_OFF)


def test_cut_off_names_the_test_that_was_running():
    keep = GOOD.index("    ok 2 tr1_bts1")
    assert "encodings" in judge(raw(GOOD[:keep]), 0).reasons[0]


def test_cut_log_with_a_kernel_status_disagrees():
    keep = GOOD.index("# totals")
    assert judge(raw(GOOD[:keep]), EXIT["PASS"]).status == Status.DISAGREE


@pytest.mark.parametrize("exit_code", [0, 1, 2, 35, 37, 39, 41, 43, -11, 34])
def test_pass_needs_the_pass_exit_status(exit_code):
    assert judge(raw(GOOD), exit_code).status == Status.DISAGREE


@pytest.mark.parametrize("exit_code", [0, 33, 37, 39, 41])
def test_fail_needs_the_fail_exit_status(exit_code):
    assert judge(raw(FAILING), exit_code).status == Status.DISAGREE


def test_timeout_says_where():
    keep = GOOD.index("    # a diagnostic")
    judgement = judge(raw(GOOD[:keep]), None, timed_out=True)
    assert judgement.status == Status.TIMEOUT
    assert "tr0_bts0" in judgement.reasons[0]


def test_empty_log_with_nothing_behind_it():
    assert judge(b"", 0).status == Status.CUT_OFF
    assert judge(b"", None, timed_out=True).status == Status.TIMEOUT


def test_crash():
    keep = GOOD.index("    # a diagnostic")
    text = GOOD[:keep] + "# rip 0\nBail out! #PF in table17_6.encodings\n"
    text += "# totals: planned=3 run=2 pass=1 fail=0 skip=1 xfail=0 timeout=0\n"
    text += f"{TO_BE_COUNTED}\n# verdict: CRASH\n"
    judgement = judge(raw(text), EXIT["CRASH"])
    assert judgement.status == Status.CRASH, judgement.reasons
    assert "#PF" in judgement.reasons[0]
    assert judge(raw(text), EXIT["PASS"]).status == Status.DISAGREE


def test_error_shows_the_kernels_reason():
    text = f"KTAP version 1\n# error: unknown option 'tset'\n{TO_BE_COUNTED}\n# verdict: ERROR\n"
    judgement = judge(raw(text), EXIT["ERROR"])
    assert judgement.status == Status.ERROR
    assert judgement.reasons == ["unknown option 'tset'"]


def test_refusal_of_the_boot_code_has_no_ktap():
    text = "# error: this processor has no long mode; cannot run\n# verdict: ERROR\n"
    judgement = judge(raw(text), EXIT["ERROR"])
    assert judgement.status == Status.ERROR
    assert "long mode" in judgement.reasons[0]
    for other in ("PASS", "FAIL", "SKIP", "CRASH"):
        lie = raw(text.replace("ERROR", other))
        assert judge(lie, EXIT[other]).status == Status.DISAGREE


GRUB = "btscheck cannot be loaded: it needs 48 MiB of memory, from 24 MiB on"
REFUSED = (f"# error: {GRUB}\n", "# verdict: ERROR\n")
ASKS = "\r\nPress any key to continue..."


@pytest.mark.parametrize(
    "text",
    ["".join(REFUSED), "".join(REFUSED) * 2, "".join(2 * line[:-1] + "\n" for line in REFUSED)],
    ids=["once", "twice", "two_in_a_line"],
)
@pytest.mark.parametrize("behind", ["", ASKS, 2 * ASKS])
@pytest.mark.parametrize("prefix", ["", "bay1: "])
def test_refusal_of_the_loader(text, behind, prefix):
    """Firmware may send its console to the same line, and GRUB goes on behind it."""
    text = "Booting `btscheck'\n\nerror: out of memory.\n" + text + behind
    text = "".join(prefix + line for line in text.splitlines(keepends=True))
    watch = VerdictWatch()
    watch.heard(raw(text))
    judgement = judge(raw(text))
    assert (judgement.status, judgement.reasons) == (Status.ERROR, [GRUB]) and watch.seen


def test_refusal_in_other_words_is_an_error():
    judgement = judge(b"\r\nbtscheck: this processor has no long mode\r\n", EXIT["ERROR"])
    assert judgement.status == Status.ERROR
    assert "long mode" in judgement.reasons[0]


def test_half_a_line_of_the_head_is_not_read():
    assert judge(b"\r\nKTAP version 1\r\n# btscheck: v1").log.header() == {}
    assert judge(b"\r\nKTAP version 1\r\n# btscheck: v12\r\n").log.header() == {"btscheck": "v12"}


@pytest.mark.parametrize("exit_code", [EXIT["LISTED"], None])
def test_list_is_no_pass_and_says_that_nothing_was_run(exit_code):
    judgement = judge(raw(LISTED), exit_code)
    assert judgement.status == Status.LISTED == 9, judgement.reasons
    assert "none was run" in judgement.meaning()[0]


@pytest.mark.parametrize(
    ("log", "verdict"),
    [
        (LISTED, "PASS"),
        (LISTED.replace("LISTED", "PASS"), "PASS"),
        (LISTED.replace("LISTED", "SKIP"), "SKIP"),
        (LISTED.replace("LISTED", "DRY_RUN"), "DRY_RUN"),
        (LISTED.replace("line: list", "line: seed=1"), "LISTED"),
        (LISTED.replace("line: list", "line: list dry-run"), "LISTED"),
        (GOOD.replace("verdict: PASS", "verdict: LISTED"), "LISTED"),
    ],
)
def test_lists_that_lie(log, verdict):
    assert judge(raw(log), EXIT[verdict]).status == Status.DISAGREE


def test_skip():
    assert judge(raw(SKIPPED), EXIT["SKIP"]).status == Status.SKIP
    nothing_skipped = SKIPPED.replace(" # SKIP CPUID.01H:EDX[21].DS = 0", "")
    nothing_skipped = nothing_skipped.replace("pass=1", "pass=2").replace("skip=1", "skip=0")
    assert judge(raw(nothing_skipped), EXIT["SKIP"]).status == Status.DISAGREE


def test_what_firmware_says_before_the_log_changes_nothing():
    noise = "ok\n1. Boot from CD\n# comment\n  *List the tests\nBooting 1..\n" * 2
    assert judge(raw(noise + GOOD), EXIT["PASS"]).status == Status.PASS


def test_pass_of_nothing_but_skips_is_refused():
    text = GOOD.replace("ok 1 ds_area", "ok 1 ds_area # SKIP no")
    text = text.replace("    ok 1 tr0_bts0", "    ok 1 tr0_bts0 # SKIP no")
    text = text.replace("    ok 2 tr1_bts1", "    ok 2 tr1_bts1 # SKIP no")
    text = text.replace("pass=2", "pass=1").replace("skip=1", "skip=2")
    assert judge(raw(text), EXIT["PASS"]).status == Status.DISAGREE


def test_kernel_status():
    assert [kernel_status(EXIT[name]) for name in EXIT] == [0, 1, 2, 3, 4, 6, 8, 9]
    assert all(kernel_status(code) is None for code in (0, 1, 31, 32, 34, 43, -6, 255))
