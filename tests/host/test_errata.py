# SPDX-License-Identifier: GPL-2.0-or-later
"""Published errata: a failure that one explains is an XFAIL, any other is not."""

import fnmatch
import re
import sys

import pytest
from conftest import ROOT
from judge import Status

sys.path.insert(0, str(ROOT / "tools/trust"))

from declarations import read_declarations  # noqa: E402

TABLE = ROOT / "kernel/report/errata.def"
GLOB = re.compile(r'^ROW_(?:ANY\("\w+"|HYPERVISOR\("[^"]*", KVM), "([^"]*)"', re.M)


@pytest.fixture
def run(boot_machine):
    def run(names, more=""):
        names = ",".join(f"selftest.{name}" for name in names)
        return boot_machine(command_line=f"test={names} timeout=1 {more}".strip())

    return run


def outcomes(boot):
    return {name.split(".", 1)[1]: result for name, result in boot.judgement.log.leaves()}


def test_expected_failure_is_an_xfail(run):
    boot = run(["deliberate_deviation_fails", "format_string"])
    assert boot.judgement.status == Status.PASS, boot.explain()
    result = outcomes(boot)["deliberate_deviation_fails"]
    assert (result.outcome, result.reason) == ("xfail", "SELF1 x1"), boot.explain()
    assert boot.judgement.log.totals["xfail"] == 1
    assert "# this note is shown" in boot.text and "# known erratum SELF1 x1:" in boot.text
    assert "claims:" not in boot.text
    assert "\n# errata: SELF1 x1 (a self-test)" in boot.text


@pytest.mark.parametrize("seed", [1, 2])
def test_a_finding_beside_it_is_a_failure(run, seed):
    boot = run(["deliberate_deviation_fails"], f"seed={seed}")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "# broken claims: BTS-1 BTS-2" in boot.text


def test_errata_can_be_ignored(run):
    boot = run(["deliberate_deviation_fails"], "deviations=ignore")
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert "# broken claims: BTS-1 BTS-2" in boot.text


def test_unexpected_pass_is_told_and_passes(run):
    boot = run(["deliberate_deviation_passes", "deliberate_deviation_skips", "format_string"])
    assert boot.judgement.status == Status.PASS, boot.explain()
    told = re.findall(r"# unexpected pass: (\S+), although SELF1: ", boot.text)
    assert told == ["selftest.deliberate_deviation_passes"]
    assert "# unexpected passes: 1," in boot.text


def test_a_hang_is_never_expected(run):
    boot = run(["deliberate_deviation_hangs"])
    assert boot.judgement.status == Status.FAIL, boot.explain()


@pytest.mark.parametrize("seed", [0, 1])
def test_one_subtest_alone_can_have_it(run, seed):
    boot = run(["deliberate_part_of_a_deviation"], f"seed={seed}")
    results = outcomes(boot)
    assert results["deliberate_part_of_a_deviation.expected"].outcome == "xfail", boot.explain()
    if seed == 1:
        assert boot.judgement.status == Status.FAIL, boot.explain()
        assert "# broken claims: BTS-2\n" in boot.text
    else:
        assert boot.judgement.log.totals["xfail"] == 1, boot.explain()
        assert boot.judgement.status == Status.PASS, boot.explain()


@pytest.mark.parametrize(("microcode", "status"), [(0x26, Status.FAIL), (0x28, Status.PASS)])
def test_freeze_that_a_microcode_update_mends_is_a_true_failure(
    boot_machine, emulator, microcode, status
):
    """Denverton's counters do not always freeze before 28H; the failure has the erratum's name."""
    boot = boot_machine(
        qemu=emulator,
        profile="goldmont",
        variation=f"ucode-rev={microcode << 32:#x},x-ds-errata=own,hypervisor=off",
        command_line="exit=qemu test=freeze.by_*",
    )
    assert boot.judgement.status == status, boot.explain()
    assert ("# known: goldmont-freeze: " in boot.text) == (status == Status.FAIL)


def test_emulated_processors_have_no_errata(boot_machine):
    boot = boot_machine(command_line="test=probe.*")
    assert "known errata" not in boot.judgement.log.header()


@pytest.mark.parametrize("errata", ["", ",x-ds-errata=HSD53:1/30"])
def test_a_broken_off_bit_is_seen_beside_a_wrong_from(boot_machine, emulator, errata):
    """On a Haswell that repeats FROM now and then, a record too many is none of that."""
    boot = boot_machine(
        qemu=emulator,
        profile="haswell",
        variation=f"hypervisor=off,x-ds-fault=off-os-ignored{errata}",
        command_line="test=table17_6.encodings",
    )
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert re.search(r"# broken claims:.* T17-6\.4", boot.text)
    assert re.search(r"# finding: record\.extra slot=\d+ got=0x", boot.text)


def test_every_row_is_about_a_test_that_exists(iso):
    names = [test.full_name for test in read_declarations(iso.with_suffix(".elf"))]
    rows = re.findall(r"^ROW_(?:ANY|HYPERVISOR)", TABLE.read_text(), re.M)
    globs = GLOB.findall(TABLE.read_text())
    assert len(globs) == len(rows)
    for glob in globs:
        assert any(fnmatch.fnmatchcase(name, glob) for name in names), glob


@pytest.mark.parametrize(
    "test, rate, told",
    [
        ("buffers_of_any_geometry", "1/2", "XFAIL HSD110"),
        ("fields_count_as_they_are_in_memory", "1/5", "# errata: HSD110 x"),
    ],
)
def test_full_buffer_whose_last_record_is_late(boot_machine, emulator, test, rate, told):
    """HSD110: it may never come, or as sampling goes off (HSD159); so may its interrupt, and the
    counter begins again one event late. A rate is one that the row in errata.def excuses."""
    boot = boot_machine(
        qemu=emulator,
        profile="haswell",
        variation=f"hypervisor=off,x-ds-errata=HSD110:{rate}+HSD159:1/1",
        command_line=f"exit=qemu repeat=20 test=pebs.{test}",
    )
    assert boot.judgement.status == Status.PASS, boot.explain()
    assert told in boot.text


@pytest.mark.parametrize("fault", ["pebs-fixed-lost", "reset-slots-exchanged"])
def test_goldmont_plus_samples_on_fixed_counters(boot_machine, emulator, fault):
    boot = boot_machine(
        qemu=emulator,
        profile="goldmont-plus",
        variation=f"x-ds-fault={fault}",
        command_line="test=pebs.each_counter_*",
    )
    assert boot.judgement.status == Status.FAIL, boot.explain()
    assert re.search(r"^# broken claims:.* PEBS-6\b", boot.text, re.M)
