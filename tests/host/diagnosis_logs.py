# SPDX-License-Identifier: GPL-2.0-or-later
"""Small logs of wrong processors: a test of Table 17-6, one of kinds of branch, one of counters."""

from collections import Counter

from judge import judge
from judge_logs import EXIT, raw

HIGH = 0xFFFFFFFF81000000  # the kernel's programs
SETTINGS = [f"tr1_bts1_bts_off_os{n >> 2}_bts_off_usr{n >> 1 & 1}_btint{n & 1}" for n in range(8)]
BRANCHES = ("kernel_jmp", "user_jmp", "kernel_jcc", "user_jcc", "kernel_iret", "user_iret")
COUNTERS = ("pmc0_48_bits", "pmc1_48_bits", "fixed0_48_bits")
TABLE, KINDS, COUNTING = "table17_6.encodings", "transfers.far_in_bts", "counters.count"
TESTS = {TABLE: SETTINGS, KINDS: BRANCHES, COUNTING: COUNTERS}


def extra(address=HIGH, slot=0, kind="JMP"):
    place = f"slot={slot} got=0x{address:x} (a) got_to=0x10 (b)"
    return f'# finding: record.extra {place} rings=0>0 where="{kind}"'


def missing(kind="IRET", ring=0, slot=0):
    place = f"slot={slot} expected=0x{HIGH:x} (a) expected_to=0x20 (b)"
    return f'# finding: record.missing {place} rings={ring}>3 where="{kind}"'


def value(kind, expected, got, where="the register"):
    return f'# finding: {kind} expected=0x{expected:x} got=0x{got:x} where="{where}"'


def text_of(failing, tests=None, head=""):
    """failing: "suite.test.subtest" -> the comments that stand before its result."""
    tests, lines, bad = tests or TESTS, [], False
    counts = {"pass": 0, "fail": 0}
    for number, (name, parts) in enumerate(tests.items(), 1):
        suite, test = name.split(".")
        wrong = any(each.startswith(f"{name}.") for each in failing)
        bad |= wrong
        counts["fail" if wrong else "pass"] += 1
        lines += ["  KTAP version 1", f"  # Subtest: {suite}", "  1..1", "    KTAP version 1"]
        lines += [f"    # Subtest: {test}", f"    1..{len(parts)}"]
        for at, part in enumerate(parts, 1):
            said = failing.get(f"{name}.{part}")
            lines += [f"    {line}" for line in said or ()]
            lines.append(f"    {'ok' if said is None else 'not ok'} {at} {part}")
        ok = "not ok" if wrong else "ok"
        lines += [f"  {ok} 1 {test}", f"{ok} {number} {suite}"]
    lines += sums_of(failing)
    total = f"planned={len(tests)} run={len(tests)} pass={counts['pass']} fail={counts['fail']}"
    body = "\n".join([f"KTAP version 1\n{head}1..{len(tests)}", *lines])
    tail = f"# totals: {total} skip=0 xfail=0 timeout=0\n# results: TO BE COUNTED\n"
    return f"{body}\n{tail}# verdict: {'FAIL' if bad else 'PASS'}\n"


def sums_of(failing):
    """What the kernel says at the end, of claims alone."""
    named = Counter(
        claim
        for said in failing.values()
        for line in said
        if line.startswith("# claims: ")
        for claim in line.split()[2:]
    )
    total = f"{len(failing)} failures"
    return [f"# broken: claim {c} explains {n} of {total}: …" for c, n in named.most_common()]


def judged(failing, **more):
    found = judge(raw(text_of(failing, **more)), EXIT["FAIL" if failing else "PASS"])
    assert found.status.name == ("FAIL" if failing else "PASS"), found.reasons
    return found


def log_of(failing, **more):
    return judged(failing, **more).log


def off_os_ignored():
    """BTS_OFF_OS has no effect where BTS_OFF_USR is clear."""
    claims = ("T17-6.4", "T17-6.8")
    return {
        f"{TABLE}.{SETTINGS[4 + n]}": [
            *(extra(HIGH + at, at) for at in range(3)),
            "# findings: 20 more of record.extra",
            f"# claims: {claims[n]}",
        ]
        for n in range(2)
    }


def iret_lost():
    kinds = [name for name in BRANCHES if "iret" in name]
    return {f"{KINDS}.{name}": [missing(), missing(ring=3), "# claims: BTS-1"] for name in kinds}


def general_dead():
    return {
        f"{COUNTING}.{name}": [value("count.low", 20, 0, "the count"), "# claims: PM-1"]
        for name in COUNTERS[:2]
    }
