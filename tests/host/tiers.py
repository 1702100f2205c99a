# SPDX-License-Identifier: GPL-2.0-or-later
"""Which tests `make test` runs, and which `make test-all` alone: one rule for both.

`make test` is what a change can break, in minutes: the unit tests, the judge, lint, drawn faults,
whole boots that stand for all (boot_rows.py); of the other tests those whose part changed since the
base (changed.py). Where there is no base nothing counts as changed. A new file of tests is in both.
"""

from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from changed import changed_files, imported, touches

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

# What nearly every test imports: it has tests of its own, which always run.
EVERYBODYS = [HERE / "conftest.py"]
EVERYBODYS += [ROOT / f"tools/lab/{name}.py" for name in "judge machine places transport".split()]
LAB = "tools/lab/*.py"
SILICON = ("tools/emulator/*", "tests/host/guests/*")

# Tests of one part, by file; and globs of that part's files, beside what the tests import.
PARTS = {
    "test_rerun_line.py": ("kernel/report/rerun.c", "kernel/options.c", LAB),
    "test_log_size.py": ("kernel/report/*",),
    "test_apic.py": ("arch/cpu/apic/*", "arch/cpu/smp/*", "boot/ap_*"),
    "test_bad_input.py": (LAB,),
    "test_board.py": SILICON,
    "test_boards.py": ("tools/lab/boards.*", *SILICON),
    "test_bochs.py": ("boot/*", "linker.ld"),
    "test_build.py": ("Makefile", "linker.ld", "iso/*"),
    "test_claims_checked.py": ("kernel/report/coverage*", "tests/spec/choices/claim_scopes.c"),
    "test_ci_recipes.py": ("tools/integrations/ci/*", "tests/host/ci_tools/*"),
    "test_clients*.py": ("tools/clients/*",),
    "test_coccinelle.py": ("tools/emulator/*",),
    "test_consoles.py": (
        "kernel/console/console*",
        "kernel/console/uart*",
        "arch/cpu/ground/pci.*",
    ),
    "test_contributing.py": (
        "CONTRIBUTING.md",
        "tools/new-test",
        "tools/emulator/builder/fast_path.py",
        "tools/emulator/model/fast.*",
    ),
    "test_workers.py": (
        "kernel/run/worker*",
        "arch/cpu/memory/private_image.*",
        "arch/cpu/smp/processors*",
    ),
    "test_damaged.py": (LAB, "kernel/report/ktap*"),
    "test_debug.py": ("tools/lab/debug.py", "tools/lab/gdb_printers.py"),
    "test_dry_run.py": ("kernel/run/dry_run.*",),
    "test_emulator.py": SILICON,
    "test_emulator_build.py": ("tools/emulator/build", "tools/emulator/builder/*"),
    "test_emulator_source.py": ("tools/emulator/builder/*", "tools/emulator/qemu/*"),
    "test_endings.py": (LAB,),
    "test_equivalent.py": (
        "tools/emulator/model/*",
        "tools/emulator/qemu/glue/*",
        "tools/mutation/*",
    ),
    "test_errata.py": ("kernel/report/errata*",),
    "test_exit_status.py": (
        "kernel/exit.*",
        "kernel/report/e*",
        "kernel/panic.c",
        "kernel/run/runner.*",
        "Makefile",
        LAB,
    ),
    "test_facts.py": ("tools/facts",),
    "test_figures.py": ("*.md", "kernel/*", "arch/cpu/ground/percpu.h", "*.h", LAB),
    "test_follow.py": (LAB,),
    "test_full_disk.py": (LAB, "tools/rack/result_store.py", "tools/reporting/writing.py"),
    "test_helpers.py": ("tools/new-test", "tools/asm", "tools/lint"),
    "test_hunt.py": ("tools/mutants",),
    "test_image_options.py": ("tools/lab/image", "iso/*", "kernel/options.c"),
    "test_firmware_state.py": (
        "arch/cpu/identity/firmware_state.*",
        "arch/cpu/apic/stale_interrupts.*",
        "boot/*",
    ),
    "test_kinds.py": (
        "kernel/report/machine*",
        "kernel/run/worker*",
        "arch/cpu/identity/topology.*",
    ),
    "test_laboratory.py": (),
    "test_lint_tools.py": ("tools/lint",),
    "test_lists.py": (
        "Makefile",
        "tools/setup",
        "tools/emulator/*",
        "tools/trust/*",
        "tools/coverage",
        "tools/lab/lists.py",
        "tools/lab/boards*",
    ),
    "test_log_form.py": ("kernel/console/log_form.*", "kernel/report/ktap*"),
    "test_madt.py": ("arch/cpu/tables/acpi*", "arch/cpu/smp/processor*"),
    "test_make.py": ("Makefile", "tools/setup"),
    "test_measure.py": ("tools/measure",),
    "test_nearest.py": (LAB, "tools/lab/*"),
    "test_memory.py": ("boot/*", "arch/cpu/memory/*"),
    "test_mutants.py": (LAB, "kernel/report/ktap*"),
    "test_mutation*.py": ("tools/mutation/*", "tools/mutants"),
    "test_neighbours.py": ("tools/matrix",),
    "test_netboot.py": ("iso/*", "tools/lab/netboot"),
    "test_others.py": ("arch/trace/pmu*", "arch/trace/pebs*", "arch/cpu/apic/firmware_lvt.*"),
    "test_pairs.py": ("tools/matrix",),
    "test_integrations_*.py": ("tools/integrations/*",),
    "test_processors.py": ("arch/cpu/smp/processors*", "tests/suites/processors/processors.c"),
    "test_qr.py": ("kernel/screen/qr.c",),
    "test_rack_*.py": ("tools/rack/*", "tools/lab/rack", "tests/host/lab_board"),
    "test_read_only.py": ("tools/emulator/build", LAB),
    "test_report_*.py": ("tools/reporting/*", "tools/lab/report", "tests/host/report_tools/*"),
    "test_screen*.py": ("kernel/screen/*",),
    "test_qemu.py": ("tools/lab/qemu", "tools/emulator/*"),
    "test_release.py": ("tools/release", "tools/version", "iso/*", "Makefile"),
    "test_services.py": ("kernel/console/lab.*",),
    "test_setup.py": ("tools/setup",),
    "test_snapshot.py": (),
    "test_soak.py": ("kernel/run/soak*", "kernel/screen/soak*", "kernel/run/attempts.*"),
    "test_starved.py": (
        "kernel/machine/watchdog.*",
        "kernel/run/interference.*",
        "kernel/machine/time.*",
    ),
    "test_targets.py": ("Makefile", "tools/setup"),
    "test_terminal.py": (LAB, "Makefile"),
    "test_touches.py": ("tests/host/traced.py",),
    "test_trace*.py": ("tools/tracing/*", "tools/lab/trace", "tests/host/trace_viewers/*"),
    "test_install.py": ("tools/install/*", "tools/man", "tools/lab/places.py"),
    "test_try_host.py": ("tools/try-host",),
    "test_unclaimed.py": ("kernel/run/unclaimed.*", "arch/cpu/apic/unclaimed.*"),
    "test_unit_build.py": ("tests/host/unit/Makefile",),
    "test_usb.py": ("kernel/machine/usb_handover.*",),
    "test_retest.py": ("kernel/run/retest.*", "kernel/run/attempts.*", "kernel/report/context*"),
    "test_weave.py": ("tools/emulator/*",),
    "test_which_board.py": (
        "arch/cpu/tables/smbios*",
        "kernel/report/machine_board.c",
        "kernel/machine/rtc.*",
    ),
}

# Whole boots, and parts of the matrix, that others stand for (test_boot_rows.py,
# test_faults_that_the_commit_draws): globs of their names, by file.
STOOD_FOR = {
    "test_matrix.py": ("test_a_part_of_the_matrix*",),
    "test_boot.py": (
        "test_every_way_to_boot*",
        "test_profile*",
        "test_legal_variations_pass*",
        "test_each_test_learns*",
        "test_more_or_fewer_processors*",
        "test_register_that_refuses_does_not_end_the_run*",
        "test_counters_freeze_without_a_stack*",
        "test_timed_records*",
        "test_groups_that_a_hypervisor_denies*",
        "test_every_model_of_stock_qemu*",
        "test_same_machine_gives_the_same_log*",
        "test_run_is_quick*",
    ),
}


class Tiers:
    """Leaves out, of what was collected, what is no part of `make test`; says at the end what."""

    def __init__(self, libraries):
        self.folders = [HERE, ROOT / "tools", *libraries]
        self.changed = changed_files(ROOT) or set()
        self.due = {}  # by file: does it run
        self.left_out = Counter()  # tests, by file

    def runs(self, path, name):
        """Is this test part of `make test`?"""
        if any(fnmatchcase(name, glob) for glob in STOOD_FOR.get(path.name, ())):
            return False
        if path not in self.due:
            self.due[path] = self.is_due(path)
        return self.due[path]

    def is_due(self, path):
        rows = [globs for glob, globs in PARTS.items() if fnmatchcase(path.name, glob)]
        if not rows:
            return True
        files = imported(path, self.folders, but=EVERYBODYS)
        return touches(self.changed, ROOT, files, [glob for globs in rows for glob in globs])

    def pytest_collection_modifyitems(self, config, items):
        left = [item for item in items if not self.runs(item.path, item.name)]
        self.left_out.update(item.path.name for item in left)
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]

    def pytest_sessionfinish(self, session):
        """A worker tells it where the run ends."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """Each worker has left out the same."""
        self.left_out = Counter(getattr(node, "workeroutput", {}).get("left_out", self.left_out))

    def pytest_terminal_summary(self, terminalreporter):
        if self.left_out:
            files = ", ".join(f"{name} {count}" for name, count in sorted(self.left_out.items()))
            total = self.left_out.total()
            terminalreporter.write_line(f"left to make test-all, {total} tests: {files}")
