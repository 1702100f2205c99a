# SPDX-License-Identifier: GPL-2.0-or-later
"""The options of tools/lab/run: what they mean, and which of them do not go together."""

import argparse
import math
import re
from pathlib import Path

from boards import PLAIN, find_board
from machine import LabError, Machine
from nearest import meant
from places import BUILD, MADE

USUAL_RATE = 115200  # bits per second; the kernel takes what divides it, down to the slowest
SLOWEST_RATE = 9600
UNKNOWN = re.compile(r"(?<!\S)--[a-z][a-z-]*")  # options in argparse's complaint
KVM_TIMEOUT = 60  # seconds for each test, where nobody says otherwise
PROCESSORS_MOST = 4096  # more than any machine type of QEMU has; each says how many it has
DEFAULTS = {
    "profile": "skylake",
    "variation": "",
    "cpu": "",
    "qemu": "",
    "accelerator": "tcg",
    "board": PLAIN,
    "firmware": "bios",
    "medium": "cd",
    "smp": Machine.processors,
    "test": "",
    "args": "",
    "set": None,
    "output": None,
    "iso": BUILD / "btscheck.iso",
    "serial": "",
    "rate": USUAL_RATE,
    "debug": "",
    "quiet": False,
    "view": "auto",
    "print_command": False,
    "make": None,
}
MACHINE = (
    "profile",
    "variation",
    "cpu",
    "qemu",
    "accelerator",
    "board",
    "firmware",
    "medium",
    "smp",
)
MACHINE += ("iso",)
# With --set, whatever else is named is about a machine that starts from the copy.
WRITE_A_COPY = {"iso", "set", "output", "make"}
IN_THE_MENU = (
    "what a board runs is chosen at the board: press e in GRUB's menu, write it behind"
    " /boot/btscheck.elf, press Ctrl-X"
)
# (option, those that it leaves without an effect, why)
CONFLICTS = (
    ("set", ("serial",), "write the copy first, start the board from it, then listen"),
    ("serial", MACHINE, "a board is the machine that it is"),
    ("serial", ("test",), IN_THE_MENU + "; the lab judges what comes"),
    ("serial", ("args",), IN_THE_MENU + "; for long runs there are --timeout and --silence"),
    ("serial", ("debug", "print_command"), "they start an emulator"),
    ("cpu", ("profile", "variation"), "--cpu is the whole processor"),
    ("set", ("test", "args"), "the copy has the options that --set names"),
    ("quiet", ("view",), "nothing of the log is shown"),
)
DESCRIPTION = """\
Boots btscheck, shows what comes of it, and judges it. Exits with the status of the judgement
(docs/status.md).

Without --qemu it starts the emulator of this repository, and builds it where that was not done.
With --serial it boots nothing and listens to a real board. With --set it writes a copy of the image
that starts with these options, for boards where nobody can type at GRUB's menu. It boots that copy
too if an option names a machine.
"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        """One sentence; --help shows the rest."""
        near = "".join(meant(word, self.all_options(), "--") for word in UNKNOWN.findall(message))
        self.exit(2, f"{self.prog}: {message}{near} (--help lists the options)\n")

    def all_options(self):
        """Those of its commands, too."""
        commands = (each.choices for each in self._actions if isinstance(each.choices, dict))
        below = (each.all_options() for choices in commands for each in choices.values())
        return {*self._option_string_actions, *(option for options in below for option in options)}


def seconds(text):
    value = float(text) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) else math.nan
    if not value > 0:
        raise argparse.ArgumentTypeError(f"wants a number of seconds above 0, not '{text[:40]}'")
    return value


def processors(text):
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= PROCESSORS_MOST:
        raise argparse.ArgumentTypeError(
            f"SMP wants a number of processors from 1 to {PROCESSORS_MOST}, not '{text[:40]}'"
        )
    return int(text)


def rate(text):
    value = int(text) if re.fullmatch("[0-9]{1,6}", text) else 0
    if not SLOWEST_RATE <= value <= USUAL_RATE or USUAL_RATE % value != 0:
        raise argparse.ArgumentTypeError(
            f"wants bits per second, from {SLOWEST_RATE} to {USUAL_RATE}, that divide"
            f" {USUAL_RATE}, not '{text[:40]}'"
        )
    return value


def make_parser():
    parser = Parser(prog="run", allow_abbrev=False, description=DESCRIPTION)
    add = parser.add_argument
    add("--profile", help="the emulated processor (`make profiles` lists them)")
    add("--variation", help="more -cpu properties: x-ds-wrap=eager,… (`make variations`)")
    add("--cpu", help="QEMU's whole -cpu string, instead of a profile")
    add("--qemu", help="start this emulator instead of our own")
    add("--accelerator", choices=["tcg", "kvm"], help="emulate (tcg) or use the host's own (kvm)")
    add("--board", help="what stands around the processor (`make boards` lists them)")
    add("--firmware", choices=["bios", "uefi"], help="the machine's firmware")
    add("--medium", choices=["cd", "usb"], help="boot from a CD or a USB stick")
    add("--smp", type=processors, help="processors of the machine (2)")
    add("--iso", type=Path, help="the image to boot (build/btscheck.iso)")
    add("--test", metavar="GLOB,…", help="run only these tests")
    add("--args", help="the kernel's options (docs/options.md)")
    add("--set", metavar="OPTIONS", help="write a copy of the image that has these options")
    add("-o", "--output", type=Path, help="the copy of --set (NAME-set.iso beside it, or here)")
    add("--log", type=Path, help="where the log is kept (build/log/run.ktap or debug.ktap)")
    add("--timeout", type=seconds, help="seconds from start to verdict (900, times repeat=)")
    add("--silence", type=seconds, help="seconds without a byte (90, KVM: 300; times repeat=)")
    add("--serial", metavar="LINE", help="listen to a board: /dev/ttyS0, socket://HOST:PORT")
    add("--rate", type=rate, help="bits per second of the serial line (115200)")
    add("--quiet", action="store_true", default=None, help="show the judgement, not the log")
    add(
        "--view",
        choices=["auto", "suites", "log"],
        help="a line a suite and failures in full, or the whole log (auto: suites on a terminal)",
    )
    add("--debug", metavar="ELF", help="stop at the kernel's entry, in gdb")
    add("--print-command", action="store_true", default=None, help="print QEMU's command line")
    add("--make", action="append", metavar="NAME=VALUE", help=argparse.SUPPRESS)  # rerun_line.py
    return parser


def parse_arguments(words=None):
    options = make_parser().parse_args(words)
    given = {name for name, value in vars(options).items() if value is not None}
    refuse_conflicts(given)
    options.boots = "set" not in given or bool(given - WRITE_A_COPY)
    for name, value in DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    name = "debug" if options.debug else "run"
    options.log = options.log or MADE / f"log/{name}.ktap"
    check_rate(options)
    check_board(options)
    check_set(options)
    return options


def refuse_conflicts(given):
    for option, without_effect, why in CONFLICTS:
        for name in without_effect:
            if option in given and name in given:
                name = name.replace("_", "-")
                raise LabError(f"--{name} has no effect with --{option}: {why}")


def check_board(options):
    board = find_board(options.board)
    if board.smp and options.smp != DEFAULTS["smp"]:
        raise LabError(f"--smp has no effect: the board '{board.name}' has {board.smp}")


def check_set(options):
    if options.set is None and options.output:
        raise LabError("--output has no effect without --set")
    board = find_board(options.board)
    if options.set is not None and board.command_line(options.set) != options.set:
        raise LabError(f"the board '{board.name}' needs {board.kernel} among the options of --set")


def check_rate(options):
    if options.rate != USUAL_RATE and not options.serial:
        raise LabError("--rate has no effect without --serial; an emulated line has no rate")
    if options.rate != USUAL_RATE and options.serial.startswith("socket://"):
        raise LabError("--rate has no effect on socket://: the console server knows the rate")


def shows_suites(options, out):
    """Whoever reads a terminal wants to know what fails; a pipe or a CI job keeps all."""
    return options.view == "suites" or options.view == "auto" and out.isatty()


def kernel_command_line(options):
    """Nested KVM may be so slow that a test's lines alone take longer than a test usually may."""
    if options.set is not None:
        return options.set
    if options.test and re.search(r"(^|\s)test=", options.args):
        raise LabError("the tests are named twice, by --test and in --args")
    named = f"test={options.test}" if options.test else ""
    patience = options.accelerator == "kvm" and not re.search(r"(^|\s)timeout=", options.args)
    more = f"timeout={KVM_TIMEOUT}" if patience else ""
    return " ".join(filter(None, [named, options.args.strip(), more]))
