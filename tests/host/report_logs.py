# SPDX-License-Identifier: GPL-2.0-or-later
"""Logs for the tests of the reports, with all that a log can say."""

import subprocess

from conftest import ROOT
from judge_logs import raw

REPORT = ROOT / "tools/lab/report"
HEAD = """\
# btscheck: v1-5-gabcdef0
# cpu: Intel Core Processor (Skylake)
# signature: 06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3)
# microcode: 0x000000d6
# hypervisor: none (bare metal)
# bios: Some Vendor P1.40, 07/01/2018
# board: Board Maker Board Nine, version 2
# ppin: 0x0123456789abcdef
# date: 2026-11-26 11:58:03
# command line: cpu=all seed=7
# seed: 0x00000007
"""
TRACE = """\
    # row T17-6.3: all stored, circular
    # 12 records expected, 11 got; - is missing, + is too many:
    # =   1 0>0 JMP one -> two
    # -   2 0>0 INT n two -> three
    # =   3 0>0 RET three -> four+0x7
    # =   4 0>0 JMP four -> five
    # finding: record.missing slot=2 expected=0x10 (two) expected_to=0x20 (three) where="INT n"
    # breaks BTS-1
    # finding: record.from slot=7 expected=0x30 (a+0x2) got=0x40 previous=0x40
    # findings: 3 more of record.from
    # claims: T17-6.3
"""
END = """\
# trait: crossing=old [off-os,int-n] [off-os,iret]
# trait: crossing=new [off-usr,int-n]
# trait: wrap=lazy
# trait: init-lbr=unknown (CPUID.07H.0:EDX[19] = 0)
# errata: HSD53 x3 (a record repeats the FROM of the one before)
# coverage: 70 of 77 claims checked, 2 of them in part
# not checked: ALBR-* (no architectural LBRs)
# checked in part: DS-1 BTS-2 (a reason)
# soak: 3661 s: records=1234567 interrupts=89 programs=70 runs=60 failed=0
# time: 4894 ms from kernel entry to verdict
"""
FULL = [f"tr{n >> 4}_bts{n >> 3 & 1}_bts_off_os{n >> 2 & 1}_bts_off_usr{n >> 1 & 1}_btint{n & 1}"
        for n in range(32)]  # fmt: skip
TEST_BROKEN = (
    "branch records with a wrong FROM: 8 (record.from), all with BTS=1; held there: 1,"
    " elsewhere: 9"
)
BROKEN = f"""\
# broken: {TEST_BROKEN}
# broken: claim T17-6.3 explains 2 of 2 failures: TR and BTS: every branch
# broken: may follow from it: BTS-1
"""
RERUN = f"""\
  # broken: {TEST_BROKEN}
  # claims: T17-6.3 BTS-1
  # rerun: make run TEST=table17_6.encodings
  # retest: failed 1 of 3
  # time: 1.25 s
"""
TALLY = "planned=5 run=5 pass={} fail={} skip=1 xfail=1 timeout={}"


def log_of(
    failing=(),
    head=HEAD,
    end=END,
    timeout=False,
    skip_reason="CPUID.01H:EDX[21].DS = 1",
):
    """Bytes of a log in which those encodings of Table 17-6 fail."""
    rows = [
        f"{TRACE}    not ok {n} {name}\n" if n - 1 in failing else f"    ok {n} {name}\n"
        for n, name in enumerate(FULL, 1)
    ]
    bad = "not " if failing else ""
    late, suite = (
        ("not ok 2 late # TIMEOUT starved", "not ok 1 probe # TIMEOUT starved")
        if timeout
        else ("ok 2 late", "ok 1 probe")
    )
    tally = TALLY.format(3 - bool(failing) - timeout, int(bool(failing)), int(timeout))
    verdict = "FAIL" if failing else "TIMEOUT" if timeout else "PASS"
    text = (
        f"KTAP version 1\n{head}1..2\n  KTAP version 1\n  # Subtest: probe\n  1..3\n"
        f"  ok 1 ds_area\n  # choice: wrap=lazy\n"
        f"  {late}\n  ok 3 no_bts_without_ds # SKIP {skip_reason}\n"
        f"# time: suite probe 0.25 s\n{suite}\n"
        "  KTAP version 1\n  # Subtest: table17_6\n  1..2\n    KTAP version 1\n"
        f"    # Subtest: encodings\n    1..32\n{''.join(rows)}"
        + bool(bad) * RERUN
        + f"  {bad}ok 1 encodings\n  # finding: record.from slot=1 expected=0x1 got=0x2\n"
        "  # claims: BTS-5\n  ok 2 changes # XFAIL HSD53 x3\n# time: suite table17_6 1.50 s\n"
        f"{bad}ok 2 table17_6\n{BROKEN * bool(bad)}{end}# totals: {tally}\n"
        "# results: TO BE COUNTED\n"
        f"# verdict: {verdict}\n"
    )
    return raw(text)


PASSING, FAILING, STARVED = log_of(), log_of((24, 26)), log_of(timeout=True)
SKIPPING = log_of(end=f"{END}# nothing but skips: none says what was missing\n").replace(
    b"verdict: PASS", b"verdict: SKIP"
)
CUT_OFF = PASSING[: len(PASSING) * 2 // 3]
LOGS = {
    "PASS": PASSING,
    "FAIL": FAILING,
    "TIMEOUT": STARVED,
    "CUT_OFF": CUT_OFF,
    "SKIP": SKIPPING,
    "DISAGREE": PASSING.replace(b"record.from slot=1 ", b"").replace(b"ok 1 tr0", b"ok 9 tr0", 1),
}


def report(*words, **options):
    """The finished tools/lab/report."""
    return subprocess.run(
        [str(REPORT), *map(str, words)],
        capture_output=True,
        timeout=240,
        check=False,
        **options,
    )


def write_logs(folder, **logs):
    """name=bytes -> the paths."""
    folder.mkdir(exist_ok=True)
    for name, content in logs.items():
        (folder / f"{name}.log").write_bytes(content)
    return [folder / f"{name}.log" for name in logs]
