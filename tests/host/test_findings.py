# SPDX-License-Identifier: GPL-2.0-or-later
"""Findings and excused errata: what the lab reads of them in a log, and shows at the end."""

import io
import re

import pytest
from conftest import ROOT, execute
from log_notes import Finding, count_kinds, excused, failures, read_finding
from judge import judge
from judgement_text import KINDS_SHOWN, TESTS_SHOWN, print_judgement
from judge_logs import EXIT, FAILING, GOOD, changed, raw

RECORD = "record.from slot=7 expected=0x10 (a+0x2) got=0x20 (b) previous=0x20 (b)"
FOUND = changed(
    (
        "    not ok 2 tr1_bts1",
        f"    # finding: {RECORD}\n    # finding: pmi.extra\n"
        "    # findings: 12 more of record.from\n    not ok 2 tr1_bts1",
    ),
    (
        "    ok 1 tr0_bts0",
        "    # finding: index got=0x1\n    ok 1 tr0_bts0 # XFAIL HSD53 x3",
    ),
    (
        "  not ok 1 encodings",
        '  # finding: setup where="all of it"\n'
        "  # broken: branch records with a wrong FROM: 13\n  not ok 1 encodings",
    ),
    text=FAILING,
)


def log_of(text, verdict="FAIL"):
    return judge(raw(text), EXIT[verdict]).log


def shown(text, verdict="FAIL"):
    out = io.StringIO()
    print_judgement(judge(raw(text), EXIT[verdict]), out=out)
    return out.getvalue()


def test_findings_belong_to_the_result_behind_them():
    """A subtest's, then those of its test itself; what an erratum excuses is no failure."""
    first, itself = failures(log_of(FOUND))
    assert first[0] == "table17_6.encodings.tr1_bts1"
    numbers = RECORD.removeprefix("record.from ")
    assert first[1] == [
        Finding("record.from", numbers),
        Finding("pmi.extra"),
        Finding("record.from", times=12),
    ]
    assert itself == ("table17_6.encodings", [Finding("setup", 'where="all of it"')])
    assert count_kinds([first, itself]) == {
        "record.from": 13,
        "pmi.extra": 1,
        "setup": 1,
    }


@pytest.mark.parametrize(
    "line",
    [
        "# findings: many more of index",
        "# finding:",
        "# finding index",
        "finding: index",
        "# index",
    ],
)
def test_other_lines_are_no_findings(line):
    assert read_finding(line) is None


@pytest.mark.parametrize(
    ("reason", "errata"),
    [
        ("HSD53", {"HSD53": 1}),
        ("HSD53 x12", {"HSD53": 12}),
        ("HSD53 x12 HSM1 x2", {"HSD53": 12, "HSM1": 2}),
        ("HSD53, pebs-status-merged x2", {"HSD53": 1, "pebs-status-merged": 2}),
        ("SKL008 x1 x7-y x3", {"SKL008": 1, "x7-y": 3}),
    ],
)
def test_excused_errata_are_counted(reason, errata):
    text = changed(
        ("ok 1 ds_area", f"ok 1 ds_area # XFAIL {reason}"),
        ("pass=2", "pass=1"),
        ("xfail=0", "xfail=1"),
    )
    assert excused(log_of(text, "PASS")) == errata
    assert "excused by errata: " in shown(text, "PASS")


def test_no_erratum_without_an_xfail():
    assert excused(log_of(GOOD, "PASS")) == {}
    assert "excused" not in shown(GOOD, "PASS") and "findings" not in shown(GOOD, "PASS")
    assert excused(log_of(changed(("# SKIP CPUID", "# SKIP HSD53")), "PASS")) == {}


def test_report_sums_up_the_kinds_behind_what_is_broken():
    text = shown(FOUND)
    assert "  findings: record.from x13, pmi.extra x1, setup x1\n" in text
    assert text.index("broken: branch records with a wrong FROM: 13") < text.index("findings: ")
    assert "excused by errata: HSD53 x3\n" in text


def test_report_stays_short():
    """However many findings, kinds and tests there are, and however long one is."""
    numbers = range(40)
    tests = "".join(
        f"  # finding: kind-{n} {'x' * 999}\n  not ok {n + 1} test_{n}\n" for n in numbers
    )
    text = f"KTAP version 1\n1..1\n  KTAP version 1\n  # Subtest: s\n  1..{len(numbers)}\n{tests}"
    text += "not ok 1 s\n# totals: planned=40 run=40 pass=0 fail=40 skip=0 xfail=0 timeout=0\n"
    lines = shown(text + "# results: TO BE COUNTED\n# verdict: FAIL\n").splitlines()
    assert f" and {len(numbers) - KINDS_SHOWN} more" in "\n".join(lines)
    (failed,) = [line for line in lines if "not ok: " in line]
    assert failed.count("s.test_") == TESTS_SHOWN
    assert failed.endswith(f" and {len(numbers) - TESTS_SHOWN} more tests")
    assert len(lines) <= 12 and max(map(len, lines)) <= 250


def test_kinds_of_the_kernel_are_read():
    """Every kind of the kernel's list, as it stands there."""
    lines = (ROOT / "kernel/report/findings.def").read_text(encoding="utf-8").splitlines()
    kinds = [line.split('"')[1] for line in lines if line.startswith("FINDING(")]
    assert len(kinds) > 20
    for kind in kinds:
        assert read_finding(f"# finding: {kind} got=0x1") == Finding(kind, "got=0x1")


# What a check with an expected and a got knows of a finding, and how it is written.
CHECKS = {
    'EXPECT_EQUAL(t, {kind}, "", 1, 2)': {"HAS_VALUES", "HAS_ADDRESSES"},
    'EXPECT_BETWEEN(t, {kind}, COUNT_HIGH, 1, 2, 3, "")': {"HAS_VALUES"},
    'EXPECT_BETWEEN(t, COUNT_LOW, {kind}, 1, 2, 3, "")': {"HAS_VALUES"},
    'EXPECT_COUNT(t, {pair}, "", 1, 2)': {"HAS_VALUES"},
    'EXPECT_BITS(t, {pair}, "", 1, 2)': {"HAS_VALUES"},
}


def numbers_of_kinds():
    """Name in C -> names of the numbers that belong to it."""
    text = (ROOT / "kernel/report/findings.def").read_text(encoding="utf-8")
    rows = re.findall(r'^FINDING\((\w+), "[^"]+", ([^)]*)\)', text, re.M)
    return {name: set(re.findall(r"HAS_\w+", numbers)) for name, numbers in rows}


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.split("}")[0])
def test_numbers_that_a_check_does_not_have_are_refused_by_the_compiler(check, compiler, tmp_path):
    """A count of records was printed as the address of one."""
    kinds = numbers_of_kinds()
    if "{pair}" in check:
        pairs = {name.removesuffix("_EXTRA") for name in kinds if name.endswith("_EXTRA")}
        words = {pair: kinds[f"{pair}_EXTRA"] | kinds[f"{pair}_MISSING"] for pair in pairs}
    else:
        words = kinds
    source, lines = tmp_path / "checks.c", [
        '#include "kernel/report/test.h"',
        "struct test_context *t;",
    ]
    for word in words:
        lines.append(f"void f{len(lines)}(void) {{ {check.format(kind=word, pair=word)}; }}")
    source.write_text("\n".join(lines))
    command = [
        compiler,
        "-std=gnu11",
        "-fsyntax-only",
        "-ferror-limit=0",
        "-I",
        ROOT,
        source,
    ]
    if compiler == "gcc":
        command.remove("-ferror-limit=0")
    answer = execute(*command, timeout=60)
    places = re.findall(
        r"checks\.c:(\d+):\d+: (?:error|note: (?:in expansion|expanded))", answer.stderr
    )
    refused = {list(words)[int(line) - 3] for line in places}
    assert refused == {word for word, has in words.items() if has - CHECKS[check]}
    assert refused and len(refused) < len(words), answer.stderr


def test_a_failing_kernel_says_what_it_found(boot_machine):
    boot = boot_machine(command_line="test=selftest.deliberate_failure")
    ((name, found),) = failures(boot.judgement.log)
    assert name == "selftest.deliberate_failure"
    assert found == [Finding("setup", 'where="the answer"')], boot.explain()
