# SPDX-License-Identifier: GPL-2.0-or-later
"""What is broken, from what a log of a wrong processor says at its end, or before it is cut off."""

import io

from diagnosis import diagnose, rank_claims, read_cases
from diagnosis_logs import HIGH, KINDS, SETTINGS, TABLE, extra, general_dead, iret_lost
from diagnosis_logs import judged, log_of, missing, off_os_ignored, text_of
from judge_logs import raw
from judgement_text import print_judgement
from ktap import read

EXTRA = "branch records too many: 46 (record.extra), all from ring 0, with BTS_OFF_OS=1"
INDEX = "BTS indexes that are wrong: 3 (index); held: 7"
CLAIMS = (
    "claim T17-6.4 explains 1 of 3 failures: only branches above",
    "claim BTS-1 explains 2 of 3 failures: a record for",
    "may follow from it: DS-1 DS-2",
)


def said_at_the_end(*lines, failing=None):
    """A log of three failures with these lines instead of those that belong to it."""
    text = text_of(failing or off_os_ignored())
    kept = [line for line in text.splitlines() if not line.startswith("# broken: ")]
    at = next(n for n, line in enumerate(kept) if line.startswith("# totals: "))
    kept[at:at] = [f"# broken: {line}" for line in lines]
    return read(raw("\n".join(kept) + "\n"))


def test_a_good_log_has_no_diagnosis():
    assert diagnose(log_of({})) is None


def test_the_sentences_are_the_logs_own():
    found = diagnose(said_at_the_end(EXTRA, INDEX, "and pmi.lvt x8", *CLAIMS))
    assert found.causes == [EXTRA, INDEX], "kinds that are only counted are no sentence"
    assert found.lines()[:2] == [f"broken: {EXTRA}", f"also: {INDEX}"]
    many = diagnose(said_at_the_end(EXTRA, *[INDEX] * 5)).lines()
    assert sum(line.startswith("also: ") for line in many) == 2


def test_claims_stand_as_the_log_ranks_them_with_their_whole_texts():
    log = said_at_the_end(EXTRA, *CLAIMS)
    assert rank_claims(log) == ["T17-6.4", "BTS-1"]
    found = diagnose(log)
    assert [each[:2] for each in found.claims] == [
        ("T17-6.4", 1),
        ("BTS-1", 2),
        ("DS-1", 0),
        ("DS-2", 0),
    ]
    lines = found.lines()
    assert any(line.startswith("claim BTS-1 (2 of 3 failures): a record for ev") for line in lines)
    assert lines[-1] == "may follow from it: DS-1 DS-2"
    follow = " ".join(f"DS-{n}" for n in range(1, 12))
    (line,) = diagnose(said_at_the_end(f"may follow from it: {follow}", CLAIMS[0])).lines()[-1:]
    assert line.endswith("DS-8 and 3 more")


def test_a_claim_that_the_table_does_not_know_has_no_text():
    found = diagnose(said_at_the_end("claim NEW-1 explains 1 of 1 failures: something"))
    assert found.claims == [("NEW-1", 1, "")]


def test_each_test_has_a_sentence_of_its_own():
    failing = iret_lost()
    text = text_of(failing).replace(
        "  not ok 1 far_in_bts",
        "    # broken: branch records missing: 4\n  not ok 1 far_in_bts",
    )
    found = diagnose(read(raw(text)))
    assert found.tests == {KINDS: "branch records missing: 4"}
    assert found.data()["tests"] == found.tests and found.causes == []


def test_of_a_log_that_was_cut_off_the_tests_are_left():
    text = text_of(off_os_ignored() | iret_lost()).replace(
        "  not ok 1 encodings",
        "    # broken: branch records too many: 46\n  not ok 1 encodings",
    )
    whole = text[: text.index("# broken: claim")]
    found = diagnose(read(raw(whole)))
    assert found.causes == [f"branch records too many: 46, in {TABLE}"]
    assert dict(each[:2] for each in found.claims) == {
        "BTS-1": 2,
        "T17-6.4": 1,
        "T17-6.8": 1,
    }
    assert found.failures == 4


def test_findings_have_their_kind_and_what_they_say_of_themselves():
    (case,) = [case for case in read_cases(log_of(off_os_ignored())) if case.failed][:1]
    assert [found.kind for found in case.found] == ["record.extra"] * 4, "one stands for 20 more"
    assert case.found[0].fields["rings"] == "0>0" and case.found[0].fields["where"] == "JMP"
    assert case.claims == ["T17-6.4"]


def test_records_that_only_moved_are_told_apart():
    """A buffer that wrapped elsewhere has good records missing here and too many there."""
    failing = {f"{TABLE}.{SETTINGS[0]}": [missing("JMP"), extra(HIGH)]}
    (case,) = [case for case in read_cases(log_of(failing)) if case.failed]
    assert [found.is_clear for found in case.found] == [False, False]


def test_comparisons_of_their_own_are_held_against_the_processor():
    head = "# 7 records expected, {} got; number, expected | got:"
    lines = [head.format(6), missing("JMP"), head.format(8), extra(HIGH)]
    (case,) = [c for c in read_cases(log_of({f"{TABLE}.{SETTINGS[0]}": lines})) if c.failed]
    assert [found.is_clear for found in case.found] == [True, True]


def test_the_judgement_begins_with_what_is_broken_and_is_short():
    out = io.StringIO()
    failing = off_os_ignored() | iret_lost() | general_dead()
    text = text_of(failing).replace("# totals", f"# broken: {EXTRA}\n# totals")
    found = judged(failing)
    found.log.lines[:] = text.splitlines()
    print_judgement(found, out=out)
    lines = out.getvalue().splitlines()
    assert lines[1] == f"  broken: {EXTRA}" and len(lines) <= 25
    assert "as with" not in out.getvalue(), "there is no dictionary here"
