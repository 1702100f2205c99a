# SPDX-License-Identifier: GPL-2.0-or-later
"""A lab's network of its own on this host: one wire, dnsmasq and a web server at one end of it, a
machine at the other. It lives in a network namespace, so nothing else of the host is on it."""

import contextlib
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import machine
import pytest

# As iso/dnsmasq.conf names them.
ADDRESS, SERVED = "192.168.77.1", Path("/srv/tftp")
WIRE = "wire"
NEEDS = ("dnsmasq", "unshare", "nsenter", "ip")
PATIENCE = 60  # seconds; a server that is not there by then does not come
STEP = 0.05

# The host's /srv is not touched: this one is seen in here alone.
SET_UP = f"""
set -e
mount -t tmpfs none /srv
mkdir {SERVED}
ip link set lo up
ip tuntap add dev {WIRE} mode tap
ip addr add {ADDRESS}/24 dev {WIRE}
ip link set {WIRE} up
echo ready
exec sleep infinity
"""


def why_not():
    """Why there can be no such network here; "" where there can."""
    missing = [name for name in NEEDS if not shutil.which(name, path="/usr/sbin:/usr/bin:/sbin")]
    if missing:
        return f"no {missing[0]} (packages dnsmasq-base, util-linux, iproute2)"
    if os.geteuid() != 0:
        return "a network namespace with a wire of its own needs root"
    if not os.path.exists("/dev/net/tun"):
        return "no /dev/net/tun, so no wire to a machine"
    return ""


@dataclass
class Network:
    inside: list  # the words before a command that runs in there
    folder: Path  # for logs and the like
    started: contextlib.ExitStack

    def start(self, name, *command):
        """Runs a server until the network ends; its log is NAME.log."""
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [*self.inside, *map(str, command)], stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        self.started.callback(ended, process)
        return process

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def serve(self, folder, conf):
        """Puts the folder where the example says, and starts what it says, to the letter."""
        self.run("cp", "-r", folder, SERVED / "btscheck")
        self.start(
            "dnsmasq",
            *("dnsmasq", "--no-daemon", f"--conf-file={conf}", f"--interface={WIRE}"),
            *(f"--dhcp-leasefile={self.folder}/leases", "--log-dhcp"),
        )
        self.start(
            "http",
            *("/usr/bin/python3", "-u", "-m", "http.server"),
            *("--bind", ADDRESS, "--directory", SERVED, "80"),
        )
        self.wait_for("dnsmasq", "started, version")
        self.wait_for("http", "Serving HTTP")

    def wait_for(self, name, text):
        end = time.monotonic() + PATIENCE
        while text not in self.log(name):
            assert time.monotonic() < end, f"{name} does not start: {self.log(name)}"
            time.sleep(STEP)

    def run(self, *command):
        subprocess.run([*self.inside, *map(str, command)], check=True, timeout=PATIENCE)

    def emulator(self, qemu=machine.STOCK):
        """A program that is this QEMU, with the wire in reach."""
        program = self.folder / "qemu"
        words = " ".join(self.inside)
        program.write_text(f'#!/bin/sh\nexec {words} {qemu} "$@"\n')
        program.chmod(0o755)
        return str(program)


def ended(process):
    process.terminate()
    process.wait(PATIENCE)


@contextlib.contextmanager
def network(folder):
    if reason := why_not():
        pytest.skip(reason)
    with contextlib.ExitStack() as started:
        holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--", "sh", "-c", SET_UP],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.callback(ended, holder)
        if holder.stdout.readline() != "ready\n":
            pytest.skip(f"no network namespace here: {holder.stderr.read().strip()}")
        inside = ["nsenter", f"--target={holder.pid}", "--net", "--mount", "--"]
        yield Network(inside, folder, started)
