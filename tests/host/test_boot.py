# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole machines: firmwares, media, every processor, every legal variation, stock QEMU."""

import re

import machine
import mutants
import plan
import pytest
import silicon
from boot_rows import together, variations
from conftest import LIMITS, ROOT, execute, make
from judge import Status
from neighbours import wild_cases
from outcomes import PATIENT, differences, skips_as_it_must
from judge_logs import EXIT
from transport import stretched

# What skips for reasons of its own, not for want of the Debug Store: the stepper's limits, and a
# machine with processors of one kind alone.
OWN_REASONS = ("witness.", "processors.decide_alike.", "traits.")

# Alone where that is slow or is for one family to show; the others several at a time. make matrix
# has every pair of values.
VARIED_TOGETHER, ALONE = together(16)

# Faults of registers that are enumerated: which claim breaks when they, or some bits, raise #GP.
REFUSED_REGISTERS = {
    "ds-area-missing": "DS-1",
    "off-bits-refused": "CPL-1",
    "freeze-bits-refused": "FRZ-1",
    "pebs-enable-refused": "DS-3",
}

# What stock QEMU can leave out of a processor (in the words of the log's head): it ends in skips
# all the same, or says what it lacks.
HOLES = {
    "qemu64,-nx": {"NX"},
    "Nehalem,-nx,-pge,-pat,-mtrr,-sep,-mce,-mca": {"NX", "PGE", "PAT", "SEP", "MCE", "MCA"},
    "max,-smep,-tsc-deadline,-x2apic": {"SMEP", "x2APIC"},
    "qemu64,-syscall": {"SYSCALL"},
}
REFUSED = {
    "qemu32": "long mode (CPUID.80000001H:EDX[29] = 0)",
    "qemu64,-pae": "CPUID.01H:EDX[6]",
    "qemu64,-cmov": "CPUID.01H:EDX[15], EDX[26]",
    "Nehalem,-sse2": "CPUID.01H:EDX[15], EDX[26]",
    "qemu64,-apic": "CPUID.01H:EDX[9].APIC = 0",
}

# Suites with tests that start a second processor, and skip where there is none.
NEED_A_SECOND = {
    "branch_step",
    "init",
    "ler",
    "machine_check",
    "processors",
    "protected_mode",
    "real_mode",
    "smm",
}

NO_NX = "so that data can be executed: CPUID.80000001H:EDX[20].NX = 0"

# Milliseconds; a run is something to wait for, not to come back to.
ENTRY_TO_VERDICT = {"probe,table17_6,circular,threshold,ring3": 3000, "*": 20000}


@pytest.mark.parametrize("medium", ["cd", "usb"])
@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_every_way_to_boot(boot_machine, emulator, firmware, medium):
    boot = boot_machine(qemu=emulator, firmware=firmware, medium=medium)
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert firmware.upper() in boot.judgement.log.header()["firmware"]
    tests = boot.judgement.log.tests()
    without_smi = [name for name, test in tests if test.reason.startswith("no SMI comes")]
    assert all(name.startswith("smm.") for name in without_smi)
    assert len(without_smi) == (14 if firmware == "uefi" else 0), "docs/start.md names it"


@pytest.mark.parametrize("profile", machine.load_profiles())
def test_profile(boot_machine, emulator, clang_iso, profile):
    fields = {"qemu": emulator, "profile": profile, "command_line": PATIENT}
    boot = boot_machine(**fields)
    skips_as_it_must(boot, profile)
    assert not mutants.believed(boot.outcome.raw, seed=profile, most=6)
    other = boot_machine(iso=clang_iso, variation="-nx", **fields)
    assert not differences(boot, other), "the other compiler, without NX"
    assert other.judgement.status == boot.judgement.status, other.explain()
    assert NO_NX in other.text and NO_NX not in boot.text


@pytest.mark.parametrize("fault, claim", REFUSED_REGISTERS.items())
def test_register_that_refuses_does_not_end_the_run(boot_machine, emulator, fault, claim):
    """Whole runs: every test that needs the register comes upon it in its own way."""
    boot = boot_machine(qemu=emulator, variation=f"x-ds-fault={fault}")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    log = boot.judgement.log
    assert log.totals["run"] == log.totals["planned"] > 200
    assert "hung: " not in boot.text, boot.explain()
    assert re.search(rf"^# broken claims:.* {claim}( |$)", boot.text, re.M), boot.explain()


@pytest.mark.parametrize("rate", ["1/1", "1/2", "1/15"])
def test_lost_trap_costs_tests_alone(boot_machine, emulator, rate):
    """Code that a single step was to end goes on, in ring 3 too; the tests that step it fail."""
    tests = "table17_6.transfers*,transfers.debug_*,branch_step.*,circular.laps"
    variation = f"x-ds-fault=trap-lost:{rate}"
    boot = boot_machine(qemu=emulator, variation=variation, command_line=f"test={tests}")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    failed = {name for name, test in boot.judgement.log.tests() if not test.ok}
    assert any(name.startswith("table17_6.transfers") for name in failed), boot.explain()
    assert "circular.laps" not in failed and boot.judgement.log.verdict == "FAIL"
    assert " that of the workload user_single_step did not come" in boot.text, boot.explain()
    assert re.search(r"^# broken claims:.* BTF-1( |$)", boot.text, re.M), boot.explain()


@pytest.mark.parametrize("rate", ["1/20", "1/40", "1/100"])
def test_stepper_ends_where_the_last_trap_is_lost(boot_machine, emulator, rate):
    """And not in the middle of the kernel behind it."""
    variation = f"x-ds-fault=trap-lost:{rate}"
    boot = boot_machine(qemu=emulator, variation=variation, command_line="test=witness.*")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert " at stepper_bracket_return+" in boot.text and "unexpected #" not in boot.text


@pytest.mark.parametrize("varied", [*VARIED_TOGETHER, *([each] for each in ALONE)], ids=str)
def test_legal_variations_pass(boot_machine, emulator, varied):
    names = [name for name, _ in varied]
    assert len(set(names)) == len(names)
    patience = "timeout=60" if plan.SLOW & set(varied) else ""
    boot = boot_machine(
        qemu=emulator,
        profile=plan.SHOWN_BY.get(names[0], plan.VARIED)[0],
        variation=",".join(f"x-ds-{name}={value}" for name, value in varied),
        command_line=patience,
        limits=stretched(LIMITS, patience),
    )
    assert boot.judgement.status == Status.PASS, boot.explain()


# Healthy processors on which a test that was named alone has failed, and some that are drawn: in a
# whole run another test had learnt for it what is open.
WILD = wild_cases(machine.load_profiles(), silicon.load_variations(), 4, "forgets")
LEARN_ALONE = {
    "beside": ("skylake", [("tr-feeds-lbr", "on")]),
    "processors": ("skylake", [("limit", "fits-strictly")]),
    "freeze": ("goldmont", [("lbr-freeze", "legacy")]),
    "arch_pebs": ("pantherlake", [("arch-pebs-ip", "next")]),
    **{f"wild-{i}": (case.profile, case.properties) for i, case in enumerate(WILD)},
}


@pytest.fixture(scope="session")
def forgetful_iso(tmp_path_factory):
    """Each test of this kernel begins with nothing learnt."""
    folder = tmp_path_factory.mktemp("forgets")
    compiler = (
        "gcc -O2 -ffreestanding -mcmodel=kernel -mno-red-zone -mgeneral-regs-only -fno-pic -I."
    )
    forgets = [ROOT / "tests/host/guests/forgets.c", "-c", "-o", folder / "forgets.o"]
    execute(*compiler.split(), *forgets, cwd=ROOT, check=True)
    answer = make("iso", f"BUILD={folder}", f"LD=ld --wrap=attempts_run {folder}/forgets.o")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return folder / "btscheck.iso"


@pytest.mark.parametrize("which", LEARN_ALONE)
def test_each_test_learns_for_itself(boot_machine, emulator, forgetful_iso, which):
    profile, varied = LEARN_ALONE[which]
    variation = ",".join(f"x-ds-{name}={value}" for name, value in varied)
    fields = {"qemu": emulator, "profile": profile, "variation": variation}
    boot = boot_machine(iso=forgetful_iso, command_line="timeout=60 retest=0", **fields)
    assert boot.judgement.status == Status.PASS, boot.explain()


# icelake with IA32_PERF_CAPABILITIES[17]: each record has the latency of its retirement.
TIMED = "x-ds-perf-capabilities=0x2f4c5"


def test_timed_records_pass(boot_machine, emulator):
    boot = boot_machine(qemu=emulator, profile="icelake", variation=TIMED)
    assert boot.judgement.status == Status.PASS, boot.explain()


def test_timed_records_in_a_wrong_format_fail(boot_machine, emulator):
    variation = f"{TIMED},x-ds-fault=pebs-format-wrong"
    boot = boot_machine(
        qemu=emulator, profile="icelake", variation=variation, command_line="test=pebs.adaptive_*"
    )
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert re.search(r"^# broken claims:.* PEBS-4( |$)", boot.text, re.M), boot.explain()


# Processors without an LBR stack (06_8FH has none of its model), and the claim of their flavour.
STACKLESS = [("skylake", "x-ds-arch-lbr=on", "FRZ-8"), ("haswell", "model=143", "FRZ-6")]


@pytest.mark.parametrize("profile, variation, claim", STACKLESS)
@pytest.mark.parametrize("fault", ["", "freeze-when-taken"])
def test_counters_freeze_without_a_stack(boot_machine, emulator, profile, variation, claim, fault):
    faulty = f",x-ds-fault={fault}" if fault else ""
    boot = boot_machine(
        qemu=emulator,
        profile=profile,
        variation=variation + faulty,
        command_line="test=freeze.by_*",
    )
    assert boot.judgement.status == (Status.FAIL if fault else Status.PASS), boot.explain()
    frozen = re.findall(r"^ +(not ok|ok) \d+ \w+_lbr0_counters1_\w+$", boot.text, re.M)
    assert len(frozen) > 10, boot.explain()
    assert ("not ok" in frozen) == bool(fault), boot.explain()
    broken = re.search(rf"^# broken claims:.* {claim}( |$)", boot.text, re.M)
    assert bool(broken) == bool(fault), boot.explain()


def test_emulator_has_the_variations_of_its_model(emulator):
    text = execute(emulator, "-device", "Skylake-Client-x86_64-cpu,help", check=True).stdout
    names = {f"x-ds-{name}" for name, _ in variations()}
    assert set(re.findall(r"\b(x-ds-[a-z0-9-]+)=<str>", text)) == names | {
        "x-ds-fault",
        "x-ds-errata",
    }


@pytest.mark.parametrize("tests, limit", ENTRY_TO_VERDICT.items())
def test_run_is_quick(boot_machine, emulator, tests, limit):
    """The best of three: the other tests run beside it."""
    times = []
    while len(times) < 3 and (not times or times[-1] >= limit):
        boot = boot_machine(qemu=emulator, command_line=f"test={tests}")
        times.append(int(re.search(r"# time: (\d+) ms", boot.text)[1]))
    assert min(times) < limit, times


def test_same_machine_gives_the_same_log(boot_machine, emulator):
    """But for what is measured (times, rates, the firmware's management interrupts), and for how
    often the lab is asked: once more for each answer that came too early on a host with much to do.
    """
    varies = re.compile(r"# (tsc|time|date|smi count): | *# lab: [a-z-]+\?$")
    logs = [boot_machine(qemu=emulator).judgement.log.lines for _ in range(2)]
    logs = [[line for line in lines if not varies.match(line)] for lines in logs]
    assert logs[0] == logs[1]


@pytest.mark.parametrize("firmware", ["bios", "uefi"])
def test_stock_qemu_skips_what_it_lacks(boot_machine, firmware):
    boot = boot_machine(firmware=firmware)
    assert boot.judgement.status == Status.SKIP, boot.explain()
    skipped = [
        result
        for path, result in boot.judgement.log.leaves()
        if result.outcome == "skip" and not path.startswith(OWN_REASONS)
    ]
    assert skipped and all(re.search("CPUID|IA32_", result.reason) for result in skipped)
    assert not any(result.outcome == "fail" for _, result in boot.judgement.log.leaves())


def stock_models():
    """The processors that stock QEMU can be, one of each name: no versions, no variants."""
    text = execute(machine.STOCK, "-cpu", "help", check=True).stdout
    listed = text.split("Available CPUs:")[1].split("Recognized CPUID flags:")[0]
    names = re.findall(r"^(?:x86)? +([A-Za-z0-9_]+(?:-Server|-Client)?)(?= |$)", listed, re.M)
    return sorted(set(names) - {"base", "host"})


def test_every_model_of_stock_qemu_skips_or_is_told(boot_machine):
    models = stock_models()
    assert len(models) > 20, models
    for model in models:
        boot = boot_machine(cpu=f"{model},check=off")
        if boot.judgement.status == Status.ERROR:
            assert "CPUID." in boot.text, f"{model}: {boot.explain()}"
        else:
            assert boot.judgement.status == Status.SKIP, f"{model}: {boot.explain()}"


@pytest.mark.parametrize("firmware", ["bios", "uefi"])
@pytest.mark.parametrize("processors", [1, 4])
def test_more_or_fewer_processors(boot_machine, emulator, processors, firmware):
    """All other boots have two."""
    boot = boot_machine(qemu=emulator, processors=processors, firmware=firmware)
    assert boot.judgement.status == Status.PASS, boot.explain()
    alone = [
        name
        for name, test in boot.judgement.log.tests()
        if test.outcome == "skip" and "needs a second processor: the MADT lists 1" in test.reason
    ]
    suites = {name.split(".")[0] for name in alone}
    expected = set() if processors > 1 else NEED_A_SECOND
    assert suites == expected, "a new suite that starts a second processor belongs there too"


@pytest.mark.parametrize("cpu, holes", HOLES.items())
def test_processor_with_holes_skips(boot_machine, cpu, holes):
    boot = boot_machine(cpu=cpu)
    assert boot.judgement.status == Status.SKIP, boot.explain()
    header = boot.judgement.log.header()
    assert holes <= set(header["features absent"].split(", "))
    assert ("nx" in header) == ("NX" in holes)


@pytest.mark.parametrize("cpu, told", REFUSED.items())
def test_processor_that_lacks_too_much_is_told(boot_machine, cpu, told):
    boot = boot_machine(cpu=cpu)
    assert boot.judgement.status == Status.ERROR, boot.explain()
    assert told in boot.text


def test_little_memory_is_enough(boot_machine):
    boot = boot_machine(memory=64)
    assert boot.judgement.status == Status.SKIP, boot.explain()


MENU = re.findall(r"multiboot2 /boot/btscheck\.elf (.*)", (ROOT / "iso/grub.cfg").read_text())


@pytest.mark.parametrize("options", [line for line in MENU if "$" not in line])
def test_every_entry_of_the_menu_is_understood(boot_machine, options):
    """Silent here where its log goes elsewhere; a list in place of the tests is quick."""
    words = dict.fromkeys([*options.split(), "list"])
    boot = boot_machine(command_line=" ".join(words))
    expected = EXIT["DRY_RUN" if "dry-run" in words else "LISTED"]
    assert boot.outcome.exit_code == expected, boot.explain()


def test_every_entry_says_when_the_kernel_cannot_be_loaded():
    entries = re.findall(r"^ +multiboot2 .*\n +(.*)", (ROOT / "iso/grub.cfg").read_text(), re.M)
    assert len(entries) == len(MENU) and set(entries) == {"loaded $?"}


def test_other_oem_strings_are_ignored(boot_machine):
    """Ours counts when it is the last; any other last string leaves the menu's default."""
    boot = boot_machine(
        extra=["-smbios", "type=11,value=test=no.such.test"], command_line="test=probe.*"
    )
    assert boot.judgement.status != Status.ERROR, boot.explain()


def test_groups_that_a_hypervisor_denies_are_not_asked_for(boot_machine, emulator):
    """The format is of adaptive records; IA32_PERF_CAPABILITIES[14] says that there are none."""
    variation = "x-ds-perf-capabilities=0x34ff"
    boot = boot_machine(qemu=emulator, profile="sapphirerapids", variation=variation)
    assert boot.judgement.status == Status.PASS, boot.explain()
    skipped = [
        result.reason for _, result in boot.judgement.log.leaves() if result.outcome == "skip"
    ]
    assert any("[14].PEBS_BASELINE = 0" in reason for reason in skipped), boot.explain()
