// SPDX-License-Identifier: GPL-2.0-or-later
/* Far transfers and SMM, which some processors count too often. */
#include "check.h"
#include "machine.h"

#define CODE (MEMORY_BASE + 0x100)

static struct machine machine;

static void start(bool overcounts)
{
    machine_start(&machine);
    machine.cpu.variation.far_overcount = overcounts;
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT | BRANCHES);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, COUNT | CYCLES);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 3);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x100000003);
}

/* Runs the instruction of these bytes, first one lowest: instructions * 100 + branches counted. */
static unsigned counted(uint64_t bytes, bool branch)
{
    struct ds_instruction instruction = {.ip = CODE, .next = CODE + 8, .branch = branch};
    uint64_t instructions = machine_msr(&machine, IA32_FIXED_CTR0);
    uint64_t branches = machine_msr(&machine, IA32_PMC0);
    uint64_t cycles = machine_msr(&machine, IA32_PMC0 + 1);

    machine_poke(&machine, CODE, 8, bytes);
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 1), cycles + 1);
    instructions = machine_msr(&machine, IA32_FIXED_CTR0) - instructions;
    branches = machine_msr(&machine, IA32_PMC0) - branches;
    return (unsigned)(instructions * 100 + branches);
}

static const struct {
    uint64_t bytes;
    bool far;
} transfers[] = {
    {0xcf48, true},    {0xcf, true},     {0xcb, true},    {0xcb48, true},  {0x10ca, true},
    {0x9a, true},      {0xea, true},     {0x18ff, true},  {0x28ff, true},  {0x2dff, true},
    {0x18ff48, true},  {0x18ff2e, true}, {0x10ff, false}, {0x20ff, false}, {0xd0ff, false},
    {0xc3, false},     {0xe8, false},    {0xe9, false},   {0x05eb, false}, {0x050f, false},
    {0x070f48, false}, {0x340f, false},  {0x80cd, false}, {0xcc, false},
};

static void far_transfers(void)
{
    for (unsigned i = 0; i < sizeof(transfers) / sizeof(transfers[0]); i++) {
        start(true);
        CHECK_EQUAL(counted(transfers[i].bytes, true), transfers[i].far ? 202 : 101);
        start(false);
        CHECK_EQUAL(counted(transfers[i].bytes, true), 101);
    }
}

static void what_is_no_branch(void)
{
    start(true);
    CHECK_EQUAL(counted(0xcf, false), 100); /* data that looks like one, long since overwritten */
    machine.hole_start = CODE, machine.hole_end = CODE + 1;
    struct ds_instruction instruction = {.ip = CODE, .next = CODE + 8, .branch = true};
    ds_instruction(&machine.cpu, &machine.host, &instruction);
    CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0), 2);
}

static void system_management(void)
{
    start(true);
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(counted(0x90, false), 201);
    CHECK_EQUAL(counted(0x90, false), 100);
    start(false);
    ds_smm_enter(&machine.cpu);
    ds_smm_leave(&machine.cpu);
    CHECK_EQUAL(counted(0x90, false), 100);
    start(true);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    ds_smm_enter(&machine.cpu); /* nothing counts, nothing is left for what counts later */
    ds_smm_leave(&machine.cpu);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x100000003);
    CHECK_EQUAL(counted(0x90, false), 100);
}

#define HANDLER 0xffffffff81000000ull

/* From ring 3 to this one. */
static void deliver(enum ds_branch_kind kind, uint8_t cpl)
{
    struct ds_branch event = {
        .from = CODE, .to = HANDLER, .old_cpl = 3, .new_cpl = cpl, .kind = kind};

    ds_branch(&machine.cpu, &machine.host, &event);
}

/* PMC0 and PMC1 count instructions in ring 0 and above it, PMC2 branches, the fixed ones all. */
static void start_deliveries(bool counted)
{
    machine_start(&machine);
    machine.cpu.variation.delivery_counts = counted;
    machine_write(&machine, IA32_PERFEVTSEL0, 0x420000 | INSTRUCTIONS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, 0x410000 | INSTRUCTIONS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 2, COUNT | BRANCHES);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0x33);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x300000007);
}

static void deliveries(void)
{
    static const enum ds_branch_kind kinds[] = {DS_BRANCH_SOFTWARE_INTERRUPT, DS_BRANCH_INTERRUPT,
                                                DS_BRANCH_EXCEPTION, DS_BRANCH_DEBUG_EXCEPTION,
                                                DS_BRANCH_FAR};

    for (unsigned i = 0; i < 10; i++) {
        unsigned expected = i < 4;
        start_deliveries(i < 5);
        deliver(kinds[i % 5], 0);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), expected);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 1), 0);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 2), 0);
        CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0), expected);
        CHECK_EQUAL(machine_msr(&machine, IA32_FIXED_CTR0 + 1), 0);
        deliver(kinds[i % 5], 3);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), expected);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 1), expected);
        machine_run(&machine, 1);
        CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), expected + 1);
    }
}

/* By the unit of a cycle: it is one with one instruction. */
static void deliveries_by_threshold(void)
{
    start_deliveries(true);
    machine_write(&machine, IA32_PERFEVTSEL0, 0x1420000 | INSTRUCTIONS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, 0x2420000 | INSTRUCTIONS);
    deliver(DS_BRANCH_INTERRUPT, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 1);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0 + 1), 0);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    deliver(DS_BRANCH_INTERRUPT, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 1);
}

static void a_delivery_that_overflows(void)
{
    start_deliveries(true);
    machine_debugctl(&machine, FREEZE_PERFMON);
    machine_write(&machine, IA32_PERFEVTSEL0, 0x520000 | INSTRUCTIONS);
    machine_write(&machine, IA32_PMC0, ~0ull);
    machine_write(&machine, IA32_FIXED_CTR0, 0xffffffffffff);
    deliver(DS_BRANCH_INTERRUPT, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS), CTR_FRZ | FIXED(0) | 1);
    CHECK_EQUAL(machine.pmis, 1);
    deliver(DS_BRANCH_INTERRUPT, 0);
    CHECK_EQUAL(machine_msr(&machine, IA32_PMC0), 0);
}

const struct test overcount_tests[] = {
    {"overcount: far transfers", far_transfers},
    {"overcount: what is no branch", what_is_no_branch},
    {"overcount: system-management mode", system_management},
    {"overcount: deliveries of events", deliveries},
    {"overcount: deliveries by threshold", deliveries_by_threshold},
    {"overcount: a delivery that overflows", a_delivery_that_overflows},
    {0},
};
