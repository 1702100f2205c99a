/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each processor have a save area, buffers and a state of its own (ISR-4)? Two threads of a
 * core count as two processors: nothing of the Debug Store is shared between them (F3.36).
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/facility.h"
#include "tests/run/other_processor.h"
#include "tests/run/side_by_side.h"
#include "tests/spec/facility_check.h"

/* Two values that the register takes, neither of which starts anything. */
struct register_row {
    const char *name;
    enum feature needed;
    uint32_t number;
    uint64_t values[2];
    const char *(*missing)(void); /* NULL, or why it is not there all the same */
};

static const char *nothing(void)
{
    return NULL;
}

static const char *second_counter(void)
{
    return pmu_counter_exists((struct counter){.number = 1}) ? NULL : "CPUID.0AH: no PMC1";
}

static const char *fixed_counter(void)
{
    const struct counter counter = {.fixed = true};

    if (!pmu_counter_enumerated(counter))
        return "CPUID.0AH: no fixed counter 0";
    return pmu_counter_exists(counter) ? NULL : "others use fixed counter 0";
}

/* All of it is written. */
static const char *fixed_control(void)
{
    return pmu_ours_fixed(~0ull) == ~0ull ? fixed_counter() : "others use a fixed counter";
}

static const char *off_bits(void)
{
    return debugctl_not_lent() & DEBUGCTL_BTS_OFF_OS ? "this hypervisor does not lend them" : NULL;
}

static uint64_t anywhere[2]; /* addresses that IA32_DS_AREA takes */

static const struct register_row rows[] = {
    {"ia32_ds_area",
     FEATURE_DS,
     IA32_DS_AREA,
     {(uint64_t)(uintptr_t)&anywhere[0], (uint64_t)(uintptr_t)&anywhere[1]},
     nothing},
    {"ia32_debugctl",
     FEATURE_BTS,
     IA32_DEBUGCTL,
     {DEBUGCTL_BTS, DEBUGCTL_BTS | DEBUGCTL_BTINT},
     nothing},
    {"msr_pebs_data_cfg",
     FEATURE_PEBS_ADAPTIVE,
     MSR_PEBS_DATA_CFG,
     {PEBS_DATA_GPRS, PEBS_DATA_MEMORY},
     nothing},
    {"ia32_pebs_enable", FEATURE_PEBS_RECORDS, IA32_PEBS_ENABLE, {1, 0}, nothing},
    {"ia32_perf_global_ctrl", FEATURE_PERFMON2, IA32_PERF_GLOBAL_CTRL, {1, 0}, nothing},
    {"ia32_perfevtsel0",
     FEATURE_PERFMON,
     IA32_PERFEVTSEL0,
     {PERFEVTSEL_OS | 0x3c, PERFEVTSEL_USR | 0xc0},
     nothing},
    {"ia32_pmc0", FEATURE_PERFMON, IA32_PMC0, {0x1234, 0x4321}, nothing},
    {"ia32_debugctl_off_bits",
     FEATURE_DS_CPL,
     IA32_DEBUGCTL,
     {DEBUGCTL_BTS_OFF_OS, DEBUGCTL_BTS_OFF_USR},
     off_bits},
    {"ia32_debugctl_freeze_bits",
     FEATURE_FREEZE,
     IA32_DEBUGCTL,
     {DEBUGCTL_FREEZE_LBRS_ON_PMI, DEBUGCTL_FREEZE_PERFMON_ON_PMI},
     nothing},
    {"ia32_perfevtsel1",
     FEATURE_PERFMON,
     IA32_PERFEVTSEL0 + 1,
     {PERFEVTSEL_USR | 0xc0, PERFEVTSEL_OS | 0x3c},
     second_counter},
    {"ia32_pmc1", FEATURE_PERFMON, IA32_PMC0 + 1, {0x5678, 0x8765}, second_counter},
    {"ia32_fixed_ctr_ctrl",
     FEATURE_PERFMON2,
     IA32_FIXED_CTR_CTRL,
     {FIXED_CTR_CTRL_OS, FIXED_CTR_CTRL_USR},
     fixed_control},
    {"ia32_fixed_ctr0", FEATURE_PERFMON2, IA32_FIXED_CTR0, {0x9abc, 0xcba9}, fixed_counter},
};

struct transaction {
    uint32_t number;
    bool writes;
    uint64_t value;
    struct exception exception;
};

static void act(void *argument)
{
    struct transaction *transaction = argument;

    transaction->exception = transaction->writes
                                 ? wrmsr_safe(transaction->number, transaction->value)
                                 : rdmsr_safe(transaction->number, &transaction->value);
}

/* On processor 0 itself, or on another. */
static bool act_on(struct test_context *t, unsigned index, struct transaction *transaction)
{
    if (index == 0)
        act(transaction);
    else if (!other_run(t, index, act, transaction))
        return false;
    return EXPECT(t, MSR_REFUSES, !exception_happened(transaction->exception),
                  "processor %u: %s on %s", index, exception_name(transaction->exception),
                  transaction->writes ? "WRMSR" : "RDMSR");
}

static struct facility keeps, found;

static void read_all(void *to)
{
    facility_try();
    facility_read(to);
}

static bool read_on(struct test_context *t, unsigned index, struct facility *to)
{
    if (index)
        return other_run(t, index, read_all, to);
    read_all(to);
    return true;
}

/* NULL: the processor has the register. */
static const char *why_missing(const struct register_row *row, unsigned index)
{
    static char why[160];
    bool present;

    features_view(index);
    present = feature_present(row->needed);
    if (!present)
        feature_missing_reason(row->needed, why, sizeof why);
    features_view(0);
    return present ? row->missing() : why;
}

/* PEBS is not enabled while IA32_DS_AREA points at what is none: that may hang (F22.43). */
static bool is_beside(const struct register_row *other, const struct register_row *row)
{
    return other->number != IA32_DS_AREA &&
           (other->number != IA32_PEBS_ENABLE || row->number != IA32_DS_AREA);
}

/* To all registers that the processor has, and that may stand beside this one: their first values,
 * or 0. */
static bool give(struct test_context *t, unsigned index, const struct register_row *row, bool first)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct transaction given = {rows[i].number, true, first ? rows[i].values[0] : 0, {0}};

        if (is_beside(&rows[i], row) && !why_missing(&rows[i], index) && !act_on(t, index, &given))
            return false;
    }
    return true;
}

/* One has a value in each register, the other writes something else to this one: nothing of the
 * first may have changed. */
static void check_kept(struct test_context *t, const struct register_row *row, unsigned keeper,
                       unsigned writer)
{
    struct transaction kept = {row->number, true, row->values[0], {0}};
    struct transaction other = {row->number, true, row->values[1], {0}};

    if (!give(t, keeper, row, true) || !act_on(t, keeper, &kept) || !read_on(t, keeper, &keeps) ||
        !act_on(t, writer, &other) || !read_on(t, keeper, &found))
        return;
    if (!facility_expect(t, &found, &keeps))
        test_note(t, "that was processor %u after processor %u wrote %#lx to %s", keeper, writer,
                  other.value, row->name);
    give(t, keeper, row, false);
    kept.value = other.value = 0;
    act_on(t, keeper, &kept);
    act_on(t, writer, &other);
}

static void check_register(struct test_context *t, const struct register_row *row, unsigned index)
{
    const char *why = why_missing(row, index);

    if (why) {
        test_skip(t, "%s", why);
        return;
    }
    check_kept(t, row, 0, index);
    check_kept(t, row, index, 0);
}

TEST(processors, registers_are_its_own, CLAIMS("ISR-4"), NEEDS(SECOND_PROCESSOR, DS))
{
    for (unsigned index = 1; index < processor_count(); index++)
        if (!other_start(t, index))
            return;
    TEST_EACH(t, row, rows, "ISR-4", "%s", row->name)
        for (unsigned index = 1; index < processor_count(); index++)
            check_register(t, row, index);
    for (unsigned index = 1; index < processor_count(); index++)
        other_stop(t, index);
}

#define TRACING (DEBUGCTL_TR | DEBUGCTL_BTS)

static struct side sides[2];

/* Sleds of different lengths: neither trace can pass for the other. */
static void prepare_sides(void)
{
    static const size_t transfers[2] = {1900, 1300};

    for (unsigned i = 0; i < 2; i++) {
        sides[i].program = *program_of_length(transfers[i]);
        sides[i].run = (struct run){.debugctl = TRACING,
                                    .layout = {.records = 2000, .threshold = BTS_NO_THRESHOLD}};
        sides[i].counter_period = sides[i].circle = 0;
    }
}

static void expect_traces(struct test_context *t, unsigned index)
{
    for (unsigned i = 0; i < 2; i++)
        side_expect_trace(t, i ? index : 0, &sides[i]);
}

static void expect_interrupts(struct test_context *t, unsigned index, const bool wanted[2])
{
    for (unsigned i = 0; i < 2; i++) {
        size_t count = sides[i].log.event_count;

        EXPECT_BETWEEN(t, PMI_MISSING, PMI_EXTRA, count, wanted[i], wanted[i] ? SIZE_MAX : 0,
                       "processor %u took %zu interrupts, expected %s", i ? index : 0, count,
                       wanted[i] ? "some" : "none");
    }
}

static void check_traces(struct test_context *t, unsigned index)
{
    static const bool none[2];

    prepare_sides();
    if (!side_by_side(t, index, sides))
        return;
    expect_traces(t, index);
    expect_interrupts(t, index, none);
}

TEST(processors, traces_are_its_own, CLAIMS("ISR-4"), NEEDS(SECOND_PROCESSOR, BTS, PMI))
{
    other_for_each(t, "ISR-4", check_traces);
}

/* Which of the two reach a threshold: one, the other, both. */
static const bool who_interrupts[][2] = {{true, false}, {false, true}, {true, true}};

static void check_bts_interrupts(struct test_context *t, unsigned index)
{
    static const size_t thresholds[2] = {1000, 400};

    for (size_t i = 0; i < COUNT_OF(who_interrupts) && !test_has_failed(t); i++) {
        prepare_sides();
        for (unsigned side = 0; side < 2; side++) {
            if (!who_interrupts[i][side])
                continue;
            sides[side].run.debugctl |= DEBUGCTL_BTINT;
            sides[side].run.layout.threshold = thresholds[side];
        }
        if (!side_by_side(t, index, sides))
            return;
        expect_interrupts(t, index, who_interrupts[i]);
        expect_traces(t, index);
    }
}

TEST(processors, bts_interrupts_are_its_own, CLAIMS("ISR-4"), NEEDS(SECOND_PROCESSOR, BTS, PMI))
{
    other_for_each(t, "ISR-4", check_bts_interrupts);
}

/* A period that the program's instructions fill once, and one that they never fill. */
#define PERIOD_FILLED 1000
#define PERIOD_HUGE   1000000

static void check_counter_side(struct test_context *t, unsigned processor, const struct side *side)
{
    uint64_t own = pmu_global_bit((struct counter){.number = 0});
    uint64_t expected = side->counter_period == PERIOD_FILLED ? own : 0;
    uint64_t start = -side->counter_period & pmu_counter_mask((struct counter){.number = 0});

    EXPECT_BETWEEN(t, OVERFLOW_MISSING, OVERFLOW_EXTRA, side->overflowed, expected, expected,
                   "processor %u: counters that overflowed, by IA32_PERF_GLOBAL_STATUS: %#lx",
                   processor, side->overflowed);
    EXPECT(t, COUNT_LOW, side->counted != start, "processor %u: its counter did not count",
           processor);
}

static void check_counter_interrupts(struct test_context *t, unsigned index)
{
    for (size_t i = 0; i < COUNT_OF(who_interrupts) && !test_has_failed(t); i++) {
        prepare_sides();
        for (unsigned side = 0; side < 2; side++)
            sides[side].counter_period = who_interrupts[i][side] ? PERIOD_FILLED : PERIOD_HUGE;
        if (!side_by_side(t, index, sides))
            return;
        expect_interrupts(t, index, who_interrupts[i]);
        expect_traces(t, index);
        check_counter_side(t, 0, &sides[0]);
        check_counter_side(t, index, &sides[1]);
    }
}

TEST(processors, counter_interrupts_are_its_own, CLAIMS("ISR-4"),
     NEEDS(SECOND_PROCESSOR, BTS, PERFMON2, PMI))
{
    other_for_each(t, "ISR-4", check_counter_interrupts);
}
