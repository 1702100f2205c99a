/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thing happens while unrelated things are set: does it do the same as ever, and leave them as
 * they are? Any three of the unrelated settings take all eight values (tests/run/covering.h).
 * This file has programs and register writes; beside_events.c has the rest.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/mode.h"
#include "tests/workloads/register_write.h"

#define TRACE ((uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS))

static struct bystander_run run;

/* --- a program in both rings --- */

/* The other counters count ring 3. */
static bool all_but_counts_stay(struct test_context *t)
{
    struct facility expected = run.before;

    __builtin_memcpy(expected.general, run.after.general, sizeof expected.general);
    __builtin_memcpy(expected.fixed, run.after.fixed, sizeof expected.fixed);
    return facility_expect(t, &run.after, &expected);
}

/* It is recorded, and asks for nothing else. */
static void check_program(struct test_context *t, unsigned row)
{
    struct bystanders beside = bystanders_of_row(row, 0);
    bool held;

    beside.debugctl = freeze_beside_tr(beside.debugctl | TRACE);
    run = (struct bystander_run){.program = program_of_workload(&workload_rings)};
    if (!bystanders_run(t, &beside, &run))
        return;
    held = EXPECT_COUNT(t, PMI, "interrupts", run.seen.interrupts, 0);
    if (!(all_but_counts_stay(t) && held))
        bystanders_note(t, &beside);
}

static const char *row_claim(unsigned row)
{
    return mode_row_of(bystanders_of_row(row, 0).debugctl | TRACE)->claim;
}

TEST(beside, programs_are_recorded,
     CLAIMS("T17-6.3", "T17-6.4", "T17-6.5", "T17-6.6", "T17-6.7", "T17-6.8", "T17-6.9", "BTS-1",
            "LBR-1"),
     NEEDS(BTS, SYSCALL))
{
    freeze_learn_beside_tr(t);
    TEST_NUMBERS(t, row, 0, COVERING_ROWS, row_claim(row), "setting_%02u", row)
        check_program(t, row);
    bystanders_end();
}

/* --- a WRMSR --- */

/* Its value, from what the registers are. */
typedef uint64_t value_of(const struct facility *before, unsigned row);

static uint64_t write_debugctl(const struct facility *before, unsigned row)
{
    const uint64_t all = debugctl_itself(bystanders_of_row(COVERING_BITS, 0).debugctl);
    uint64_t left = all;

    for (unsigned i = row; i; i--)
        left = left & (left - 1) ? left & (left - 1) : all;
    return debugctl_itself(before->debugctl ^ (left & -left));
}

static uint64_t write_select(const struct facility *before, unsigned row)
{
    return before->select ^ 1u << row % 9;
}

/* An address that nothing uses: where TR and BTS store, the one that is there. */
static uint64_t write_ds_area(const struct facility *before, unsigned row)
{
    bool stores = (before->debugctl & TRACE) == TRACE;

    return before->ds_area ^ (stores ? 0 : 0x10000ull << row % 8);
}

/* What it is: software reads it, changes a bit of something else, writes it back (F1.21). */
static uint64_t write_misc_enable(const struct facility *before, unsigned row)
{
    uint64_t value = 0;

    (void)before, (void)row;
    rdmsr_safe(IA32_MISC_ENABLE, &value);
    return value;
}

static uint64_t counter_bit(unsigned row)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    return pmu_global_bit(counters[row % count]);
}

static uint64_t write_pebs_enable(const struct facility *before, unsigned row)
{
    uint64_t bit = counter_bit(row) & pebs_counters();

    return before->pebs_enable ^ (bit ? bit : 1);
}

static uint64_t write_data_config(const struct facility *before, unsigned row)
{
    return before->data_config ^ (row % 2 ? PEBS_DATA_GPRS : PEBS_DATA_XMM);
}

static uint64_t write_control(const struct facility *before, unsigned row)
{
    return before->control ^ counter_bit(row);
}

/* In no row does it count: the workload is in ring 0. */
static uint64_t write_event_select(const struct facility *before, unsigned row)
{
    const uint64_t values[] = {pmu_event_select(PMU_INSTRUCTIONS, COUNTER_USR),
                               pmu_event_select(PMU_CORE_CYCLES, COUNTER_USR | COUNTER_PMI),
                               pmu_event_select(PMU_BRANCHES, 0), PERFEVTSEL_OS};

    (void)before;
    return values[row % COUNT_OF(values)];
}

static uint64_t write_fixed_control(const struct facility *before, unsigned row)
{
    uint64_t field = pmu_fixed_field(0, row % 2 ? COUNTER_USR : COUNTER_PMI);

    return pmu_fixed_control_with((before->fixed_control & ~pmu_fixed_field_mask(0)) | field);
}

static uint64_t write_general(const struct facility *before, unsigned row)
{
    (void)before;
    return (uint64_t)(int64_t)(int32_t)(row % 2 ? 0x80000000u + row : row);
}

static uint64_t write_general_alias(const struct facility *before, unsigned row)
{
    (void)before;
    return pmu_counter_mask((struct counter){.number = 0}) - row;
}

static uint64_t write_fixed(const struct facility *before, unsigned row)
{
    (void)before;
    return pmu_counter_mask((struct counter){.fixed = true}) - 0x1000 * row;
}

/* All, none, and every other bit of what is set. */
static uint64_t write_status_clear(const struct facility *before, unsigned row)
{
    const uint64_t patterns[] = {~0ull, 0, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa};
    return patterns[row / 4 % 4] & (pmu_all_counters() | before->status);
}

/* Overflow bits of counters that interrupt may do so (F6.8): one freeze, and OvfBuf. */
static uint64_t write_status_set(const struct facility *before, unsigned row)
{
    const uint64_t bits[] = {PERF_GLOBAL_STATUS_LBR_FRZ, PERF_GLOBAL_STATUS_CTR_FRZ,
                             PERF_GLOBAL_STATUS_OVF_BUF, 0};

    (void)before;
    return bits[row % 4];
}

static const struct row_of_writes {
    const char *name, *claim;
    enum feature needed;
    uint32_t number;
    value_of *value;
} writes[] = {
    {"debugctl", "ISR-6", FEATURE_PERFMON2, IA32_DEBUGCTL, write_debugctl},
    {"lbr_select", "LBR-1", FEATURE_LBR_SELECT, MSR_LBR_SELECT, write_select},
    {"misc_enable", "DS-2", FEATURE_DS, IA32_MISC_ENABLE, write_misc_enable},
    {"ds_area", "DS-1", FEATURE_DS, IA32_DS_AREA, write_ds_area},
    {"pebs_enable", "DS-3", FEATURE_PEBS_RECORDS, IA32_PEBS_ENABLE, write_pebs_enable},
    {"pebs_data_cfg", "PEBS-4", FEATURE_PEBS_ADAPTIVE, MSR_PEBS_DATA_CFG, write_data_config},
    {"global_ctrl", "FRZ-7", FEATURE_PERFMON2, IA32_PERF_GLOBAL_CTRL, write_control},
    {"event_select", "FRZ-9", FEATURE_PERFMON2, IA32_PERFEVTSEL0, write_event_select},
    {"fixed_control", "FRZ-10", FEATURE_PERFMON2, IA32_FIXED_CTR_CTRL, write_fixed_control},
    {"pmc", "ISR-3", FEATURE_PERFMON2, IA32_PMC0, write_general},
    {"pmc_alias", "ISR-3", FEATURE_FULL_WIDTH_WRITES, IA32_A_PMC0, write_general_alias},
    {"fixed_counter", "ISR-3", FEATURE_PERFMON2, IA32_FIXED_CTR0, write_fixed},
    {"status_clear", "ISR-3", FEATURE_PERFMON2, IA32_PERF_GLOBAL_OVF_CTRL, write_status_clear},
    {"status_set", "FRZ-1", FEATURE_PERFMON4, IA32_PERF_GLOBAL_STATUS_SET, write_status_set},
};

static struct program program;
static struct register_write written;
static value_of *current_value;
static unsigned current_row;

static void choose_value(const struct facility *before)
{
    written.value = current_value(before, current_row);
}

/* The test's own counters are off: PMC0 and fixed counter 0. */
static uint64_t own_counters(void)
{
    return (1 | 1ull << 32) & pmu_all_counters();
}

static void check_write(struct test_context *t, const struct row_of_writes *how, unsigned row)
{
    const struct bystanders beside = bystanders_of_row(row, own_counters());

    written.number = how->number;
    current_value = how->value;
    current_row = row;
    run = (struct bystander_run){.program = &program, .ready = choose_value};
    bystanders_run(t, &beside, &run);
}

static bool is_there(const struct row_of_writes *how)
{
    bool fixed = how->value == write_fixed_control || how->value == write_fixed;

    if (how->number == MSR_LBR_SELECT && !feature_present(FEATURE_LBR_LEGACY))
        return false;
    return feature_present(how->needed) &&
           (!fixed || pmu_counter_exists((struct counter){.fixed = true}));
}

TEST(beside, a_write_changes_its_own_register, CLAIMS("ISR-3", "ISR-6", "FRZ-7", "FRZ-13"),
     NEEDS(PERFMON2, PMI))
{
    freeze_learn_beside_tr(t);
    program = *program_of_workload(&workload_register_write);
    program.argument = (uint64_t)&written;
    TEST_EACH_WHERE(t, how, writes, writes + COUNT_OF(writes), is_there(how), how->claim, "%s",
                    how->name)
        BYSTANDERS_EACH(t, row, (how - writes) % 2 ? ROWS_HALF : ROWS_OTHER_HALF)
            check_write(t, how, row);
    bystanders_end();
}
