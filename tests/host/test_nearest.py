# SPDX-License-Identifier: GPL-2.0-or-later
"""A misspelt name is refused with the name that was meant."""

import os
import re
import shutil
import string
import subprocess

import pytest
from conftest import ROOT, RUN, execute
from judge import Status, judge
from judge_logs import EXIT, TO_BE_COUNTED, raw
from nearest import meant, meant_by, no_such, test_names as names_of_tests

LAB = ROOT / "tools/lab"
TEST = "table17_6.encodings"
NO_FAULT = "qemu-system-x86_64: x-ds-fault={0}: no fault has this name"


@pytest.mark.parametrize("seed", range(0, len(TEST), 2))
def test_one_wrong_letter_anywhere_is_forgiven(seed):
    other = next(letter for letter in string.ascii_lowercase if letter != TEST[seed])
    wrong = TEST[:seed] + other + TEST[seed + 1 :]
    assert meant(wrong, names_of_tests()).startswith(f"; did you mean '{TEST}'")


def test_a_name_that_is_like_none_gets_the_whole_list():
    assert no_such("no profile", "z80", ["core2", "skylake"]) == (
        "no profile 'z80'; there are: core2, skylake"
    )
    assert no_such("no profile", "skylak", iter(["core2", "skylake"])) == (
        "no profile 'skylak'; did you mean 'skylake'?"
    )


def test_what_all_names_begin_with_makes_none_alike():
    assert meant("--profil", ["--profile", "--serial"], "--") == "; did you mean '--profile'?"


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("unknown option 'tset'; known: test= list", "; did you mean 'test='?"),
        ("unknown option 'xyz'; known: test= list", ""),
        (f"no test matches '{TEST[:-1]}'; suites: table17_6 bench", f"; did you mean '{TEST}'"),
        ("no test matches 'cicular.*'; suites: circular bench", "; did you mean 'circular.*'"),
        (NO_FAULT.format("off-os-ignord"), "; did you mean 'off-os-ignored'"),
        (NO_FAULT.format("jmp-lost:1/9+cal-lost:1/20"), "; did you mean 'call-lost'"),
        (NO_FAULT.format("=#="), "; `make faults` lists them"),
        ("Property 'Skylake-x86_64-cpu.x-ds-warp' not found", "; did you mean 'x-ds-wrap'?"),
        ("Property 'Skylake-x86_64-cpu.hypervisr' not found", ""),
        ("this processor has no long mode", ""),
    ],
)
def test_a_refusal_of_kernel_or_emulator(sentence, told):
    assert meant_by(sentence).startswith(told) and bool(meant_by(sentence)) == bool(told)


def test_the_judgement_has_it():
    text = f"KTAP version 1\n# error: unknown option 'tset'; known: test=\n{TO_BE_COUNTED}\n"
    judgement = judge(raw(text + "# verdict: ERROR\n"), EXIT["ERROR"])
    assert judgement.reasons == ["unknown option 'tset'; known: test=; did you mean 'test='?"]


def test_of_the_emulators_refusal_one_line_is_shown(run_fake):
    sentence = NO_FAULT.format("off-os-ignord")
    answer = run_fake(b"", f"sys.exit({sentence!r})")
    assert answer.returncode == Status.ERROR
    assert answer.stderr.count("no fault has this name; did you mean 'off-os-ignored'") == 1
    assert answer.stderr.count(sentence) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([RUN, "--profil", "x"], "did you mean '--profile'?"),
        ([RUN, "--profile", "skylak"], "no profile 'skylak'; did you mean 'skylake'"),
        ([RUN, "--board", "smi-stom"], "no board 'smi-stom'; did you mean 'smi-storm'?"),
        ([LAB / "rack", "status", "--stroe", "x"], "did you mean '--store'?"),
        ([LAB / "judge-log", "--folow", "x"], "did you mean '--follow'?"),
        (
            [ROOT / "tools/emulator/list", "boards", "--only", "smi-stom"],
            "did you mean 'smi-storm'?",
        ),
        ([ROOT / "tools/emulator/list", "faults", "--only", "jmp-lst"], "'jmp-lost'"),
        ([LAB / "image", ROOT / "none.iso", "--set", "tset=a"], "did you mean 'test='"),
    ],
)
def test_programs_say_it_in_one_sentence(words, told):
    answer = execute(*words, timeout=60)
    assert answer.returncode == Status.ERROR and answer.stdout == ""
    assert told in answer.stderr and answer.stderr.count("\n") == 1, answer.stderr


def test_names_of_tests_are_those_that_the_kernel_lists(boot_machine, emulator):
    """But for those that a macro makes, of one suite."""
    boot = boot_machine(qemu=emulator, command_line="list")
    listed = set(re.findall(r"^# ([a-z0-9_]+\.[a-z0-9_]+)", boot.text, re.M))
    made = {name for name in listed if re.fullmatch(r"transfers\.\w+_in_(bts|lbr)\w*", name)}
    assert len(listed - made) > 500 and listed - made <= set(names_of_tests())


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_reader_that_goes_away_is_no_error_of_a_list():
    """make faults | head -1"""
    reader, writer = os.pipe()
    os.close(reader)
    command = ["make", "-s", "-C", str(ROOT), "faults"]
    answer = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (0, b"")
