# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole runs under a second engine, on processors that enumerate registers that are not there.

Bochs gives its models the CPUID of what they are named after, but neither counters nor a Debug
Store. An access to a register that it lacks raises #GP, or is dropped. Debian's Bochs boots the
image: a legacy BIOS, one processor, COM1 to a file. Nothing can tell this kernel its command line:
the menu's first entry runs every test.
"""

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from judge import Status, judge
from transport import Outcome, VerdictWatch

ROMS = [Path("/usr/share/bochs/BIOS-bochs-latest"), Path("/usr/share/vgabios/vgabios.bin")]
PROGRAM = "bochs"
LIMIT = 240  # seconds; an idle machine needs 10
POLL = 0.1
LAST_LINES = 0.5  # seconds; a machine without an exit repeats its verdict

# The one display that needs neither a person nor a terminal is a server for viewers (port 5900 or
# the next that is free), told not to wait for one. No VBE: GRUB crashes on that of this video BIOS.
# Without drivers that are none Bochs looks for a sound card, and aborts where there is none. The
# clock runs by instructions: the fewer a second has, the sooner what waits is over.
CONFIGURATION = """\
config_interface: textconfig
display_library: rfb, options="timeout=0"
romimage: file={bios}
vgaromimage: file={vga_bios}
vga: extension=none
megs: 128
cpu: model={model}, ips=20000000, reset_on_triple_fault=1, ignore_bad_msrs={drops}
ata0-master: type=cdrom, path="{iso}", status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev="{log}"
sound: waveoutdrv=dummy, waveindrv=dummy, midioutdrv=dummy
speaker: enabled=0
log: "{folder}/bochs.log"
panic: action=fatal
"""
DEBUGGER = "continue\nquit\n"  # Debian's Bochs has one, and it waits for a command
# (model, does CPUID enumerate DS and counters?, are accesses dropped?)
MACHINES = [
    ("corei7_haswell_4770", True, False),
    ("core2_penryn_t9600", True, True),
    ("ryzen", False, False),
    ("athlon64_venice", False, True),
]
CLAIMS = {"DS-1", "DS-2", "DS-3", "FRZ-1"}  # of registers that are there, or take a bit


def what_is_missing():
    missing = [str(rom) for rom in ROMS if not rom.is_file()]
    return missing if shutil.which(PROGRAM) else [PROGRAM, *missing]


def boot(iso, folder, model, drops):
    """One run's judgement and outcome. drops: registers that the model lacks read 0 and take
    nothing; otherwise they raise #GP."""
    log = folder / "com1.ktap"
    roms = dict(zip(("bios", "vga_bios"), ROMS))
    text = CONFIGURATION.format(
        **roms, model=model, drops=int(drops), iso=iso, log=log, folder=folder
    )
    (folder / "bochsrc").write_text(text)
    (folder / "commands").write_text(DEBUGGER)
    outcome = run([PROGRAM, "-q", "-f", "bochsrc", "-rc", "commands"], folder, log)
    return judge(outcome.raw, None, outcome.timed_out), outcome


def run(command, folder, log):
    """Until the verdict stands there."""
    messages, start = folder / "messages", time.monotonic()
    with open(messages, "wb") as output:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            while process.poll() is None and seconds_since(start) < LIMIT and not is_over(log):
                time.sleep(POLL)
            time.sleep(LAST_LINES)
        finally:
            process.kill()
            process.wait()
    raw = log.read_bytes() if log.is_file() else b""
    return Outcome(
        raw,
        timed_out=not is_over(log),
        messages=messages.read_text("utf-8", "replace"),
        seconds=seconds_since(start),
    )


def seconds_since(start):
    return time.monotonic() - start


def is_over(log):
    watch = VerdictWatch()
    watch.heard(log.read_bytes() if log.is_file() else b"")
    return watch.seen


@pytest.mark.parametrize("model, enumerates, drops", MACHINES)
def test_run_comes_to_its_end(iso, tmp_path, model, enumerates, drops):
    if missing := what_is_missing():
        pytest.skip(f"no Bochs, `make setup` installs it: there is no {', '.join(missing)}")
    judgement, outcome = boot(iso, tmp_path, model, drops)
    told = f"{judgement.status!r} {judgement.reasons[:20]} {outcome.messages[-500:]}"
    assert judgement.status == (Status.FAIL if enumerates else Status.SKIP), told
    log = judgement.log
    # It says nowhere that it is no board, and its serial line takes as long as a real one.
    assert log.is_compact() and "us for a byte" in log.header()["log"]
    assert log.totals["run"] == log.totals["planned"] > 200
    assert not [line for line in log.lines if "hung: " in line or "the test ended before" in line]
    failed = {path.split(".")[0] for path, leaf in log.leaves() if not leaf.ok}
    suites = {"probe", "beside", "counters", "freeze", "isr"}
    assert failed == (suites if enumerates else set()), told
    assert not enumerates or CLAIMS <= broken_claims(log)
    refused = [line for line in log.lines if "raised #GP at bracket_on" in line]
    assert bool(refused) == (enumerates and not drops)


def broken_claims(log):
    lines = [line for line in log.lines if line.startswith("# broken claims: ")]
    return set(lines[0].split(": ")[1].split())
