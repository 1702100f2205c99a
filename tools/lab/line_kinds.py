# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of line of the kernel's log: for each a pattern, or the words it begins with.

docs/log.md says what they mean. Indentation is of the tree: patterns are for lines without it,
unless a kind comes at the left edge alone. Whoever reads a log takes them from here.
"""

import re

VERSION = "KTAP version 1"
NUMBER = r"(?:0|[1-9][0-9]{0,8})"
COUNT = "([0-9]{1,20})"
ADDRESS = "0x([0-9a-f]{1,16})"
LABEL = r"[A-Za-z]{1,8}[0-9]{1,4}"  # of a processor that did not boot, "E2"

# --- structure ---

PLAN = re.compile(rf"1\.\.({NUMBER})(?: # SKIP(?: (.*))?)?")
RESULT = re.compile(
    r"(not ok|ok) ([1-9][0-9]{0,8}) ([^#\s](?:[^#]*[^#\s])?)(?: # ([A-Z]+)(?: (.*))?)?"
)
# A line that means to be one of the above; foreign lines may stand anywhere, these may not.
LOOKS_LIKE = re.compile(r"(not ok|ok)\b|\d+\.\.\d|KTAP version|TAP version")
SUBTEST = "# Subtest: "

# --- the end; GRUB's own lines come twice where the firmware sends its console there too ---

VERDICT = re.compile(r"# verdict: (\S+)(?:(?<=: ERROR)# verdict: ERROR)?")
ERROR = re.compile(r" *# error: (.+?)(?:# error: \1)?")
LAST = re.compile(r"# (shown|totals|results|verdict): ")
TOTAL_KEYS = ("planned", "run", "pass", "fail", "skip", "xfail", "timeout")
TOTALS = re.compile("# totals:(" + "".join(f" {key}={NUMBER}" for key in TOTAL_KEYS) + ")")
RESULT_KEYS = ("pass", "fail", "skip", "xfail", "timeout")
TALLY = "".join(f" {key}={NUMBER}" for key in RESULT_KEYS)
RESULTS = re.compile(f"# results:({TALLY}) check=0x([0-9a-f]{{8}})")
# A compact log (log=compact) leaves out subtests that passed, and says how many results it has.
SHOWN = re.compile(f"# shown:({TALLY})(?: of=({NUMBER}))?")  # older logs do not say of how many
BROKEN_CLAIMS = re.compile(r"# broken claims: (.*)")

# What neither firmware nor GRUB says: before a log's first line it is the rest of another log.
OURS = re.compile(
    rf"{VERSION}.*|# (?:btscheck|Subtest|findings?|rerun|shown|totals|results|verdict):.*"
    rf"|Bail out!.*|(?:{PLAN.pattern})|(?:{RESULT.pattern})"
)

# --- of the head and the whole run, at the left edge ---

HEAD = re.compile(r"# ([a-z][a-z0-9_ -]*): (.*)")
IMAGE = "# btscheck: "
PROCESSOR_KIND = re.compile(r"# kind: (.{1,400})")
TRAIT = re.compile(rf"# trait(?:@({LABEL}))?: ([^=\s]{{1,64}})=([^\s]{{1,64}})(?: (.*))?")
ERRATA = re.compile(r"# errata: (\S{1,64}) x([0-9]{1,10})(?: \((.*)\))?")
SUITE_TIME = re.compile(r"# time: suite (\S{1,80}) ([0-9]{1,7}(?:\.[0-9]{1,6})?) s")
TOTAL_TIME = re.compile(r"# time: ([0-9]{1,12}) ms from kernel entry to verdict")
COVERAGE = re.compile(
    rf"# coverage(?:@({LABEL}))?: ([0-9]{{1,4}}) of ([0-9]{{1,4}}) claims checked"
    r"(?:, ([0-9]{1,4}) of them in part)?"
)
CLAIM_GROUP = re.compile(rf"# (not checked|checked in part)(?:@({LABEL}))?: ([^()]+) \((.*)\)")
CRASHED_IN = re.compile(r"# test: ([a-z0-9_]+\.[a-z0-9_]+)")

# --- of a soak, and of processors that are lost ---

SOAK_BEAT = re.compile(
    rf"# soak: ([0-9]{{1,10}}) s: records={COUNT} interrupts={COUNT} programs={COUNT}"
    rf" runs={COUNT} failed={COUNT}"
)
SOAK_BEAT_OF_ONE = re.compile(r"# soak@\S+: [0-9]+ s: .*")
SOAK_FAILURE = re.compile(
    r" *# soak(@[A-Za-z0-9]{1,8})?: after ([0-9]{1,10}) s (\S{1,200}) failed:"
)
LOST = re.compile(r" *# (processor [0-9]{1,4}, APIC id [0-9]{1,10}, hung\b.{0,200})")

# --- before a result ---

CLAIMS = "# claims: "
CLAIMS_OR_BREAKS = re.compile(r"# (?:claims|breaks):? (.*)")
RERUN = "# rerun: "
BROKEN = "# broken: "
FINDING = re.compile(r"# finding: ([a-z][a-z0-9._-]*)(?: (.*))?")
MORE_FINDINGS = re.compile(r"# findings: ([0-9]{1,9}) more of ([a-z][a-z0-9._-]*)")
FIELD = re.compile(r'([a-z_]+)=("[^"]*"|\S+)(?: \(([^()]*)\))?')  # of a finding
RETEST = re.compile(
    r"# retest: (?:failed ([0-9]{1,9}) of ([0-9]{1,9})(, no time for more)?|none, no time for it)"
)
TEST_TIME = re.compile(r"# time: ([0-9]{1,7}\.[0-9]{1,6}) s")
LAB = re.compile(r" *# lab: ([a-z-]+)\?")
# Of a comment's text: a comparison of records begins, and each of its lines: mark, number, rings,
# kind, branch; the kind may have a blank: "INT n".
COMPARISON = re.compile(r"([0-9]{1,9}) \w+ expected, ([0-9]{1,9}) got\b.*")
COMPARED = re.compile(
    r"([=+~?-]) *([0-9]{1,9}) (?:([0-3]>[0-3]) (\S.{0,40}?) )?(\S{1,160} -> \S{1,160})"
)

# --- branch records ---

TRACE = "# trace: "
TRACE_HEAD = re.compile(
    rf"# trace: source=([a-z]+) steps={COUNT} got={COUNT}(?: expected={COUNT})? first={COUNT}"
    rf" got_first={COUNT} expected_first={COUNT} shown={COUNT}"
)
TRACE_STEP = re.compile(
    rf"# trace: {COUNT} ([=!+~?-]) {ADDRESS} {ADDRESS} (?:-|{ADDRESS}) (?:-|([0-3])>([0-3]))"
    rf" (-|[A-Za-z][A-Za-z0-9 -]{{0,40}})(?: \| {ADDRESS} {ADDRESS})?"
)
TRACE_LEFT_OUT = re.compile(rf"# trace: left_out={COUNT}, of this test.*")
