# SPDX-License-Identifier: GPL-2.0-or-later
"""The walk of CONTRIBUTING.md: its test, pasted into a copy of the tree, passes, and fails with the
fault that it names. Its reading order leads from file to file by calls; all links lead to files."""

import re

import pytest
from conftest import ROOT
from judge import Status
from test_build import build, copy_tree, source_files
from test_make import run

WALK = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMAND = re.search(r"^    make new-test (.*)$", WALK, re.M)[1].split()
WORDS = dict(word.split("=", 1) for word in COMMAND)
NAME = f"{WORDS['SUITE']}.{WORDS['NAME']}"


def lines_of_code():
    """The test that the page shows: from its comment to the last brace."""
    block = re.search(rf"^    /\*.*\*/\n    TEST\({WORDS['SUITE']},.*?^    }}\n", WALK, re.M | re.S)
    return re.sub(r"^    ", "", block[0], flags=re.M)


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    tree = tmp_path_factory.mktemp("walk")
    copy_tree(tree)
    answer = run("make", "-C", tree, "new-test", *COMMAND)
    assert answer.returncode == 0, answer.stderr
    (suite,) = tree.glob(f"tests/suites/*/{WORDS['SUITE']}.c")
    before, comment, _ = suite.read_text().rpartition("/* What the manual says, in words")
    assert comment, "the skeleton is not where the page says"
    suite.write_text(before + lines_of_code())
    return build(tree, 1700000000)


@pytest.mark.parametrize("command", re.findall(rf"^    make run TEST={NAME} *(.*)$", WALK, re.M))
def test_walk(walked, emulator, boot_machine, command):
    """The first two lines come before the test is filled in, and after it."""
    words = dict(word.split("=", 1) for word in command.split())
    machine = {name.lower(): text for name, text in words.items()}
    done = boot_machine(iso=walked, qemu=emulator, command_line=f"test={NAME}", **machine)
    wanted = Status.FAIL if "x-ds-fault" in command else Status.PASS
    assert done.judgement.status == wanted, done.explain()
    if wanted == Status.FAIL:
        assert f"# claims: {WORDS['CLAIM']}" in done.text, done.explain()


@pytest.mark.timeout(900)
def test_processor_that_the_walk_breaks_fails(walked, emulator, boot_machine):
    """The model of the walk's tree is changed as the page says, and built; in ours nothing is."""
    tree = walked.parents[1]
    command = re.search(r"^    sed -i '(s/.*/)' (\S+)$", WALK, re.M)
    model = tree / command[2]
    old = model.read_text().splitlines()
    assert run("sed", "-i", command[1], model).returncode == 0
    changed = set(model.read_text().splitlines()) - set(old)
    assert len(changed) == 1, command[0]
    answer = run(tree / "tools/emulator/build", timeout=600)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    broken = str(tree / "build/emulator/qemu-system-x86_64")
    done = boot_machine(iso=walked, qemu=broken, command_line=f"test={NAME}")
    assert done.judgement.status == Status.FAIL, done.explain()
    assert f"# claims: {WORDS['CLAIM']}" in done.text, done.explain()


STEP = re.compile(r"^\| (\d+) \| `(\S+)` `(\S+)` \| (?:`(\w+)\(\)` (in|of) (\d+)|[^|`]+) \|", re.M)


def reading_order():
    """Number -> (text of the file, the call that leads there, in or of, number of the other)."""
    steps = {}
    for number, room, name, *call in STEP.findall(WALK):
        (path,) = (ROOT / room).rglob(name)
        steps[number] = (path.read_text(encoding="utf-8"), *call)
    return steps


def test_files_of_the_reading_order_call_each_other():
    steps = reading_order()
    assert list(steps) == [str(number) for number in range(1, 12)]
    calls = [(text, *call) for text, *call in steps.values() if call[0]]
    assert len(calls) == 9
    for text, name, word, number in calls:
        caller, callee = (steps[number][0], text)[:: 1 if word == "in" else -1]
        assert re.search(rf"^[ \t].*\b{name}\(", caller, re.M), name
        assert re.search(rf"^\w.*\b{name}\(", callee, re.M), name


@pytest.mark.parametrize("page", [name for name in source_files() if name.endswith(".md")])
def test_links_lead_to_files(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / page).parent / link).exists(), f"{page}: {link}"
