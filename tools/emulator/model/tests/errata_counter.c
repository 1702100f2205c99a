// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of counters and their interrupts, on occasion. */
#include "errata.h"

#include "check.h"

#define ALL_ONES 0xffffffffffffull
#define PMC(i)   (IA32_PMC0 + (i))
#define USR_ONLY 0x410000u

#define NOP      0x90
#define REP_MOVS 0xa448f3
#define MOVS     0xa4
#define IRETQ    0xcf48

#define machine errata_machine

static void prepare(void)
{
    machine_write(&machine, IA32_PERFEVTSEL0, COUNT_INT | INSTRUCTIONS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 1, COUNT | MISPREDICTS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 2, USR_ONLY | INSTRUCTIONS);
    machine_write(&machine, IA32_PERFEVTSEL0 + 4, USR_ONLY | INSTRUCTIONS);
    machine_write(&machine, IA32_FIXED_CTR_CTRL, 0xbbb);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
}

/* All counters at rest, no overflow on record. */
static void settle(void)
{
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 0x7000000ff);
    for (unsigned i = 0; i < 3; i++) {
        machine_write(&machine, PMC(i), 0);
        machine_write(&machine, IA32_FIXED_CTR0 + i, 0);
    }
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0x7000000ff);
    machine.pmis = 0;
}

static bool fixed_are_enabled_after_reset(void)
{
    errata_restart();
    return machine_msr(&machine, IA32_PERF_GLOBAL_CTRL) == 7ull << 32;
}

/* The sequence that Intel gives, in its order. */
static void flush(void)
{
    static const uint32_t sequence[] = {0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1};

    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    for (unsigned i = 0; i < 4; i++) {
        machine_write(&machine, IA32_PERFEVTSEL0 + i, sequence[i]);
        machine_write(&machine, PMC(i), 0);
    }
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0xf);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
}

/* Dead until the sequence, alive after it. */
static bool counters_need_flush(void)
{
    errata_restart();
    prepare();
    uint64_t moved = errata_moves(PMC(0), 0, NOP, 0);

    flush();
    prepare();
    return moved == 0 && errata_moves(PMC(0), 0, NOP, 0) == 1;
}

static bool instructions_are_inexact(void)
{
    uint64_t moved = errata_moves(IA32_FIXED_CTR0, 0, NOP, 0);

    settle();
    return moved == 0 || moved == 2;
}

static bool counts_twice(unsigned bytes)
{
    bool others = errata_moves(PMC(0), 0, NOP, 0) == 1 && errata_moves(PMC(0), 0, MOVS, 0) == 1;

    return errata_moves(PMC(0), 0, bytes, 0) == 2 && others;
}

static bool strings_count_twice(void)
{
    return counts_twice(REP_MOVS);
}

static bool iret_counts_twice(void)
{
    return counts_twice(IRETQ);
}

/* A branch that is never taken is predicted, but for the first time. */
static void prepare_branch(void)
{
    prepare();
    machine_run_branch(&machine, 1, false);
}

static bool a_mispredict_too_many(void)
{
    uint64_t before = machine_msr(&machine, PMC(1));

    machine_run_branch(&machine, 1, false);
    return machine_msr(&machine, PMC(1)) != before;
}

static bool crossing_pauses(void)
{
    settle();
    machine_branch(&machine, 1, 0, 3);
    for (unsigned i = 0; i < 5; i++) {
        errata_run(0, NOP, 3);
    }
    return machine_msr(&machine, PMC(2)) == 3;
}

static bool upper_user_is_dead(void)
{
    bool lower = errata_moves(PMC(2), 0, NOP, 3) == 1;

    return errata_moves(PMC(4), 0, NOP, 3) == 0 && lower;
}

static bool upper_select_is_misread(void)
{
    bool lower = machine_msr(&machine, IA32_PERFEVTSEL0 + 2) == (USR_ONLY | INSTRUCTIONS);

    return machine_msr(&machine, IA32_PERFEVTSEL0 + 4) != (USR_ONLY | INSTRUCTIONS) && lower;
}

static void prepare_freeze(void)
{
    prepare();
    machine_debugctl(&machine, FREEZE_PERFMON);
}

static bool one_of_two_is_missing(void)
{
    settle();
    machine_write(&machine, IA32_FIXED_CTR0, ALL_ONES);
    machine_write(&machine, IA32_FIXED_CTR0 + 1, ALL_ONES);
    machine_run(&machine, 1);
    return machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) == FIXED(0) && machine.pmis == 1;
}

/* Again and again; and no more once the status is clear. */
static bool interrupts_until_cleared(void)
{
    settle();
    machine_write(&machine, IA32_FIXED_CTR0, ALL_ONES);
    machine_run(&machine, 201);
    unsigned pmis = machine.pmis;

    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, FIXED(0));
    machine_run(&machine, 500);
    return pmis == 3 && machine.pmis == 3;
}

static bool two_interrupts_for_one(void)
{
    settle();
    machine_write(&machine, IA32_FIXED_CTR0, ALL_ONES);
    machine_write(&machine, IA32_FIXED_CTR0 + 2, ALL_ONES);
    machine_run(&machine, 6000);
    return machine.pmis == 2;
}

/* PMC0 overflows this many instructions before it is disabled; it is reloaded and enabled again. */
static unsigned interrupts_of_one(unsigned before)
{
    settle();
    machine_write(&machine, PMC(0), ~0ull);
    machine_run(&machine, 1 + before);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 0);
    machine_write(&machine, IA32_PERF_GLOBAL_STATUS_RESET, 1);
    machine_write(&machine, PMC(0), 0);
    machine_write(&machine, IA32_PERF_GLOBAL_CTRL, 1);
    machine_run(&machine, 2);
    CHECK_EQUAL(machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) & 1, machine.pmis == 2);
    return machine.pmis;
}

static bool overflow_sticks(void)
{
    CHECK_EQUAL(interrupts_of_one(20), 1);
    return interrupts_of_one(0) == 2 && machine_msr(&machine, PMC(0)) == 2;
}

/* Cycles of fewer than two instructions, which all of them are. */
static bool the_other_ring_is_counted(void)
{
    bool mine, others;

    machine_write(&machine, IA32_PERFEVTSEL0 + 3, 0x2c20000 | INSTRUCTIONS);
    mine = errata_moves(PMC(3), 0, NOP, 0) == 1;
    others = errata_moves(PMC(3), 0, NOP, 3) == 1;
    machine_write(&machine, IA32_PERFEVTSEL0 + 3, 0x2c30000 | INSTRUCTIONS);
    bool both = errata_moves(PMC(3), 0, NOP, 3) == 1;
    machine_write(&machine, IA32_PERFEVTSEL0 + 3, 0x2420000 | INSTRUCTIONS);
    return mine && others && both && errata_moves(PMC(3), 0, NOP, 3) == 0;
}

static bool condition_changed_is_ignored(void)
{
    return ds_msr_write(&machine.cpu, &machine.host, IA32_PERF_GLOBAL_STATUS_SET, CONDCHGD | 1) ==
               DS_MSR_DONE &&
           machine_msr(&machine, IA32_PERF_GLOBAL_STATUS) == 1;
}

static bool large_value_interrupts(void)
{
    settle();
    machine_write(&machine, IA32_FIXED_CTR0 + 2, ALL_ONES - 0x3f);
    unsigned pmis = machine.pmis;

    machine_write(&machine, IA32_FIXED_CTR0 + 2, ALL_ONES - 0x3e);
    return pmis == 0 && machine.pmis == 1;
}

const struct exhibit counter_exhibits[] = {
    {"AAJ83", 0x1a, 3, 0x31c3, prepare, fixed_are_enabled_after_reset},
    {"AAJ91", 0x1a, 3, 0x31c3, prepare, counters_need_flush},
    {"HSD140", 0x3c, 3, 0x32c4, prepare, instructions_are_inexact},
    {"SKL091", 0x5e, 4, 0x33c5, prepare, strings_count_twice},
    {"BV52", 0x3a, 3, 0x31c3, prepare, iret_counts_twice},
    {"AAJ80", 0x1a, 3, 0x31c3, prepare_branch, a_mispredict_too_many},
    {"SKL117", 0x5e, 4, 0x33c5, prepare, crossing_pauses},
    {"AAJ148", 0x1a, 3, 0x31c3, prepare_freeze, one_of_two_is_missing},
    {"HSD91", 0x3c, 3, 0x32c4, prepare, interrupts_until_cleared},
    {"AAJ119", 0x1a, 3, 0x31c3, prepare, two_interrupts_for_one},
    {"SKL164", 0x5e, 4, 0x33c5, prepare, condition_changed_is_ignored},
    {"BJ58", 0x2a, 3, 0x31c3, prepare, overflow_sticks},
    {"HSD73", 0x3c, 3, 0x32c4, prepare, the_other_ring_is_counted},
    {"BJ77", 0x2a, 3, 0x31c3, prepare, large_value_interrupts},
    {0},
};

const struct exhibit state_exhibits[] = {
    {"BDD116", 0x47, 3, 0x32c4, prepare, upper_user_is_dead},
    {"BV80", 0x3a, 3, 0x31c3, prepare, upper_select_is_misread},
    {0},
};
