# SPDX-License-Identifier: GPL-2.0-or-later
"""Logs for tests of the judge and of all that reads logs: a good one, and what is made of it."""

import re
import zlib

EXIT = {
    "PASS": 33,
    "FAIL": 35,
    "ERROR": 37,
    "CRASH": 39,
    "SKIP": 41,
    "TIMEOUT": 45,
    "DRY_RUN": 49,
    "LISTED": 51,
}


GOOD = """\
SeaBIOS (version 1.16)\x1b[2J Booting from DVD
KTAP version 1
# btscheck: v1
1..2
  KTAP version 1
  # Subtest: probe
  1..2
  ok 1 ds_area
  ok 2 reserved_bits # SKIP CPUID.01H:ECX[4].DS-CPL = 0
ok 1 probe
  KTAP version 1
  # Subtest: table17_6
  1..1
    KTAP version 1
    # Subtest: encodings
    1..2
    ok 1 tr0_bts0
    # a diagnostic
    ok 2 tr1_bts1
  ok 1 encodings
ok 2 table17_6
# time: 12 ms
# totals: planned=3 run=3 pass=2 fail=0 skip=1 xfail=0 timeout=0
# results: TO BE COUNTED
# verdict: PASS
"""


STRUCTURE = re.compile(r"( *)(KTAP version|1\.\.|# Subtest: |(?:not )?ok\b)")
TO_BE_COUNTED = "# results: TO BE COUNTED"


def outcome(line):
    if line.lstrip().startswith("not"):
        return "timeout" if "# TIMEOUT" in line else "fail"
    return "skip" if "# SKIP" in line else "xfail" if "# XFAIL" in line else "pass"


def recounted(text):
    """The '# results:' line of a kernel that has printed these lines."""
    lines = [line for line in text.split("\n") if STRUCTURE.match(line)]
    found, before = dict.fromkeys(("pass", "fail", "skip", "xfail", "timeout"), 0), -1
    for line in lines:
        indent, word = STRUCTURE.match(line).groups()
        is_result = word in ("ok", "not ok")
        if is_result and before != len(indent) + 2:  # no result of its parts stands before it
            found[outcome(line)] += 1
        before = len(indent) if is_result else -1
    check = zlib.crc32("".join(line + "\n" for line in lines).encode())
    sums = " ".join(f"{key}={number}" for key, number in found.items())
    return f"# results: {sums} check=0x{check:08x}"


def raw(text):
    """As it comes from the serial line; the kernel has counted what it printed since its start."""
    while (end := text.find(TO_BE_COUNTED)) >= 0:
        start = max(0, text.rfind("\nKTAP version 1\n", 0, end))
        counted = recounted(text[start:end].split("# totals:")[0])
        text = text.replace(TO_BE_COUNTED, counted, 1)
    return ("\r\n" + text).replace("\n", "\r\n").encode()


def changed(*pairs, text=GOOD):
    for old, new in pairs:
        assert text.count(old) == 1, f"{old!r} must stand in the log once"
        text = text.replace(old, new)
    return text


FAILING = changed(
    ("    ok 2 tr1_bts1", "    not ok 2 tr1_bts1"),
    ("  ok 1 encodings", "  not ok 1 encodings"),
    ("\nok 2 table17_6", "\nnot ok 2 table17_6"),
    ("pass=2 fail=0", "pass=1 fail=1"),
    ("verdict: PASS", "verdict: FAIL"),
)


# FAILING on a slow line, with one subtest more that passed, in front, and a test with such alone.
COMPACT = changed(
    ("# btscheck: v1\n", "# btscheck: v1\n# log: compact (as asked for)\n"),
    ("    ok 1 tr0_bts0\n", "    ok 1 tr0_bts0 # SKIP no DS\n"),
    ("    1..2\n", ""),
    (
        "    not ok 2 tr1_bts1\n",
        "    ok 2 tr0_bts1 # SKIP as above\n    not ok 3 tr1_bts1\n    1..3\n",
    ),
    ("# totals", "# shown: pass=1 fail=1 skip=3 xfail=0 timeout=0 of=13\n# totals"),
    ("TO BE COUNTED", "pass=9 fail=1 skip=3 xfail=0 timeout=0 check=0xCHECK"),
    text=FAILING,
)


def compact(*pairs):
    """As it comes: the check value is that of the lines which are there."""
    text = changed(*pairs, text=COMPACT)
    return raw(text.replace("0xCHECK", recounted(text.split("# shown:")[0])[-10:]))


# The host had no time for the machine.
STARVED = changed(
    ("    ok 2 tr1_bts1", "    not ok 2 tr1_bts1 # TIMEOUT starved: 3 %"),
    ("  ok 1 encodings", "  not ok 1 encodings # TIMEOUT starved: 3 %"),
    ("\nok 2 table17_6", "\nnot ok 2 table17_6 # TIMEOUT starved"),
    ("pass=2", "pass=1"),
    ("timeout=0", "timeout=1"),
    ("verdict: PASS", "verdict: TIMEOUT"),
)


LISTED = """\
KTAP version 1
# btscheck: v1
# command line: list
# probe.ds_area
1..0 # SKIP list
# totals: planned=0 run=0 pass=0 fail=0 skip=0 xfail=0 timeout=0
# results: TO BE COUNTED
# verdict: LISTED
"""


DRY = (
    LISTED.replace("line: list", "line: dry-run")
    .replace("# probe.ds_area", "# would run: probe.ds_area")
    .replace("SKIP list", "SKIP dry run")
    .replace("LISTED", "DRY_RUN")
)


SKIPPED = """\
KTAP version 1
1..1
  KTAP version 1
  1..2
  ok 1 here
  ok 2 bts # SKIP CPUID.01H:EDX[21].DS = 0
ok 1 probe
# totals: planned=2 run=2 pass=1 fail=0 skip=1 xfail=0 timeout=0
# results: TO BE COUNTED
# verdict: SKIP
"""


CRASHED = GOOD[: GOOD.index("    # a diagnostic")] + (
    "Bail out! #PF in table17_6.encodings\n"
    "# totals: planned=3 run=2 pass=1 fail=0 skip=1 xfail=0 timeout=0\n"
    f"{TO_BE_COUNTED}\n# verdict: CRASH\n"
)
