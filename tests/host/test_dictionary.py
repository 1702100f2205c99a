# SPDX-License-Identifier: GPL-2.0-or-later
"""The fault dictionary: what it looks like, how near it is, and how it is measured."""

import gzip
import io
import json
import sys

import pytest
from conftest import ROOT, execute
from diagnosis import Dictionary, diagnose, ran_items, read_cases, spectrum_of
from diagnosis.dictionary import NEAR, Entry, read_dictionary
from diagnosis.spectrum import ochiai, rarity, weighted
from diagnosis_logs import (
    BRANCHES,
    KINDS,
    TABLE,
    TESTS,
    general_dead,
    iret_lost,
    judged,
    log_of,
    off_os_ignored,
    text_of,
    value,
)
from errors import LabError
from judge_logs import raw
from judgement_text import print_judgement

sys.path.insert(0, str(ROOT / "tools/trust"))

from dictionary_measured import lines_of, of_known, of_unknown  # noqa: E402
from fault_dictionary import looks_of, made_of  # noqa: E402
from plan import Case  # noqa: E402
from silicon import Fault  # noqa: E402

FAULTS = {
    "off-os-ignored": Fault("off-os-ignored", ("T17-6.4", "T17-6.8"), (), "no effect"),
    "far-lost": Fault("far-lost", ("BTS-1",), (), "not stored"),
    "counter-dead": Fault("counter-dead", ("PM-1",), (), "counts nothing"),
}
FAILING = dict(zip(FAULTS, (off_os_ignored, iret_lost, general_dead)))
# Another processor: no BTS of user programs, counters of another width.
OTHER = {name: [part.replace("48", "40") for part in parts] for name, parts in TESTS.items()}
OTHER[KINDS] = [name for name in BRANCHES if not name.startswith("user")]


def there(failing):
    """As it fails on the other processor."""
    named = {name.replace("48", "40"): said for name, said in failing.items()}
    return {
        name: said for name, said in named.items() if name.split(".")[2] in sum(OTHER.values(), [])
    }


def dictionary():
    """Learnt on two processors."""
    places = {"skylake": (TESTS, dict), "core2": (OTHER, there)}
    plain = {Case(place): looks_of(log_of({}, tests=tests)) for place, (tests, _) in places.items()}
    found = {
        Case(place, fault=fault): looks_of(log_of(on(FAILING[fault]()), tests=tests))
        for place, (tests, on) in places.items()
        for fault in FAULTS
    }
    return made_of("v1-2-gabc", FAULTS, plain, found)


def test_a_spectrum_has_what_failed_and_what_was_found():
    log = log_of(iret_lost() | general_dead())
    assert spectrum_of(read_cases(log)) == {
        *(
            "transfers.far_in_bts",
            "transfers.far_in_bts.kernel_iret",
            "transfers.far_in_bts.user_iret",
        ),
        *("counters.count", "counters.count.pmc0", "counters.count.pmc1"),
        *("[record.missing]", "[record.missing of IRET]"),
        *("[record.missing from ring 0]", "[record.missing from ring 3]"),
        *("[count.low]", "[count.low at the count]"),
    }


def test_what_was_skipped_did_not_run():
    log = log_of({})
    cases = read_cases(log)
    for case in cases:
        case.outcome = "skip" if case.name.startswith(f"{TABLE}.") else case.outcome
    ran = ran_items(cases)
    assert KINDS in ran and f"{KINDS}.user_jmp" in ran and TABLE not in ran


def test_similarities_by_hand():
    one, other = set("abcd"), set("cdefghijk")
    assert ochiai(one, other) == 2 / 6 and ochiai(one, one) == 1 and ochiai(one, set()) == 0
    weights = {each: 1.0 for each in "abcdefghijk"}
    assert weighted(one, other, weights, 1.0) == pytest.approx(2 / 6)
    assert weighted(one, other, weights | {"c": 3.0}, 1.0) > 2 / 6
    assert weighted(one, other, weights | {"a": 3.0}, 1.0) < 2 / 6
    assert weighted(set("x"), set("y"), weights, 1.0) == 0
    shares = rarity([set("ab"), set("ac"), set("ad")])
    assert shares["a"] < shares["b"] == shares["d"]


def test_a_known_fault_is_named_with_its_figure(tmp_path):
    dictionary().write(tmp_path / "dictionary.json")
    read = read_dictionary(tmp_path / "dictionary.json")
    lines = diagnose(log_of(off_os_ignored()), read).near_lines()
    assert lines[0].startswith("as with off-os-ignored: 1.00") and lines[1].endswith(": no effect")
    out = io.StringIO()
    print_judgement(judged(off_os_ignored()), out=out, dictionary=read)
    assert "\n  as with off-os-ignored: 1.00" in out.getvalue()


def test_the_packed_file_says_the_same(tmp_path):
    made = dictionary()
    for name in ("d.json", "d.json.gz"):
        made.write(tmp_path / name)
        assert read_dictionary(tmp_path / name) == made
    assert made.commit == "v1-2-gabc"
    assert gzip.decompress((tmp_path / "d.json.gz").read_bytes()) == (
        (tmp_path / "d.json").read_bytes()
    )


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\x1f\x8b", b'{"format": "x", "version": 1}']
)
def test_what_is_no_dictionary_is_refused(content, tmp_path):
    (tmp_path / "d.json").write_bytes(content)
    with pytest.raises(LabError, match="is no fault dictionary"):
        read_dictionary(tmp_path / "d.json")
    with pytest.raises(LabError, match="missing.json"):
        read_dictionary(tmp_path / "missing.json")


def test_an_index_that_is_out_of_range_is_refused(tmp_path):
    dictionary().write(tmp_path / "d.json")
    content = json.loads((tmp_path / "d.json").read_text())
    content["entries"][0][2] = [9999]
    (tmp_path / "d.json").write_text(json.dumps(content))
    with pytest.raises(LabError):
        read_dictionary(tmp_path / "d.json")


def test_what_one_of_two_processors_does_not_run_does_not_count():
    """On the other one user programs do not run: the fault is the same all the same."""
    made = dictionary()
    made.entries = [each for each in made.entries if each.profile == "core2"]
    log = log_of(iret_lost())
    named = dict(diagnose(log, made).near and [each[:2] for each in diagnose(log, made).near])
    assert named["far-lost"] > 0.8
    made.ran["core2"] |= {f"{KINDS}.user_iret"}
    assert dict(each[:2] for each in diagnose(log, made).near)["far-lost"] < named["far-lost"]


def test_a_compact_log_has_run_what_it_leaves_out():
    """The dictionary's fault fails in more of a test than this log shows: those passed."""
    made = dictionary()
    failing = {f"{KINDS}.user_iret": iret_lost()[f"{KINDS}.user_iret"]}
    whole = log_of(failing)
    figure = dict(each[:2] for each in diagnose(whole, made).near)["far-lost"]
    short = log_of(failing, tests={KINDS: ["user_iret"]}, head="# log: full (asked)\n")
    assert dict(each[:2] for each in diagnose(short, made).near)["far-lost"] > figure
    short.lines[short.lines.index("# log: full (asked)")] = "# log: compact (asked)"
    assert short.is_compact()
    assert dict(each[:2] for each in diagnose(short, made).near)["far-lost"] == (
        pytest.approx(figure)
    )


def test_nothing_is_near_what_is_unknown():
    failing = {f"{TABLE}.{name}": [value("index", 4, 5)] for name in OTHER[TABLE][:3]}
    (said,) = diagnose(log_of(failing), dictionary()).near_lines()
    assert said.startswith("as with: no known fault is near; the nearest is off-os-ignored: 0.")
    assert float(said.rpartition(" ")[2]) < NEAR


def test_leaving_one_out_counts_right_and_wrong():
    made = dictionary()
    known = of_known(made, True)
    assert (known.asked, known.first, known.wrong) == (6, 6, [])
    unknown = of_unknown(made, True)
    assert (unknown.asked, unknown.claim, unknown.near) == (6, 6, 0)
    taken = made.entries[0]
    other = next(each for each in made.entries if each.fault != taken.fault)
    made.entries[0] = Entry(taken.fault, taken.profile, other.spectrum, ("DS-1",))
    known, unknown = of_known(made, True), of_unknown(made, True)
    assert known.first < known.asked and (taken.fault, taken.profile) in {
        each[:2] for each in known.wrong
    }
    assert unknown.claim == 5


def test_the_program_measures_a_file_and_refuses_what_is_none(tmp_path):
    made = dictionary()
    made.write(tmp_path / "d.json.gz")
    program = ROOT / "tools/dictionary"
    answer = execute(program, "measure", tmp_path / "d.json.gz")
    assert answer.returncode == 0 and answer.stdout.splitlines() == list(lines_of(made))
    assert "weighted: of 6 known faults on another profile 6 first" in answer.stdout
    answer = execute(program, "measure", tmp_path / "none")
    assert answer.returncode == 2 and "none" in answer.stderr
    answer = execute(program, "make", tmp_path / "d.json", "--profile", "nonesuch")
    assert answer.returncode == 2 and "no profile nonesuch: `make profiles`" in answer.stderr


def test_judge_log_takes_a_dictionary(tmp_path):
    dictionary().write(tmp_path / "d.json")
    (tmp_path / "log").write_bytes(raw(text_of(iret_lost())))
    judge_log = ROOT / "tools/lab/judge-log"
    answer = execute(judge_log, "--dictionary", tmp_path / "d.json", tmp_path / "log")
    assert answer.returncode == 1 and "as with far-lost: 1.00" in answer.stdout
    answer = execute(judge_log, "--dictionary", tmp_path / "log", tmp_path / "log")
    assert answer.returncode == 2 and "is no fault dictionary" in answer.stderr


def test_an_empty_dictionary_names_nothing():
    (said,) = diagnose(log_of(iret_lost()), Dictionary("x")).near_lines()
    assert said == "as with: no known fault is near"
