# SPDX-License-Identifier: GPL-2.0-or-later
"""Boards that start over the network: Debian's dnsmasq, QEMU's network cards, BIOS and UEFI."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import machine
import pytest
from conftest import ROOT, Boot, build, execute
from judge import Status, judge
from network import WIRE, network
from image_options import block
from transport import Limits, boot

# A busy host and TFTP: megabytes, a kilobyte at a time, each of which waits for an answer.
LIMITS = Limits(total=800, silence=600)
NETBOOT = ROOT / "tools/lab/netboot"
MAC = "52:54:00:0b:75:01"
QUICK = "test=probe.no_bts_without_ds"  # stock QEMU passes it; our emulator has virtio's card alone
UEFI32 = Path("/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd")  # Debian's ovmf-ia32
NO_PXE = ["-fw_cfg", "name=opt/org.tianocore/IPv4PXESupport,string=n"]
NO_PXE += ["-fw_cfg", "name=opt/org.tianocore/IPv6PXESupport,string=n"]


@pytest.fixture(scope="session")
def built():
    """What `make netboot` builds."""
    return build("netboot") / "netboot"


@pytest.fixture
def folder(built, tmp_path):
    """A copy of it, without any board's options."""
    copy = tmp_path / "netboot"
    shutil.copytree(built, copy, ignore=shutil.ignore_patterns("*.env"))
    (copy / "boards/default.env").write_bytes(block(""))
    return copy


def netboot(folder, *words):
    return execute(NETBOOT, "--folder", folder, *words, timeout=120)


def set_options(folder, *words):
    answer = netboot(folder, *words)
    assert answer.returncode == 0 and not answer.stderr, answer


@dataclass
class Networked(machine.Machine):
    """A machine with a network card and no medium, which nobody passes a command line."""

    own_options: bool = True
    card: str = "e1000"

    def medium_arguments(self):
        wire = f"tap,id=wire,ifname={WIRE},script=no,downscript=no"
        return ["-netdev", wire, "-device", f"{self.card},netdev=wire,mac={MAC},bootindex=1"]


def start(folder, tmp_path, fields, server):
    """(the boot, this server's log): with the example's dnsmasq.conf to the letter."""
    with network(tmp_path) as wire:
        wire.serve(folder, folder / "dnsmasq.conf")
        board = Networked(qemu=wire.emulator(), **fields)
        outcome = boot(board, tmp_path / "log.ktap", LIMITS, show=lambda chunk: None)
        judgement = judge(outcome.raw, outcome.exit_code, outcome.timed_out)
        return Boot(judgement, outcome), wire.log(server)


def uefi32(folder):
    """The options of firmware of 32 bits, with variables of its own."""
    variables = folder / "variables"
    shutil.copy(UEFI32.with_name("OVMF32_VARS_4M.fd"), variables)
    flash = "if=pflash,format=raw"
    return [
        *("-global", "driver=cfi.pflash01,property=secure,value=on"),
        *("-drive", f"{flash},unit=0,readonly=on,file={UEFI32}"),
        *("-drive", f"{flash},unit=1,file={variables}"),
    ]


# The first card has a ROM of its own, which is iPXE, as BIOS needs it; the second leaves all to the
# firmware.
BARE_CARD = "virtio-net-pci,romfile="
TFTP, HTTP = "sent /srv/tftp/btscheck/{} to ", '"GET /btscheck/{} HTTP/1.1" 200'
# Firmware, loader -> (machine, server, how its log names what it sent).
WAYS = {
    ("bios", "grub-bios.0"): ({}, "dnsmasq", TFTP),
    ("uefi", "grub-x64.efi"): ({"firmware": "uefi", "card": BARE_CARD}, "dnsmasq", TFTP),
    ("http", "grub-x64.efi"): (
        {"firmware": "uefi", "card": BARE_CARD, "extra": NO_PXE},
        "http",
        HTTP,
    ),
    ("ipxe", "grub-x64.efi"): ({"firmware": "uefi"}, "dnsmasq", TFTP),
    ("uefi32", "grub-ia32.efi"): ({"card": BARE_CARD, "memory": 512}, "dnsmasq", TFTP),
}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_board_starts_over_the_network(folder, tmp_path, way):
    """By its own options or those of all, and all by one road. (The web server knows no ranges.)"""
    fields, server, sent = WAYS[way]
    if way[0] == "uefi32":
        if not UEFI32.exists() or not (folder / way[1]).exists():
            pytest.skip("no 32-bit UEFI (packages ovmf-ia32, grub-efi-ia32-bin)")
        fields = {**fields, "extra": uefi32(tmp_path)}
    has_own = way[0] in ("uefi", "uefi32")
    set_options(folder, "--set", f"{QUICK} seed=1")
    set_options(
        folder, "--mac", MAC if has_own else "52:54:00:0b:75:02", "--set", f"{QUICK} seed=2"
    )
    booted, log = start(folder, tmp_path, fields, server)
    assert booted.judgement.status == Status.PASS, booted.explain() + log
    assert f"# command line: {QUICK} seed={2 if has_own else 1}" in booted.text.splitlines()
    kernel = [] if way[1].endswith(".efi") else ["btscheck.elf"]
    for name in (way[1], "grub.cfg", *kernel):
        assert sent.format(name) in log, log
    assert ("user class: iPXE" in log) == (way[0] in ("bios", "ipxe")), log


@pytest.mark.timeout(900)
def test_a_board_whose_options_are_damaged_runs_nothing(folder, tmp_path):
    """Neither as if none were set nor with those of all."""
    set_options(folder, "--set", f"{QUICK} seed=1")
    set_options(folder, "--mac", MAC, "--set", f"{QUICK} seed=2")
    own = folder / "boards" / f"{MAC.replace(':', '-')}.env"
    own.write_bytes(own.read_bytes().replace(b"options=", b"optionr="))
    booted, log = start(folder, tmp_path, WAYS["uefi", "grub-x64.efi"][0], "dnsmasq")
    assert booted.judgement.status == Status.ERROR, booted.explain() + log
    assert "# command line: options-that-cannot-be-read" in booted.text.splitlines()


def test_make_netboot_is_the_menu_of_the_image(built):
    """But for where the kernel lies and where the options come from."""
    here, there = (ROOT / "iso/grub.cfg").read_text(), (built / "grub.cfg").read_text()
    here = here.replace("/boot/btscheck.elf", "$kernel")
    head, tail = here.split("load_env --file /boot/grub/options.env options\n")
    assert there.startswith(head) and there.endswith(tail)
    assert there == head + (ROOT / "iso/board.cfg").read_text() + tail


def test_the_same_kernel_gives_the_same_bytes(built, tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        command = [ROOT / "iso/netboot", built / "../btscheck.elf", folder]
        subprocess.run(command, env={"SOURCE_DATE_EPOCH": "1"}, check=True, timeout=120)
    one, two = ({path.name: path.read_bytes() for path in each.rglob("*.*")} for each in folders)
    assert one == two and len(one) >= 6


def test_a_new_kernel_leaves_the_boards_alone(built, folder):
    set_options(folder, "--set", "seed=1")
    set_options(folder, "--mac", MAC, "--set", "seed=2")
    (folder / "btscheck.elf").write_bytes(b"old")
    command = [ROOT / "iso/netboot", built / "../btscheck.elf", folder]
    subprocess.run(command, env={"SOURCE_DATE_EPOCH": "1"}, check=True, timeout=120)
    assert netboot(folder).stdout.splitlines() == ["default: seed=1", "52-54-00-0b-75-01: seed=2"]
    assert (folder / "btscheck.elf").read_bytes() == (built / "btscheck.elf").read_bytes()
    assert not list(folder.parent.glob("*.work.*"))


@pytest.mark.parametrize(
    "form", [MAC, MAC.upper(), MAC.replace(":", "-"), MAC.replace(":", ""), "5254.000b.7501"]
)
def test_every_form_of_an_address_is_the_same_board(folder, form):
    set_options(folder, "--mac", form, "--set", "cpu=all repeat=8h")
    assert netboot(folder, "--mac", MAC).stdout == "52-54-00-0b-75-01: cpu=all repeat=8h\n"
    set_options(folder, "--mac", form, "--clear")
    assert netboot(folder).stdout == "default: none\n"


def test_grub_reads_what_was_written(folder):
    """Its own editor for the host, on the file of a board."""
    set_options(folder, "--set", "test=probe.* seed=0x10")
    path = folder / "boards/default.env"
    assert path.stat().st_mode & 0o777 == 0o644, "a server may run as somebody else"
    answer = execute("grub-editenv", path, "list", check=True)
    assert answer.stdout.strip() == "options=test=probe.* seed=0x10"


@pytest.mark.parametrize(
    "words, told",
    [
        (["--set", "cpu=some"], "the kernel would refuse that: cpu=some: wants kinds, boot"),
        (["--set", "seed=1", "--mac", "52:54"], "'52:54' is no network address"),
        (["--set", "seed=1", "--mac", "../../../default"], "is no network address"),
        (["--set", "seed=1", "--clear"], "not allowed with"),
        (["--mac", ""], "'' is no network address"),
        (["--folder", "/usr"], "/usr is no folder that boards start from"),
    ],
)
def test_what_makes_no_sense_is_refused(folder, words, told):
    before = (folder / "boards/default.env").read_bytes()
    answer = netboot(folder, *words)
    assert answer.returncode == Status.ERROR and told in answer.stderr, answer
    assert answer.stderr.count("\n") == 1 and not answer.stdout
    assert [path.name for path in (folder / "boards").iterdir()] == ["default.env"]
    assert (folder / "boards/default.env").read_bytes() == before


def test_what_one_board_starts_with(folder):
    """Where it has no options of its own, those of all."""
    set_options(folder, "--set", "seed=1")
    set_options(folder, "--mac", MAC, "--set", "seed=2")
    assert netboot(folder, "--mac", MAC).stdout == "52-54-00-0b-75-01: seed=2\n"
    set_options(folder, "--mac", MAC, "--set", "")
    assert netboot(folder, "--mac", MAC).stdout == "52-54-00-0b-75-01: none\n"
    assert netboot(folder, "--mac", "52:54:00:0b:75:02").stdout == "default: seed=1\n"


def test_a_damaged_file_is_named_and_hides_no_other(folder):
    set_options(folder, "--mac", MAC, "--set", "seed=2")
    (folder / "boards/default.env").write_text("options=seed=1\n")
    (folder / "boards/aa.env").mkdir()
    answer = netboot(folder)
    assert answer.returncode == Status.ERROR
    assert re.search(r"boards/default\.env: the block of options is damaged", answer.stderr)
    assert "boards/aa.env: Is a directory" in answer.stderr and answer.stderr.count("\n") == 2
    assert answer.stdout == "52-54-00-0b-75-01: seed=2\n"
    assert netboot(folder, "--mac", MAC).returncode == 0


def test_a_server_that_is_somebody_else_can_read_all(built, tmp_path):
    folder = tmp_path / "folder"
    command = f"umask 077; exec {ROOT}/iso/netboot {built}/../btscheck.elf {folder}"
    subprocess.run(["sh", "-c", command], env={"SOURCE_DATE_EPOCH": "1"}, check=True, timeout=120)
    modes = {path: path.stat().st_mode & 0o777 for path in [folder, *folder.rglob("*")]}
    assert len(modes) >= 7
    assert all(
        mode == 0o755 if path.is_dir() else mode & 0o444 == 0o444 for path, mode in modes.items()
    )
