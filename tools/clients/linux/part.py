# SPDX-License-Identifier: GPL-2.0-or-later
"""Linux and perf: Debian's kernel boots on the emulated silicon; perf traces, samples, counts."""

import tomllib
from pathlib import Path

from clients.steps import BAD_INPUT, HUNG, Stopped, boot, processor
from clients.linux import packages, parts, program
from clients.linux.output import split

EXPECTED = Path(__file__).with_name("expected.toml")
ROUNDS = 100
# Time follows what is executed: nothing depends on the host's load.
MACHINE = "-m 1024 -icount shift=0,sleep=off".split()
# PTI would forbid branch traces (F13.5); a watchdog would take a counter for itself.
KERNEL_OPTIONS = "console=ttyS0 nokaslr nopti mitigations=off nmi_watchdog=0 panic=-1 rdinit=/init"
EMPTY_FOLDERS = ("dev", "proc", "sys", "tmp")


def title(machine):
    """What a row is called: its profile, and the kind of core that the program runs on."""
    return "-".join([machine["profile"], *filter(None, [machine.get("kind")])])


def machines(profile=None, file=EXPECTED):
    """The rows of expected.toml that are chosen; Stopped where there is none."""
    every = tomllib.loads(file.read_text())["machine"]
    wanted = [row for row in every if profile in (None, row["profile"])]
    if not wanted:
        names = ", ".join(row["profile"] for row in every)
        raise Stopped(BAD_INPUT, f"linux: no row for {profile}; expected.toml has: {names}")
    return wanted


def collect(folder):
    """The kernel, and the files of perf, GDB and busybox as the guest sees them."""
    kernel = packages.kernel()
    unpacked = packages.fetch([kernel, *packages.WANTED], folder)
    files = {}
    for name in ("usr/bin/perf", "usr/bin/gdb"):
        file = packages.find(unpacked.values(), name)
        found = packages.libraries(file, unpacked, folder)
        files |= {f"lib/{each}": path.read_bytes() for each, path in found.items()}
        files[name] = file.read_bytes()
    files["bin/busybox"] = (unpacked["busybox-static"] / "bin/busybox").read_bytes()
    loader = packages.find(unpacked.values(), "ld-linux-x86-64.so.2")
    files["lib64/ld-linux-x86-64.so.2"] = loader.read_bytes()
    return next((unpacked[kernel] / "boot").glob("vmlinuz-*")), files


def run_guest(machine, kernel, archive, options):
    """The output of every command in the guest; Stopped where it did not come to its end."""
    name = title(machine)
    results = options.build / f"linux-{name}.results"
    results.write_bytes(b"")
    words = [*MACHINE, "-serial", f"file:{results}", "-smp", machine.get("processors", 1)]
    words += ["-kernel", kernel, "-initrd", archive, "-append", KERNEL_OPTIONS]
    ended = boot(options.emulator, processor(machine["profile"]), words, options.seconds)
    console = options.build / f"linux-{name}.console"
    console.write_text(ended.log)
    said, finished = split(results.read_text(errors="replace"))
    if not finished:
        raise Stopped(HUNG, f"the guest ended before its last command, see {console}")
    return said, results


def compare(machine, found):
    """One sentence for each difference that the row does not explain, or explains in vain."""
    known = {row["part"]: row["words"] for row in machine.get("known", [])}
    sentences = []
    for name, differences in found.items():
        words = known.pop(name, None)
        unknown = [text for text in differences if words is None or words not in text]
        sentences += [f"{name}: {text}" for text in unknown]
        if words is not None and not any(words in text for text in differences):
            sentences.append(f"{name}: known to differ ('{words}'), but does not any more")
    return sentences + [f"{name}: no such part" for name in known]


def try_one(machine, kernel, files, steps, options):
    """Boots one profile, says how it went; whether it went as expected."""
    name = title(machine)
    archive = options.build / f"linux-{name}.initramfs"
    init = parts.script(machine, steps).encode()
    archive.write_bytes(packages.pack({**files, "init": init}, EMPTY_FOLDERS))
    try:
        said, results = run_guest(machine, kernel, archive, options)
    except Stopped as stopped:
        raise Stopped(stopped.status, f"linux: {name}: {stopped}") from stopped
    judged = parts.judge(machine, steps, said)
    found = compare(machine, judged)
    good = sum(not differences for differences in judged.values())
    verdict = f"DIFFERENT, see {results}" if found else "as expected"
    lines = [f"clients: linux: {name}: {good} of {len(judged)} parts agree: {verdict}"]
    print("\n  ".join(lines + found), flush=True)
    return not found


def check(options):
    """All profiles that the options choose; whether every one went as expected."""
    chosen = machines(options.profile)
    folder = options.build / "linux"
    folder.mkdir(parents=True, exist_ok=True)
    kernel, files = collect(folder)
    file, steps = program.build(folder, ROUNDS)
    files[parts.PROGRAM.lstrip("/")] = file.read_bytes()
    return all([try_one(row, kernel, files, steps, options) for row in chosen])
