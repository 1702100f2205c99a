# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine to boot: which QEMU, which processor, which firmware, as one command line."""

import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from boards import PLAIN, find_board
from errors import LabError, told  # noqa: F401  pylint: disable=unused-import
from image_file import check_image
from nearest import no_such
from places import BUILD, IS_CHECKOUT, ROOT

PROFILES = ROOT / "tools/emulator/profiles.toml"
EMULATOR_BUILD = ROOT / "tools/emulator/build"
EMULATOR = BUILD / "emulator/qemu-system-x86_64"
STOCK = "qemu-system-x86_64"
PART = re.compile(r"\{([\w-]+)\}")  # of a cpu string: what several profiles have in common
UEFI_FIRMWARE = Path("/usr/share/ovmf/OVMF.fd")

NO_SOURCE = 3  # exit status of tools/emulator/build: there is no QEMU source to be had
MARK = "btscheck:"  # how GRUB knows our OEM string among others (iso/grub.cfg)
# GRUB and the kernel split at spaces; quotes and backslashes would not survive GRUB.
COMMAND_LINE = re.compile(r"[!#-&(-\[\]-~ ]*")
COMMAND_LINE_LIMIT = 900  # bytes; GRUB and the kernel take a little more


def load_profiles(path=PROFILES):
    """Name -> {cpu, description, …} of the processors that the emulator can be."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        profiles, parts = table["profiles"], table.get("parts", {})
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise LabError(f"the profiles cannot be read: {path}: {error}") from error
    for name, profile in profiles.items():
        if not isinstance(profile.get("cpu"), str):
            raise LabError(f"{path}: profile '{name}' has no cpu string")
        profile["cpu"] = PART.sub(lambda part: str(parts.get(part[1], part[0])), profile["cpu"])
    return profiles


def find_profile(name):
    profiles = load_profiles()
    if name not in profiles:
        raise LabError(no_such("no profile", name, profiles))
    return profiles[name]


def has_debug_store(qemu):
    """Is it our emulator? Stock QEMU knows no x-ds- property."""
    command = [str(qemu), "-device", "qemu64-x86_64-cpu,help"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except OSError as error:
        raise LabError(f"{qemu} cannot be started: {error.strerror}") from error
    return "x-ds-" in answer.stdout


def build_emulator(**options):
    """Runs its build, which is quick when nothing changed."""
    return subprocess.run([str(EMULATOR_BUILD)], cwd=ROOT, check=False, **options)


def find_emulator(tell):
    """Builds the emulator when it must be. Stock QEMU when there is no source to be had."""
    if not IS_CHECKOUT and not EMULATOR.exists():
        raise LabError(
            "the emulator is not installed (docs/install.md): --serial=DEVICE listens to a board,"
            " and --qemu=qemu-system-x86_64 boots a machine without a Debug Store"
        )
    if not IS_CHECKOUT:
        return str(EMULATOR)
    answer = build_emulator()
    if answer.returncode == 0:
        return str(EMULATOR)
    if answer.returncode == NO_SOURCE:
        tell("The emulator cannot be built here. Booting stock QEMU instead: it has no Debug")
        tell("Store, so the tests that need one are skipped.")
        return STOCK
    raise LabError(f"the emulator's build failed with status {answer.returncode}")


@dataclass
class Machine:
    qemu: str = STOCK
    profile: str = "skylake"
    variation: str = ""  # more -cpu properties, "x-ds-wrap=eager"
    cpu: str = ""  # the whole -cpu string, instead of a profile
    accelerator: str = "tcg"
    firmware: str = "bios"
    medium: str = "cd"
    board: str = PLAIN  # what stands around the processor, boards.toml
    # Where the board does not say; tests that need a second one skip without it.
    processors: int = 2
    memory: int = 256  # MiB
    iso: Path = BUILD / "btscheck.iso"
    command_line: str = ""
    # Nothing is passed to the loader: as on a board, its menu comes, and the image's own options.
    own_options: bool = False
    monitor: Path | None = None  # where QEMU's monitor listens, a unix socket (QMP)
    extra: list[str] = field(default_factory=list)

    def cpu_string(self):
        """
        What is named as a whole, or the profile's and the variation; with what the board adds. To
        stock QEMU goes the bare model, it refuses what it does not know.
        """
        added = find_board(self.board).cpu
        words = [self.cpu, added] if self.cpu else [self.model_string(), added, self.variation]
        return ",".join(filter(None, words))

    def model_string(self):
        cpu = "host" if self.accelerator == "kvm" else find_profile(self.profile)["cpu"]
        if self.accelerator == "tcg" and not has_debug_store(self.qemu):
            cpu = cpu.split(",")[0] + ",check=off"
            self.refuse_choices("stock QEMU has no Debug Store")
        return cpu

    def refuse_choices(self, why):
        """What would be ignored is refused."""
        for word in self.variation.split(","):
            if word.startswith("x-ds-"):
                raise LabError(f"the variation {word} has no effect: {why}")

    def refuse_board(self, board):
        """One that this emulator cannot be."""
        if board.needs_emulator():
            if self.accelerator != "tcg":
                raise LabError(f"the board '{board.name}' needs our emulator, and not KVM")
            if not has_debug_store(self.qemu):
                raise LabError(
                    f"the board '{board.name}' needs our emulator: {board.needs_emulator()}"
                )

    def arguments(self, serial):
        """The command that boots it, COM1 going to the character device `serial`."""
        board = find_board(self.board)
        self.refuse_board(board)
        cpu = self.cpu_string()
        return [
            self.qemu,
            *("-machine", ",".join(filter(None, ["q35", board.machine]))),
            *("-accel", self.accelerator, "-m", str(self.memory)),
            *("-smp", board.smp or str(self.processors), "-cpu", cpu),
            *("-nodefaults", "-no-user-config", "-vga", "std", "-display", "none", "-no-reboot"),
            *("-chardev", f"{serial},id=com1"),
            *board.arguments(self.firmware, cpu.split(",")[0]),
            *("-device", "isa-debug-exit,iobase=0xf4,iosize=4"),
            *self.options_arguments(board),
            *self.firmware_arguments(),
            *self.medium_arguments(),
            *self.monitor_arguments(),
            *self.extra,
        ]

    def options_arguments(self, board):
        """How the loader gets the kernel's command line from us."""
        if self.own_options:
            return []
        command_line = board.command_line(self.command_line)
        check_command_line(command_line)
        return ["-smbios", "type=11,value=" + MARK + command_line.replace(",", ",,")]

    def firmware_arguments(self):
        if self.firmware == "bios":
            return []
        if not UEFI_FIRMWARE.is_file():
            raise LabError(f"there is no UEFI firmware {UEFI_FIRMWARE}; `tools/setup` installs it")
        return ["-bios", str(UEFI_FIRMWARE)]

    def monitor_arguments(self):
        if self.monitor is None:
            return []
        path = str(self.monitor).replace(",", ",,")
        return ["-qmp", f"unix:{path},server=on,wait=off"]

    def medium_arguments(self):
        check_image(self.iso)
        image = str(self.iso).replace(",", ",,")
        drive = ["-drive", f"if=none,id=medium,format=raw,readonly=on,file={image}"]
        if self.medium == "usb":
            return drive + ["-device", "qemu-xhci", "-device", "usb-storage,drive=medium"]
        return drive + ["-device", "ide-cd,drive=medium,bus=ide.0"]


def check_command_line(text):
    if not COMMAND_LINE.fullmatch(text):
        raise LabError(
            "the command line may hold no quotes, backslashes or controls, and ASCII alone:"
            f" {text!r}"
        )
    if len(text) > COMMAND_LINE_LIMIT:
        raise LabError(f"the command line is longer than {COMMAND_LINE_LIMIT} characters")
