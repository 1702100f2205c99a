# SPDX-License-Identifier: GPL-2.0-or-later
"""The lines that repeat a failure: all that differs is in them, and a shell takes them as is."""

import random
import re
import shlex
import subprocess
import sys

import ktap
import pytest
from rerun_line import rerun_line
from arguments import parse_arguments
from conftest import ROOT, RUN, execute
from machine import LabError
from judge_logs import EXIT, FAILING, GOOD, raw

FAILED = "table17_6.encodings"
AWKWARD = [
    "a b",
    "it's",
    "$x",
    "$$",
    "a,b",
    'q"',
    "#1",
    "\u00e9",
    "a\\b",
    "%",
    "(x)",
    "a;b",
    "~",
    "*",
    "=",
]

# variable of make -> (option of the lab, an unusual value)
VARIABLES = {
    "PROFILE": ("--profile", "core2"),
    "VARIATION": ("--variation", "x-ds-wrap=eager,hypervisor=off"),
    "BOARD": ("--board", "smi-storm"),
    "FIRMWARE": ("--firmware", "uefi"),
    "MEDIUM": ("--medium", "usb"),
    "SMP": ("--smp", "4"),
    "ACCEL": ("--accelerator", "kvm"),
    "QEMU": ("--qemu", "qemu-system-x86_64"),
    "ARGS": ("--args", "seed=3 repeat=2"),
}


def failing_log():
    return ktap.read(raw(FAILING))


def words_of(line):
    """As a shell and make read it: NAME -> value."""
    command, target, *words = shlex.split(line)
    assert (command, target) == ("make", "run")
    return {name: value.replace("$$", "$") for name, value in (w.split("=", 1) for w in words)}


def test_usual_machine_needs_no_variables():
    assert rerun_line(parse_arguments(["--make="]), failing_log()) == f"make run TEST={FAILED}"
    assert rerun_line(parse_arguments(["--make="]), None) == "make run"
    assert rerun_line(parse_arguments(["--make=", "--test", "t*"]), None) == "make run 'TEST=t*'"


@pytest.mark.parametrize("seed", range(20))
def test_every_variable_that_differs_is_named(seed):
    chance = random.Random(seed)
    chosen = chance.sample(sorted(VARIABLES), chance.randrange(len(VARIABLES) + 1))
    built = {name: chance.choice(AWKWARD) for name in ("CC", "BUILD") if chance.random() < 0.7}
    options = ["--make="] + [f"--make={name}={value}" for name, value in built.items()]
    options += [f"{VARIABLES[name][0]}={VARIABLES[name][1]}" for name in chosen]
    line = rerun_line(parse_arguments(options), failing_log())
    expected = {name: VARIABLES[name][1] for name in chosen} | built | {"TEST": FAILED}
    assert words_of(line) == expected, line


def test_values_come_through_shell_and_make_as_they_were(tmp_path):
    """make itself reads the line."""
    (tmp_path / "Makefile").write_text("run:\n\t@printf '%s\\n' '$(subst ','\\'',$(QEMU))'\n")
    for value in AWKWARD:
        line = rerun_line(parse_arguments(["--make=", f"--qemu={value}"]), None)
        answer = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, check=True)
        assert answer.stdout.decode() == value + "\n", line


def test_tests_in_the_arguments_give_way_to_those_that_failed():
    options = ["--make=", "--args", "seed=1 test=t*,x repeat=2"]
    words = words_of(rerun_line(parse_arguments(options), failing_log()))
    assert words == {"ARGS": "seed=1 repeat=2", "TEST": FAILED}
    assert words_of(rerun_line(parse_arguments(options), None)) == {"ARGS": options[2]}


def test_without_make_the_command_itself_is_repeated():
    words = ["tools/lab/run", "--cpu", "any,x=y", "--test", "t*", "--timeout", "7", "--test=u*"]
    line = rerun_line(parse_arguments(words[1:]), failing_log(), words)
    assert shlex.split(line) == [*words[:3], "--timeout", "7", "--test", FAILED]
    words = ["/a b/run", "--args", "test=t* seed=1", "--quiet"]
    line = rerun_line(parse_arguments(words[1:]), failing_log(), words)
    assert shlex.split(line) == ["/a b/run", "--quiet", "--args", "seed=1", "--test", FAILED]


@pytest.mark.parametrize("number", [1, 7, 8, 9, 28])
def test_all_that_failed_is_named_or_counted(number):
    """As many tests as fit a line; the rest is a number."""
    results = "".join(f"  not ok {n} t{n}\n" for n in range(1, number + 1))
    log = f"KTAP version 1\n1..1\n  KTAP version 1\n  # Subtest: a\n  1..{number}\n{results}"
    log += "not ok 1 a\n"
    line, _, more = rerun_line(parse_arguments(["--make="]), ktap.read(raw(log))).partition("\n")
    named = words_of(line)["TEST"].split(",")
    left_out = re.fullmatch(r" *8 of ([0-9]+) failed tests; ([0-9]+) are left out", more)
    assert named == [f"a.t{n}" for n in range(1, len(named) + 1)]
    assert (len(named) == number) == (more == "")
    assert more == "" or list(map(int, left_out.groups())) == [number, number - len(named)]


def test_board_is_not_started_by_a_command():
    assert rerun_line(parse_arguments(["--serial", "/dev/ttyS0"]), failing_log()) == ""


def test_failure_shows_the_line_and_a_pass_does_not(run_fake, tmp_path):
    answer = run_fake(raw(FAILING), f"sys.exit({EXIT['FAIL']})", "--profile", "core2", "--make", "")
    line = re.search(r"  again: (.*)\n", answer.stderr)[1]
    assert words_of(line) == {"PROFILE": "core2", "QEMU": str(tmp_path / "qemu"), "TEST": FAILED}
    assert "again:" not in run_fake(raw(GOOD), f"sys.exit({EXIT['PASS']})").stderr


def test_command_without_make_can_be_pasted(run_fake):
    answer = run_fake(raw(FAILING), f"sys.exit({EXIT['FAIL']})", "--quiet", "--test", "t*")
    line = re.search(r"  again: (.*)\n", answer.stderr)[1]
    words = shlex.split(line)
    assert words[:2] == [str(RUN), "--qemu"] and words[-2:] == ["--test", FAILED]
    pasted = execute("sh", "-c", line)
    assert pasted.returncode == answer.returncode, pasted.stderr
    assert f"  again: {line}\n" in pasted.stderr


@pytest.mark.parametrize(
    "option",
    [
        *("--profile=core2", "--variation=x-ds-wrap=eager", "--cpu=any", "--qemu=true", "--smp=3"),
        *("--accelerator=tcg", "--firmware=uefi", "--medium=usb", "--iso=x", "--debug=x"),
        *("--test=probe.*", "--args=repeat=3", "--print-command"),
    ],
)
def test_what_has_no_effect_on_a_board_is_refused(option, tmp_path):
    name = option.split("=", maxsplit=1)[0]
    answer = execute(RUN, "--serial", "/dev/null", "--log", tmp_path / "log", option, timeout=30)
    assert answer.returncode == 2
    assert f"{name} has no effect with --serial" in answer.stderr
    assert ("press e in GRUB's menu" in answer.stderr) == (name in ("--test", "--args"))
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize("options", [["--cpu=x", "--profile=core2"], ["--rate=57600"]])
def test_other_options_without_an_effect_are_refused(options):
    with pytest.raises(LabError, match="has no effect"):
        parse_arguments(options)


def test_rate_of_a_console_server_is_its_own():
    with pytest.raises(LabError, match="console server knows"):
        parse_arguments(["--serial", "socket://host:1", "--rate", "57600"])


@pytest.mark.parametrize(("options", "rate"), [([], 115200), (["--rate", "9600"], 9600)])
def test_rate_reaches_the_line(options, rate, monkeypatch):
    import transport

    asked = {}
    fake = type(sys)("serial")
    fake.SerialException = OSError
    fake.serial_for_url = lambda url, **more: asked.update(more, url=url)
    monkeypatch.setitem(sys.modules, "serial", fake)
    given = parse_arguments(["--serial", "/dev/ttyUSB0", *options])
    transport.open_serial(given.serial, given.rate)
    assert (asked["baudrate"], asked["url"]) == (rate, "/dev/ttyUSB0")


def test_every_variable_of_make_is_in_the_line_or_has_no_say():
    """A new one belongs into rerun_line.py, or here with the reason."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = re.search(r"^VARIABLES :=((?:.*\\\n)*.*)$", text, re.M)[1].replace("\\\n", " ").split()
    built_with = re.search(r"foreach name,([A-Z ]+),\$\(if \$\(filter-out", text)[1].split()
    no_say = {"PYTHON", "V", "VERSION", "SOURCE_DATE_EPOCH", "MATRIX", "MUTANTS"}
    no_say |= {"SUITE", "NAME", "CLAIM", "F"}  # of new-test and asm, which boot nothing
    no_say |= {"CLIENTS", "KUT_SRC"}  # of clients, which boots others than btscheck
    no_say |= {"ONLY", "PREFIX", "DESTDIR"}  # of lists, of install
    assert set(known) == set(VARIABLES) | set(built_with) | no_say | {"TEST"}
