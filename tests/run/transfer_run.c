/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/transfer_run.h"

#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/exception.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/mode.h"
#include "tests/spec/observe.h"

#define RECORDS 64 /* more than any workload here leaves */

static struct run run_of_bts(uint64_t debugctl, bool hold_off)
{
    return (struct run){
        .debugctl = debugctl,
        .layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .hold_off_interrupts = hold_off,
        .once = hold_off, /* the interrupt that waits comes once */
    };
}

bool transfer_check_bts(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off)
{
    const struct run run = run_of_bts(debugctl, hold_off);

    return observe_run(t, program, &run);
}

bool transfer_check_threshold(struct test_context *t, const struct program *program,
                              uint64_t debugctl, bool hold_off, size_t threshold)
{
    bool interrupts = mode_row_of(debugctl)->interrupts;
    struct run run = run_of_bts(debugctl, hold_off);

    run.layout.threshold = threshold;
    run.delivery = interrupts && hold_off ? APIC_DELIVERY_NMI : APIC_DELIVERY_FIXED;
    return observe_run(t, program, &run);
}

static struct run run_of_lbr(uint64_t debugctl, bool hold_off)
{
    return (struct run){
        .debugctl = debugctl, .lbr = true, .hold_off_interrupts = hold_off, .once = hold_off};
}

bool transfer_check_lbr(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off)
{
    const struct run run = run_of_lbr(debugctl, hold_off);

    return observe_run(t, program, &run);
}

/* --- while each counter counts --- */

static void start_counting(const struct run *run, struct observation *seen)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    (void)run, (void)seen;
    pmu_reset();
    for (unsigned i = 0; i < count; i++)
        pmu_program(counters[i], PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR);
    pmu_set_global_control(pmu_all_counters());
}

/* The test is about counters that did count. */
static bool expect_counted(struct test_context *t)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    bool held = true;

    for (unsigned i = 0; i < count && pmu_event_available(PMU_INSTRUCTIONS); i++)
        if (!counters[i].fixed || pmu_fixed_event(counters[i].number) == PMU_INSTRUCTIONS)
            held &= EXPECT(t, COUNT_LOW, pmu_read(counters[i]) > 0,
                           "counter %u counted no instruction", i);
    pmu_reset();
    return held;
}

bool transfer_check_counting(struct test_context *t, const struct program *program,
                             uint64_t debugctl, bool hold_off)
{
    struct run run =
        debugctl & DEBUGCTL_BTS ? run_of_bts(debugctl, hold_off) : run_of_lbr(debugctl, hold_off);
    bool held;

    run.ahead = start_counting;
    run.behind = run_stop_counting;
    held = observe_run(t, program, &run);
    return expect_counted(t) && held;
}

bool transfer_is_possible(struct test_context *t, const struct workload *workload)
{
    struct exception exception;

    if (!(workload->flags & WORKLOAD_INT1))
        return true;
    exception = probe_int1();
    if (exception.vector == VECTOR_DB)
        return true;
    test_skip(t, "INT1 raises %s here, not #DB", exception_name(exception));
    return false;
}

static void check_list(struct test_context *t, const char *claim, workload_list first,
                       workload_list end, transfer_check check, uint64_t debugctl)
{
    TEST_EACH_OF(t, at, first, end, claim, "%s", (*at)->name) {
        if (transfer_is_possible(t, *at))
            check(t, program_of_workload(*at), debugctl, false);
    }
}

void transfers_check_bts(struct test_context *t, workload_list first, workload_list end)
{
    check_list(t, "BTS-1", first, end, transfer_check_bts, DEBUGCTL_TR | DEBUGCTL_BTS);
}

void transfers_check_lbr(struct test_context *t, workload_list first, workload_list end)
{
    check_list(t, "LBR-1", first, end, transfer_check_lbr, DEBUGCTL_LBR);
}

/* --- one ring alone --- */

const uint64_t one_ring_settings[ONE_RING_SETTINGS] = {
    DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS,
    DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_USR,
    DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTINT,
    DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_USR | DEBUGCTL_BTINT,
};

void transfer_begin_one_ring(struct test_context *t, const char *name, uint64_t debugctl)
{
    test_begin(t, mode_row_of(debugctl)->claim, "%s_bts_off_%s_btint%u", name,
               debugctl & DEBUGCTL_BTS_OFF_OS ? "os" : "usr", !!(debugctl & DEBUGCTL_BTINT));
}

void transfers_check_bts_of_one_ring(struct test_context *t, workload_list first, workload_list end)
{
    test_plan(t, (unsigned)(end - first) * ONE_RING_SETTINGS);
    for (workload_list at = first; at < end; at++)
        for (unsigned i = 0; i < ONE_RING_SETTINGS; i++) {
            transfer_begin_one_ring(t, (*at)->name, one_ring_settings[i]);
            transfer_check_bts(t, program_of_workload(*at), one_ring_settings[i], false);
            test_end(t);
        }
}
