# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests on every processor of a machine, one after another or all at once (cpu=)."""

import re

import pytest

FOUR = "4,sockets=1,cores=2,threads=2"
CPU_LINE = re.compile(
    r"# cpu: apic=(\d+) package=(\d+) core=(\d+) thread=(\d+) kind=- number=(\d+)"
)


@pytest.fixture
def boot_workers(boot_machine, emulator):
    def run(command_line, variation="", processors=FOUR, **more):
        return boot_machine(
            qemu=emulator,
            variation=variation,
            processors=processors,
            command_line=command_line,
            **more,
        )

    return run


def suites(boot):
    return [suite.name for suite in boot.judgement.log.root.results]


def failed(boot):
    return [name for name, test in boot.judgement.log.tests() if not test.ok]


def skipped(boot):
    return {name for name, test in boot.judgement.log.tests() if test.directive == "SKIP"}


def test_all_at_once(boot_workers):
    boot = boot_workers("test=geometry.*,circular,lbr cpu=all")
    assert boot.judgement.status == 0, boot.explain()
    # Neighbours begin with different suites, as far as their order is open.
    assert sorted(suites(boot)) == sorted(
        [f"{suite}@cpu{n}" for n in range(4) for suite in ("geometry", "circular", "lbr")]
        + ["traits"]
    )
    found = [CPU_LINE.fullmatch(line) for line in boot.text.splitlines()]
    assert [match.groups() for match in found if match] == [
        ("0", "0", "0", "0", "0"),
        ("1", "0", "0", "1", "1"),
        ("2", "0", "1", "0", "2"),
        ("3", "0", "1", "1", "3"),
    ]
    compared = [name for name, _ in boot.judgement.log.leaves() if name.startswith("traits.")]
    assert len(compared) == 3 and not any(name.startswith("traits") for name in skipped(boot))


@pytest.mark.parametrize("which", ["each", "all"])
def test_a_fault_of_one_processor_names_it(boot_workers, which):
    boot = boot_workers(
        f"test=circular.laps,lbr cpu={which}", "x-ds-fault=wrap-to-second,x-ds-fault-cpu=3"
    )
    assert boot.judgement.status == 1, boot.explain()
    assert failed(boot) == ["circular@cpu3.laps"], boot.explain()
    assert re.search("^# broken claims:.* BTS-3\\b", boot.text, re.M)


def test_one_that_decides_otherwise_is_found(boot_workers):
    boot = boot_workers("test=circular.laps cpu=all", "x-ds-fault=wrap-on-one")
    assert boot.judgement.status == 1, boot.explain()
    assert failed(boot) == ["traits.processors_of_a_kind_decide_alike"], boot.explain()
    assert "# finding: trait.differs" in boot.text and "on processor 3, although" in boot.text


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("pair", ["circular@cpu0", "circular@cpu1", "traits"]),
        ("2-3", ["circular@cpu2", "circular@cpu3", "traits"]),
        ("0,2", ["circular", "circular@cpu2", "traits"]),
        ("boot", ["circular"]),
    ],
)
def test_who_takes_part(boot_workers, which, expected):
    boot = boot_workers(f"test=circular.laps cpu={which}")
    assert boot.judgement.status == 0, boot.explain()
    assert suites(boot) == expected


@pytest.mark.parametrize(
    ("which", "processors", "complaint"),
    [
        ("pair", "2,sockets=1,cores=2,threads=1", "no other thread of this core was found"),
        ("1,9", FOUR, "no processor has one of these numbers"),
    ],
)
def test_who_is_not_there(boot_workers, which, processors, complaint):
    boot = boot_workers(f"test=circular.laps cpu={which}", processors=processors)
    assert boot.judgement.status == 2, boot.explain()
    assert complaint in boot.text


def test_what_goes_wrong_there_ends_one_test(boot_workers):
    wrong = ["crash_if_not_booted", "hang", "hang_interrupts_off", "stack_overflow"]
    tests = ",".join(f"selftest.deliberate_{name}" for name in wrong)
    boot = boot_workers(f"test={tests},circular.laps cpu=2-3 timeout=3")
    assert boot.judgement.status == 1, boot.explain()
    assert sorted(failed(boot)) == [
        f"selftest@cpu{number}.deliberate_{name}" for number in (2, 3) for name in sorted(wrong)
    ], boot.explain()


@pytest.mark.parametrize("which", ["each", "all"])
def test_one_that_hears_nothing_is_left_behind(boot_workers, which):
    """Interrupts off in an NMI handler: nothing brings it back, and the others go on."""
    test = "selftest.deliberate_deafness_if_not_booted"
    boot = boot_workers(f"test={test},circular.laps cpu={which} timeout=2", processors=2)
    assert boot.judgement.status == 1, boot.explain()
    assert failed(boot) == [test.replace(".", "@cpu1.")], boot.explain()
    line = (
        f"# processor 1, APIC id 1, hung in {test} and could not be called back: it is left behind"
    )
    assert line in boot.text.splitlines()
    assert boot.judgement.reasons == [f"not ok: {failed(boot)[0]}", line[len("# ") :]]


# Ticks that are a minute and more, of the one that boots or of another.
APART = pytest.mark.parametrize("apart", ["0:0x4000000000", "1:0x4000000000"])
TSCS = re.compile(r"# tscs: apart on 1 of the processors .* APIC id 1: (\d+)\.\d{3} s (\w+)")


@APART
def test_tscs_that_are_apart_are_no_hang(boot_workers, apart):
    """Seven seconds are enough to lose a processor in: it is called twice, for two seconds each."""
    test = "selftest.takes_half_a_second_of_its_time"
    boot = boot_workers(f"test={test} repeat=14 cpu=1", f"x-ds-tsc-ahead={apart}", 2)
    assert boot.judgement.status == 0, boot.explain()
    told = [match for line in boot.text.splitlines() if (match := TSCS.fullmatch(line))]
    assert len(told) == 1 and int(told[0][1]) >= 30, boot.explain()
    assert told[0][2] == ("behind" if apart[0] == "0" else "ahead")


@APART
def test_hang_is_named_where_tscs_are_apart(boot_workers, apart):
    test = "selftest.deliberate_deafness_if_not_booted"
    boot = boot_workers(f"test={test} cpu=all timeout=2", f"x-ds-tsc-ahead={apart}", 2)
    assert failed(boot) == [test.replace(".", "@cpu1.")], boot.explain()


def test_each_processor_keeps_the_time_of_its_tests(boot_workers):
    boot = boot_workers("test=selftest.time_of_a_test_elsewhere", board="tsc-apart")
    assert boot.judgement.status == 0 and boot.text.count("ok 1 time_of_a_test_elsewhere\n") == 1
    assert "# tscs: apart on 2 of the processors that were called" in boot.text, boot.explain()


def test_one_that_does_not_come_is_named(boot_workers):
    """Among the few that are tried at boot it has no number; behind them its tests are skipped."""
    boot = boot_workers("test=circular.laps cpu=all", "x-ds-deaf=2")
    assert boot.judgement.status == 0, boot.explain()
    assert "# processor with APIC id 2 is not used: " in boot.text
    boot = boot_workers("test=circular.laps cpu=all", "x-ds-deaf=6", processors=8)
    assert boot.judgement.status == 0, boot.explain()
    assert skipped(boot) == {"circular@cpu7.laps"}  # the last one is among the few
    assert "# processor 7, APIC id 6, runs no tests: " in boot.text


def test_no_memory_for_some(boot_workers):
    boot = boot_workers("test=circular.laps cpu=all", processors=8, memory=80)
    assert boot.judgement.status == 0, boot.explain()
    assert "no tests there: no memory for a world" in boot.text
