// SPDX-License-Identifier: GPL-2.0-or-later
/* A counter that wraps: status, interrupt, skid. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static uint64_t status(void)
{
    return machine_msr(&machine, IA32_PERF_GLOBAL_STATUS);
}

static void start(void)
{
    machine_start(&machine);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
}

static void general(unsigned i, uint64_t select, uint64_t period)
{
    machine_write(&machine, IA32_A_PMC0 + i, (1ull << 48) - period);
    machine_write(&machine, IA32_PERFEVTSEL0 + i, select);
}

static void each_general_counter(void)
{
    for (unsigned i = 0; i < 8; i++) {
        start();
        general(i, COUNT_INT | INSTRUCTIONS, 5);
        machine_run(&machine, 4);
        CHECK_EQUAL(status(), 0);
        CHECK_EQUAL(machine.pmis, 0);
        machine_run(&machine, 1);
        CHECK_EQUAL(status(), 1ull << i);
        CHECK_EQUAL(machine.pmis, 1);
        machine_run(&machine, 3);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + i), 3);
        CHECK_EQUAL(machine.pmis, 1);
    }
}

static void each_fixed_counter(void)
{
    for (unsigned i = 0; i < 3; i++) {
        start();
        machine_write(&machine, IA32_FIXED_CTR0 + i, 0xfffffffffffe);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, 0xbull << 4 * i);
        machine_run(&machine, 1);
        CHECK_EQUAL(machine.pmis, 0);
        machine_run(&machine, 1);
        CHECK_EQUAL(status(), FIXED(i));
        CHECK_EQUAL(machine.pmis, 1);
    }
}

static void status_without_interrupt(void)
{
    start();
    general(2, COUNT | INSTRUCTIONS, 2);
    machine_write(&machine, IA32_FIXED_CTR0, 0xffffffffffff);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 3);
    machine_run(&machine, 9);
    CHECK_EQUAL(status(), 4 | FIXED(0));
    CHECK_EQUAL(machine.pmis, 0);
}

static void two_at_once(void)
{
    start();
    general(1, COUNT_INT | INSTRUCTIONS, 3);
    general(6, COUNT_INT | CYCLES, 3);
    machine_write(&machine, IA32_FIXED_CTR0 + 1, 0xfffffffffffd);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0xb0);
    machine_run(&machine, 3);
    CHECK_EQUAL(status(), 1u << 1 | 1u << 6 | FIXED(1));
    CHECK_EQUAL(machine.pmis, 1);
}

static void narrow_counter_wraps_at_its_width(void)
{
    start();
    machine.cpu.profile.general_width = 40;
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
    machine_write(&machine, IA32_A_PMC0, 0xffffffffff);
    machine_run(&machine, 1);
    CHECK_EQUAL(status(), 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0);
}

static void several_events_in_a_cycle(void)
{
    start();
    general(0, COUNT_INT | SLOTS, 3);
    machine_run(&machine, 1);
    CHECK_EQUAL(status(), 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 1);
}

static void skid(void)
{
    for (unsigned skid = 1; skid <= 5; skid++) {
        start();
        machine.cpu.variation.pmi_skid = skid;
        general(0, COUNT_INT | INSTRUCTIONS, 2);
        machine_run(&machine, 2);
        CHECK_EQUAL(status(), 1);
        machine_run(&machine, skid - 1);
        CHECK_EQUAL(machine.pmis, 0);
        CHECK(ds_wants_instructions(&machine.cpu));
        machine_run(&machine, 1);
        CHECK_EQUAL(machine.pmis, 1);
        machine_run(&machine, 20);
        CHECK_EQUAL(machine.pmis, 1);
    }
}

static void skid_outlives_the_freeze(void)
{
    start();
    machine_debugctl(&machine, FREEZE_PERFMON);
    machine.cpu.variation.pmi_skid = 3;
    general(0, COUNT_INT | INSTRUCTIONS, 1);
    machine_run(&machine, 3);
    CHECK_EQUAL(machine.pmis, 0);
    CHECK(ds_wants_instructions(&machine.cpu));
    machine_run(&machine, 1);
    CHECK_EQUAL(machine.pmis, 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0);
    CHECK(!ds_wants_instructions(&machine.cpu));
}

static void skid_ends_at_wrmsr_and_halt(void)
{
    start();
    machine.cpu.variation.pmi_skid = 9;
    general(0, COUNT_INT | INSTRUCTIONS, 1);
    machine_run(&machine, 1);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    CHECK_EQUAL(machine.pmis, 1);
    start();
    machine.cpu.variation.pmi_skid = 9;
    general(0, COUNT_INT | INSTRUCTIONS, 1);
    machine_run(&machine, 1);
    ds_halt(&machine.cpu, &machine.host);
    CHECK_EQUAL(machine.pmis, 1);
    machine_run(&machine, 20);
    CHECK_EQUAL(machine.pmis, 1);
}

static void one_request_for_both_causes(void)
{
    start();
    machine_bts(&machine, 16, 0, 1);
    machine_debugctl(&machine, TR | BTS | BTINT);
    machine.cpu.variation.pmi_late = 5;
    machine.cpu.variation.pmi_skid = 2;
    general(0, COUNT_INT | BRANCHES, 1);
    machine_run_branch(&machine, 0, true);
    CHECK_EQUAL(machine.pmis, 0);
    machine_run(&machine, 2);
    CHECK_EQUAL(machine.pmis, 1);
    machine_debugctl(&machine, 0);
    CHECK_EQUAL(machine.pmis, 1);
}

const struct test overflow_tests[] = {
    {"overflow: each general-purpose counter", each_general_counter},
    {"overflow: each fixed counter", each_fixed_counter},
    {"overflow: status without interrupt", status_without_interrupt},
    {"overflow: several counters at once", two_at_once},
    {"overflow: a narrow counter wraps at its width", narrow_counter_wraps_at_its_width},
    {"overflow: several events in a cycle", several_events_in_a_cycle},
    {"overflow: skid", skid},
    {"overflow: skid outlives the freeze", skid_outlives_the_freeze},
    {"overflow: skid ends at WRMSR and at HLT", skid_ends_at_wrmsr_and_halt},
    {"overflow: one request for both causes", one_request_for_both_causes},
    {0},
};
