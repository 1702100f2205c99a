# SPDX-License-Identifier: GPL-2.0-or-later
"""Sentences against what they speak of: figures that sources have, the example of a log, examples
in the comments of headers. What cannot be held to anything has no figure.
"""

import re

import pytest
from conftest import ROOT
from judge import Status
from judgement_text import ENDED_WELL
from test_build import source_files
from transport import Limits

WORDS = dict(zip("two three four five six seven eight nine ten".split(), range(2, 11)))
WORDS |= {"sixteen": 16, "A thousand": 1000, "ten thousand": 10000}

# Page, sentence with one group; source, line with one group; what the page's figure is of it.
FIGURES = [
    (
        "docs/log.md",
        r"after (\w+) of a kind",
        "kernel/report/findings.h",
        r"FINDING_SHOWN +(\d+)u",
    ),
    ("docs/processors.md", r"one of the\s+first (\w+)", "kernel/run/soak.c", r"BEAT_LINES +(\d+)u"),
    ("docs/processors.md", r"in (\w+) more runs", "kernel/settings.h", r"OPTIONS_RETEST +(\d+)u"),
    ("docs/status.md", r"was given (\w+) times", "kernel/run/test_run.c", r"PATIENCE +(\d+)u"),
    (
        "docs/touches.md",
        r"(A thousand) in a second",
        "kernel/run/unclaimed.c",
        r"than (\d+) in a second",
    ),
    ("docs/touches.md", r"or (ten thousand), end", "kernel/run/unclaimed.c", r"or (\d+) in all"),
    (
        "tools/emulator/README.md",
        r"last (\w+) emulators",
        "tools/emulator/builder/kept.py",
        r"PROGRAMS = (\d+)",
    ),
    (
        "docs/lab.md",
        r"(\d+) steps around",
        "kernel/report/branch_trace.h",
        r"TRACE_SHOWN +(\d+)u",
    ),
    (
        "docs/lab.md",
        r"(\d+) a test",
        "kernel/report/branch_trace.h",
        r"TRACE_TEST_LINES +(\d+)u",
    ),
    ("docs/lab.md", r"(\d+) lines a run", "kernel/report/branch_trace.h", r"TRACE_LINES +(\d+)u"),
    (
        "docs/lab.md",
        r"and (\d+) a run",
        "kernel/report/branch_trace.h",
        r"TRACE_LINES_ASKED (\d+)u",
    ),
    (
        "docs/lab.md",
        r"\((\d+) each at least",
        "kernel/report/branch_trace.h",
        r"TRACE_LINES_LEAST (\d+)u",
    ),
    (
        "tools/rack/README.md",
        r"power = (\d+)",
        "tools/rack/rackfile.py",
        r"power: float = (\d+)",
    ),
    (
        "tools/rack/README.md",
        r"pause = (\d+)",
        "tools/rack/rackfile.py",
        r"pause: float = (\d+)",
    ),
    (
        "tools/rack/README.md",
        r"first = (\d+)",
        "tools/rack/one_try.py",
        r"SWITCHED_ON = (\d+)",
    ),
]


def number(text):
    return int(text) if text.isdigit() else WORDS[text]


def found(page, pattern):
    figures = re.findall(pattern, (ROOT / page).read_text(encoding="utf-8"))
    assert len(figures) == 1, f"{page}: {pattern} stands there {len(figures)} times"
    return number(figures[0])


@pytest.mark.parametrize("page, sentence, source, line", FIGURES)
def test_figure_is_that_of_the_source(page, sentence, source, line):
    assert found(page, sentence) == found(source, line)


def test_so_many_processors_are_started_for_tests():
    """PROCESSORS_MAX counts the one that booted, too."""
    most = found("arch/cpu/ground/percpu.h", r"#define PROCESSORS_MAX[\s\\]+(\d+)")
    assert (
        found("docs/touches.md", r"for some tests, by INIT and start-up messages: at most\s+(\w+)")
        == most - 1
    )
    assert found("docs/touches.md", r"to the others: for tests to (\w+) at most") == most - 1


def test_limits_are_those_of_a_run():
    limits = Limits()
    for page in ("tools/lab/arguments.py", "tools/lab/judge-log", "tools/rack/README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert re.search(rf"\({limits.total}, |total = {limits.total},", text), page
        assert re.search(rf"\({limits.silence}, |silence = {limits.silence},", text), page


def test_what_went_well_is_all_that_went_well():
    text = (ROOT / "tools/rack/README.md").read_text(encoding="utf-8")
    bad, good = re.search(
        r"went wrong \(([\d, ]+);.*?before what went well\n\(([\d, ]+)\)", text, re.S
    ).groups()
    assert set(map(int, good.split(", "))) == set(ENDED_WELL)
    assert set(map(int, bad.split(", "))) == set(Status) - set(ENDED_WELL)


def test_options_page_has_every_option():
    """No more and no fewer, in the table's order."""
    (source,) = (name for name in source_files() if name.endswith("/options.c"))
    names = re.findall(r'^ *\{?\.name = "([a-z-]+)"', (ROOT / source).read_text(), re.M)
    page = (ROOT / "docs/options.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)=?` \|", page.split("## Consoles")[0], re.M)
    assert sorted(rows) == sorted(names) and len(rows) > 10


# ---- the example of a log ------------------------------------------------------------------------

EXAMPLES = re.search(
    r"## A pass\n\n(.*?)\n## A failure\n\n`make run TEST=(\S+)`.*?\n\n(.*?)\n\n",
    (ROOT / "docs/log.md").read_text(encoding="utf-8"),
    re.S,
).groups()


def expected_lines(block):
    """Patterns: three dots are anything, and so is what was measured."""
    for line in re.sub(r"^    ", "", block, flags=re.M).strip("\n").splitlines():
        if line.strip() != "…":
            pattern = re.escape(line).replace("…", ".+")
            yield re.sub(r"\d+(?:\\\.\d+)?\\ (m?s)\b", r"[\\d.]+\\ \1", pattern)


def assert_shows(log, block):
    """The example's lines stand there in its order."""
    lines, at = log.splitlines(), 0
    for pattern in expected_lines(block):
        places = [i for i, line in enumerate(lines[at:], at) if re.fullmatch(pattern, line)]
        assert places, pattern
        at = places[0] + 1


def test_example_of_a_log_is_one(boot_machine, emulator):
    boot = boot_machine(qemu=emulator)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert_shows(boot.text, EXAMPLES[0])


def test_example_of_a_failure_is_one(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, command_line=f"test={EXAMPLES[1]}")
    assert_shows(boot.text, EXAMPLES[2])


@pytest.mark.parametrize("page, count", [("README.md", 2), ("docs/failure.md", 2)])
def test_worked_example_is_a_log(boot_machine, emulator, page, count):
    """What the page's command leaves in the log; of README the last block is the failure."""
    text = (ROOT / page).read_text(encoding="utf-8")
    test, variation = re.search(r"make run TEST='?([^\s']+)'? VARIATION=(\S+)", text).groups()
    boot = boot_machine(qemu=emulator, command_line=f"test={test}", variation=variation)
    blocks = re.findall(r"\n\n((?:    +#.*\n(?:    .*\n)*))", text)
    assert len(blocks) == count
    log = re.sub(r"^ +", "", boot.text, flags=re.M)
    for block in blocks[page == "README.md" :]:
        assert_shows(log, re.sub(r"^ +", "", block, flags=re.M))


# ---- examples in headers -------------------------------------------------------------------------

COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', re.S)
NAME = re.compile(r"\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?=\())")
ROWS = {"FEATURE_": "arch/cpu/identity/features.def", "FINDING_": "kernel/report/findings.def"}
STANDS_FOR_ANY = {"run_once"}


def headers():
    return [name for name in source_files() if name.endswith((".h", ".def"))]


def declared():
    """Every word of the headers' code, and the names that rows make."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in headers()]
    words = set(re.findall(r"\w+", " ".join(COMMENT.sub(" ", text) for text in texts)))
    for prefix, name in ROWS.items():
        rows = re.findall(r"^\w+\((\w+),", (ROOT / name).read_text(encoding="utf-8"), re.M)
        words |= {prefix + row for row in rows}
    return words


def test_examples_in_headers_name_what_there_is():
    known, unknown = declared() | STANDS_FOR_ANY, set()
    for name in headers():
        for comment in COMMENT.finditer((ROOT / name).read_text(encoding="utf-8")):
            example = "\n".join(re.findall(r"^ \* {4,}\S.*", comment[0], re.M))
            unknown |= {f"{name}: {word}" for word in NAME.findall(example) if word not in known}
    assert not unknown
