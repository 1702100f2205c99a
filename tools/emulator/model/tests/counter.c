// SPDX-License-Identifier: GPL-2.0-or-later
/* What counters count: events, rings, enables, CMASK, INV and edges. */
#include "check.h"
#include "machine.h"

static struct machine machine;

static uint64_t pmc(unsigned i)
{
    return machine_msr(&machine, IA32_PMC0 + i);
}

static void start(void)
{
    machine_start(&machine);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
}

static void select(unsigned i, uint64_t value)
{
    machine_write(&machine, IA32_PERFEVTSEL0 + i, value);
}

static void every_event(void)
{
    static const uint64_t events[] = {CYCLES,      INSTRUCTIONS, REFERENCE, BRANCHES,
                                      MISPREDICTS, SLOTS,        0x1234,    CACHE_MISSES};
    static const uint64_t expected[] = {15, 15, 15, 5, 3, 60, 0, 0};

    start();
    for (unsigned i = 0; i < 8; i++) {
        select(i, COUNT | events[i]);
    }
    machine_run(&machine, 10);
    machine_run_branch(&machine, 1, true);  /* mispredicted: never seen */
    machine_run_branch(&machine, 1, true);  /* predicted */
    machine_run_branch(&machine, 1, false); /* mispredicted: was taken */
    machine_run_branch(&machine, 1, false); /* predicted */
    machine_run_branch(&machine, 1, true);  /* mispredicted: was not */
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQUAL(pmc(i), expected[i]);
    }
}

static void precise_twins(void)
{
    start();
    select(0, COUNT | 0x01c0);
    select(1, COUNT | 0x04c4);
    select(2, COUNT | 0x04c5);
    select(3, COUNT | 0x4f2e);
    machine_run(&machine, 3);
    machine_run_branch(&machine, 1, true);
    CHECK_EQUAL(pmc(0), 4);
    CHECK_EQUAL(pmc(1), 1);
    CHECK_EQUAL(pmc(2), 1);
    CHECK_EQUAL(pmc(3), 0);
}

static void a_missing_event_does_not_count(void)
{
    start();
    machine.cpu.profile.events_missing = 1u << 5;
    select(0, COUNT | BRANCHES);
    select(1, COUNT | INSTRUCTIONS);
    machine_run_branch(&machine, 1, true);
    CHECK_EQUAL(pmc(0), 0);
    CHECK_EQUAL(pmc(1), 1);
}

/* Leaf 0AH is no empty promise: what it has counts, what it has not does not (F1.9). */
static void an_enumerated_event_counts(void)
{
    static const uint64_t codes[] = {CYCLES,       INSTRUCTIONS, REFERENCE,   0x4f2e,
                                     CACHE_MISSES, BRANCHES,     MISPREDICTS, SLOTS};
    uint32_t regs[4];

    for (unsigned count = 0; count <= 8; count++) {
        start();
        machine.cpu.profile.event_count = (uint8_t)count;
        machine.cpu.profile.events_missing = 1u << 2;
        ds_profile_leaf_0a(&machine.cpu.profile, regs);
        CHECK_EQUAL(regs[0] >> 24, count);
        CHECK_EQUAL(regs[1] >> count, 0);
        for (unsigned i = 0; i < 8; i++) {
            select(0, COUNT | codes[i]);
            machine_write(&machine, IA32_PMC0, 0);
            machine_run_branch(&machine, 1, true);
            machine_run_branch(&machine, 1, false);
            CHECK(i >= count || (pmc(0) > 0) == !(regs[1] >> i & 1));
        }
    }
}

static void fixed_counters(void)
{
    start();
    machine.cpu.profile.fixed_counters = 4;
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0xf00000000);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x3333);
    machine_run(&machine, 7);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + i), i < 3 ? 7 : 28);
    }
}

static void rings(void)
{
    struct ds_instruction user = {.ip = 1, .next = 2, .cpl = 3};
    static const uint64_t bits[] = {0, 1, 2, 3}; /* OS is 1, USR is 2 in a fixed field */

    for (unsigned i = 0; i < 4; i++) {
        uint64_t usr = bits[i] & 2 ? 1u << 16 : 0, os = bits[i] & 1 ? 1u << 17 : 0;
        start();
        select(0, 1u << 22 | usr | os | INSTRUCTIONS);
        machine_write(&machine, IA32_FIXED_CTR_CTRL, bits[i]);
        machine_run(&machine, 5);
        for (unsigned j = 0; j < 3; j++) {
            ds_instruction(&machine.cpu, &machine.host, &user);
        }
        uint64_t expected = (os ? 5 : 0) + (usr ? 3 : 0);
        CHECK_EQUAL(pmc(0), expected);
        CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0), expected);
    }
}

static void both_enables_are_needed(void)
{
    machine_start(&machine);
    select(0, COUNT | INSTRUCTIONS);
    select(1, (COUNT | INSTRUCTIONS) & ~(1u << 22));
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 3);
    CHECK(!ds_wants_instructions(&machine.cpu));
    machine_run(&machine, 4);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 2);
    CHECK(!ds_wants_instructions(&machine.cpu));
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 3);
    CHECK(ds_wants_instructions(&machine.cpu));
    CHECK(ds_wants_branches(&machine.cpu));
    machine_run(&machine, 4);
    CHECK_EQUAL(pmc(0), 4);
    CHECK_EQUAL(pmc(1), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0), 0);
}

static void version_1_has_no_global_control(void)
{
    machine_start_model(&machine, 0x0e, 1, 0xc0);
    select(0, COUNT | INSTRUCTIONS);
    CHECK(ds_wants_instructions(&machine.cpu));
    machine_run(&machine, 4);
    CHECK_EQUAL(pmc(0), 4);
}

static void threshold_and_inversion(void)
{
    start();
    select(0, COUNT | SLOTS | 4u << 24);                      /* 4 >= 4: once a cycle */
    select(1, COUNT | SLOTS | 5u << 24);                      /* 4 >= 5: never */
    select(2, COUNT | INSTRUCTIONS | 1u << 23 | 0x10u << 24); /* 1 < 16: every cycle (F13.37) */
    select(3, COUNT | INSTRUCTIONS | 1u << 23 | 1u << 24);    /* 1 < 1: never */
    select(4, COUNT | INSTRUCTIONS | 1u << 23);               /* INV without CMASK: ignored */
    machine_run(&machine, 6);
    CHECK_EQUAL(pmc(0), 6);
    CHECK_EQUAL(pmc(1), 0);
    CHECK_EQUAL(pmc(2), 6);
    CHECK_EQUAL(pmc(3), 0);
    CHECK_EQUAL(pmc(4), 6);
}

static void edges(void)
{
    start();
    select(0, COUNT | BRANCHES | 1u << 18);
    select(1, COUNT | CYCLES | 1u << 18);
    for (unsigned i = 0; i < 3; i++) {
        machine_run_branch(&machine, 1, true);
        machine_run_branch(&machine, 1, true);
        machine_run(&machine, 2);
    }
    CHECK_EQUAL(pmc(0), 3);
    CHECK_EQUAL(pmc(1), 1);
}

static void rdpmc(void)
{
    uint64_t value = 0;

    start();
    machine_write(&machine, IA32_A_PMC0 + 7, 0x123456789abc);
    machine_write(&machine, IA32_FIXED_CTR0 + 2, 0xfedcba987654);
    CHECK(ds_rdpmc(&machine.cpu, 0, 7, &value));
    CHECK_EQUAL(value, 0x123456789abc);
    CHECK(ds_rdpmc(&machine.cpu, 0, 0x40000002, &value));
    CHECK_EQUAL(value, 0xfedcba987654);
    CHECK(!ds_rdpmc(&machine.cpu, 0, 8, &value));
    CHECK(!ds_rdpmc(&machine.cpu, 0, 0x40000003, &value));
    CHECK(!ds_rdpmc(&machine.cpu, 0, 0x80000000, &value));
}

static void frozen_in_smm(void)
{
    start();
    select(0, COUNT | INSTRUCTIONS);
    machine_debugctl(&machine, FREEZE_WHILE_SMM);
    ds_smm_enter(&machine.cpu);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 0);
    machine_run(&machine, 5);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(pmc(0), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 0x7000000ff);
    machine_run(&machine, 5);
    CHECK_EQUAL(pmc(0), 5);
    machine_debugctl(&machine, 0);
    ds_smm_enter(&machine.cpu);
    machine_run(&machine, 5);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(pmc(0), 10);
}

static void init_keeps_counters_and_reset_does_not(void)
{
    start();
    select(0, COUNT | INSTRUCTIONS);
    machine_run(&machine, 5);
    ds_init(&machine.cpu);
    CHECK_EQUAL(pmc(0), 5);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERFEVTSEL0), COUNT | INSTRUCTIONS);
    machine_run(&machine, 1);
    CHECK_EQUAL(pmc(0), 6);
    ds_reset(&machine.cpu);
    CHECK_EQUAL(pmc(0), 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_CTRL), 0);
    CHECK(!ds_wants_instructions(&machine.cpu));
}

/* The same counter, and no other; bit 31 is none of them. */
static void rdpmc_with_high_bits(void)
{
    for (unsigned version = 1; version < 6; version++) {
        uint64_t value = 0;
        machine_start_model(&machine, 0x1a, version, version == 5 ? 0x74c3 : 0x31c3);
        machine_write(&machine, IA32_PMC0 + 1, 77);
        for (unsigned bit = 8; bit < 30; bit++) {
            machine.cpu.variation.rdpmc_high_bits_ignored = false;
            CHECK(!ds_rdpmc(&machine.cpu, 0, 1u << bit | 1, &value));
            machine.cpu.variation.rdpmc_high_bits_ignored = true;
            bool reads = ds_rdpmc(&machine.cpu, 0, 1u << bit | 1, &value);
            CHECK_EQUAL(reads, version == 2 || version == 3);
            CHECK_EQUAL(value, reads ? 77 : 0);
            CHECK_EQUAL(ds_rdpmc(&machine.cpu, 0, 1u << 30 | 1u << bit, &value), reads);
            value = 0;
        }
        CHECK(!ds_rdpmc(&machine.cpu, 0, 1u << 31 | 1, &value));
        CHECK(!ds_rdpmc(&machine.cpu, 0, 1u << 8 | 8, &value));
    }
}

const struct test counter_tests[] = {
    {"counter: every event", every_event},
    {"counter: precise twins", precise_twins},
    {"counter: a missing event does not count", a_missing_event_does_not_count},
    {"counter: an enumerated event counts", an_enumerated_event_counts},
    {"counter: fixed counters", fixed_counters},
    {"counter: rings", rings},
    {"counter: both enables are needed", both_enables_are_needed},
    {"counter: version 1 has no global control", version_1_has_no_global_control},
    {"counter: CMASK and INV", threshold_and_inversion},
    {"counter: edges", edges},
    {"counter: RDPMC", rdpmc},
    {"counter: RDPMC with high bits", rdpmc_with_high_bits},
    {"counter: frozen in SMM", frozen_in_smm},
    {"counter: INIT keeps counters, RESET does not", init_keeps_counters_and_reset_does_not},
    {0},
};
