/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MSR_PERF_METRICS splits the slots of fixed counter 3 into fractions (F21.16): what retires, bad
 * speculation, bound by the front end, bound by the back end. Do they add up, and only while they
 * are enabled?
 */
#include "arch/cpu/ground/msr.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"

#define ITERATIONS 2000
#define FRACTIONS  4u    /* the upper four of eight are parts of these */
#define WHOLE      0xffu /* the unit of a fraction */
#define ROUNDING   8u

static const struct counter slots = {.fixed = true, .number = 3};

#define UNLESS_SLOTS                                                                               \
    !pmu_counter_exists(slots), "IA32_PERF_CAPABILITIES[15] = 1, but fixed counter 3 is not "      \
                                "enumerated, or others use it"

static uint64_t metrics(void)
{
    uint64_t value = 0;

    rdmsr_safe(MSR_PERF_METRICS, &value);
    return value;
}

/* Both from 0 on (F21.16); flags of the field of fixed counter 3, control of the global one.
 * Returns the metrics before that one is cleared. */
static uint64_t run_metrics(unsigned flags, uint64_t control)
{
    const struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t found;

    pmu_reset();
    wrmsr_safe(MSR_PERF_METRICS, 0);
    if (flags)
        pmu_program(slots, PMU_SLOTS, flags);
    pmu_set_global_control(control);
    counting_run_workload(&counting);
    found = metrics();
    pmu_set_global_control(0);
    return found;
}

static void expect_none(struct test_context *t, unsigned flags, uint64_t control, const char *clear)
{
    EXPECT_EQUAL(t, COUNT_HIGH, clear, run_metrics(flags, control), 0);
    EXPECT_EQUAL(t, COUNT_HIGH, clear, metrics(), 0);
}

/* Every slot is of one of the four. */
TEST_UNLESS(counters, metrics_add_up, CLAIMS("PM-1"), NEEDS(PERFMON2, PERF_METRICS), UNLESS_SLOTS)
{
    unsigned sum = 0, retiring;
    uint64_t value;

    run_metrics(COUNTER_OS | COUNTER_USR, pmu_global_bit(slots) | PERF_GLOBAL_METRICS);
    value = metrics();
    retiring = value & WHOLE;
    for (unsigned i = 0; i < FRACTIONS; i++)
        sum += value >> 8 * i & WHOLE;
    EXPECT(t, COUNT_LOW, pmu_read(slots) > ITERATIONS, "counts %lu slots in %u iterations",
           pmu_read(slots), ITERATIONS);
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, sum, WHOLE - ROUNDING, WHOLE + ROUNDING,
                   "MSR_PERF_METRICS is %#lx: the fractions are %u of %u together", value, sum,
                   WHOLE);
    EXPECT(t, COUNT_LOW, retiring > 0, "MSR_PERF_METRICS is %#lx: nothing retires", value);
    counting_end();
}

/* Without the field's rings, or without the global bit (F21.22). */
TEST_UNLESS(counters, metrics_stand_still_when_disabled, CLAIMS("PM-1"),
            NEEDS(PERFMON2, PERF_METRICS), UNLESS_SLOTS)
{
    expect_none(t, 0, pmu_global_bit(slots) | PERF_GLOBAL_METRICS,
                "MSR_PERF_METRICS, the rings of fixed counter 3 clear");
    expect_none(t, COUNTER_OS | COUNTER_USR, pmu_global_bit(slots),
                "MSR_PERF_METRICS, bit 48 of IA32_PERF_GLOBAL_CTRL clear");
    counting_end();
}

/* F21.17; nothing says that reading changes what is read, but for what this kernel does not ask
 * for. */
TEST_UNLESS(counters, metrics_are_read_by_rdpmc, CLAIMS("PM-1"), NEEDS(PERFMON2, PERF_METRICS),
            UNLESS_SLOTS)
{
    uint64_t by_rdpmc = ~0ull, value;

    run_metrics(COUNTER_OS | COUNTER_USR, pmu_global_bit(slots) | PERF_GLOBAL_METRICS);
    value = metrics();
    for (unsigned i = 0; i < 2; i++) {
        struct exception exception = rdpmc_safe(RDPMC_METRICS, &by_rdpmc);

        EXPECT(t, MSR_REFUSES, !exception_happened(exception), "RDPMC of the metrics raises %s",
               exception_name(exception));
        EXPECT_EQUAL(t, MSR_VALUE, "RDPMC of the metrics", by_rdpmc, value);
    }
    EXPECT_EQUAL(t, MSR_VALUE, "MSR_PERF_METRICS after RDPMC", metrics(), value);
    wrmsr_safe(MSR_PERF_METRICS, 0);
    EXPECT_EQUAL(t, MSR_VALUE, "MSR_PERF_METRICS after 0 was written", metrics(), 0);
    counting_end();
}

/* Bit 48 of each register of the counters together (F6.5 to F6.8, F21.21). */
TEST_UNLESS(counters, metrics_have_a_bit_of_the_global_registers, CLAIMS("PM-1"),
            NEEDS(PERFMON4, PERF_METRICS), UNLESS_SLOTS)
{
    pmu_reset();
    pmu_set_global_control(PERF_GLOBAL_METRICS);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL", pmu_global_control(), PERF_GLOBAL_METRICS);
    pmu_set_global_control(0);
    pmu_status_set(PERF_GLOBAL_METRICS);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS, bit 48 set by software",
                pmu_status() & (pmu_status_mask() | PERF_GLOBAL_METRICS), PERF_GLOBAL_METRICS);
    pmu_status_clear(PERF_GLOBAL_METRICS);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS, bit 48 cleared by software",
                pmu_status() & (pmu_status_mask() | PERF_GLOBAL_METRICS), 0);
    counting_end();
}
