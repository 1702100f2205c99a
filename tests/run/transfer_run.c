/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/transfer_run.h"

#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/exception.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/expected.h"
#include "tests/oracle/trace_check.h"
#include "tests/oracle/lbr_check.h"
#include "tests/oracle/mode.h"

#define RECORDS 64 /* more than any workload here leaves */

/* Where an interrupt struck the processor itself has said: that goes into the truth (F4.3). */
static const struct program *with_interrupted_address(const struct program *program)
{
    static struct program known;

    if (!(program->workload->flags & WORKLOAD_INTERRUPTED))
        return program;
    known = *program;
    for (size_t i = 0; i < known.count; i++) {
        if (known.truth[i].from == 0)
            known.truth[i].from = interrupted_at;
        if (known.truth[i].to == 0)
            known.truth[i].to = interrupted_at;
    }
    return &known;
}

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

static bool check_bts(struct test_context *t, const struct program *program, const struct run *run)
{
    struct observation got;

    if (!run_program(t, program, run, &got))
        return false;
    got.program = with_interrupted_address(program);
    return trace_check(t, run, &got);
}

bool transfer_check_bts(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off)
{
    const struct run run = run_of_bts(debugctl, hold_off);

    return check_bts(t, program, &run);
}

size_t transfer_count_stored(struct test_context *t, const struct program *program,
                             uint64_t debugctl)
{
    const struct expected *expected = expected_of(t, program, debugctl, NULL);
    size_t count = 0;

    for (size_t i = 0; expected && i < expected->count; i++)
        count += !expected->records[i].open;
    return count;
}

/* What is open before the run has been seen in it, or lies in the way of no threshold. */
static bool check_interrupts(struct test_context *t, const struct run *run,
                             const struct observation *got)
{
    bool interrupts = mode_row_of(run->debugctl)->interrupts;
    size_t least = transfer_count_stored(t, got->program, run->debugctl);
    const struct expected *expected = expected_of(t, got->program, run->debugctl, NULL);
    size_t most = expected ? expected->count : 0, threshold = run->layout.threshold;

    return EXPECT_BETWEEN(t, PMI_MISSING, PMI_EXTRA, got->interrupts,
                          interrupts && least >= threshold, interrupts && most >= threshold,
                          "%zu records of the program, threshold %zu: %zu interrupts", least,
                          threshold, got->interrupts);
}

/* Besides the row of Table 17-6, which the subtest names. */
static bool or_breaks(struct test_context *t, bool held, const char *claim)
{
    if (!held)
        test_breaks(t, claim);
    return held;
}

bool transfer_check_threshold(struct test_context *t, const struct program *program,
                              uint64_t debugctl, bool hold_off, size_t threshold)
{
    bool interrupts = mode_row_of(debugctl)->interrupts;
    const struct run run = {
        .debugctl = debugctl,
        .layout = {.records = RECORDS, .threshold = threshold},
        .policy = PMI_COUNT,
        .delivery = interrupts && hold_off ? APIC_DELIVERY_NMI : APIC_DELIVERY_FIXED,
        .hold_off_interrupts = hold_off,
        .once = hold_off, /* the interrupt that waits comes once */
        .interrupts_wanted = interrupts && transfer_count_stored(t, program, debugctl) >= threshold,
    };
    struct observation got;
    bool held;

    if (!run_program(t, program, &run, &got))
        return false;
    got.program = with_interrupted_address(program);
    held = or_breaks(t, trace_check(t, &run, &got), "BTS-1");
    held &= or_breaks(t, check_interrupts(t, &run, &got), "BTS-5");
    return held;
}

static struct run run_of_lbr(uint64_t debugctl, bool hold_off)
{
    return (struct run){
        .debugctl = debugctl, .lbr = true, .hold_off_interrupts = hold_off, .once = hold_off};
}

/* In a program that halts, the first transfer after HLT: the interrupt that ends it. */
static size_t first_after_hlt(const struct program *program)
{
    size_t i = 0;

    while (i < program->count && program->truth[i].kind != TRANSFER_INTERRUPT)
        i++;
    return i;
}

/* The entry that was the newest when it halted holds nothing any more. */
static bool halt_lost_entries(const struct program *program, const struct lbr_result *result)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t age = program->count - first_after_hlt(program);

    return first_after_hlt(program) > 0 && age < lbr_entries_of(&result->after, entries) &&
           !entries[age].from && !entries[age].to;
}

/* A halt so deep that the stack is lost (F8.6, F20.38) leaves what came after it. */
static bool compare_after_hlt(struct test_context *t, const struct program *program,
                              const struct run *run, const struct lbr_result *result)
{
    bool lost = halt_lost_entries(program, result);
    size_t first = first_after_hlt(program);

    choice_learn(t, CHOICE_HALT_LOSES_LBR, lost ? VALUE_YES : VALUE_NO);
    if (lost)
        return lbr_compare_newest(t, program->truth + first, program->count - first, result);
    return lbr_compare(t, program->truth, program->count, run->select, result);
}

static bool check_lbr(struct test_context *t, const struct program *program, const struct run *run)
{
    struct observation seen;

    if (!run_program(t, program, run, &seen))
        return false;
    program = with_interrupted_address(program);
    if (program->workload == &workload_kernel_hlt)
        return compare_after_hlt(t, program, run, &seen.lbr);
    return lbr_compare(t, program->truth, program->count, run->select, &seen.lbr);
}

bool transfer_check_lbr(struct test_context *t, const struct program *program, uint64_t debugctl,
                        bool hold_off)
{
    const struct run run = run_of_lbr(debugctl, hold_off);

    return check_lbr(t, program, &run);
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

bool transfer_check_bts_counting(struct test_context *t, const struct program *program,
                                 uint64_t debugctl, bool hold_off)
{
    struct run run = run_of_bts(debugctl, hold_off);
    bool held;

    run.ahead = start_counting;
    run.behind = run_stop_counting;
    held = check_bts(t, program, &run);
    return expect_counted(t) && held;
}

bool transfer_check_lbr_counting(struct test_context *t, const struct program *program,
                                 uint64_t debugctl, bool hold_off)
{
    struct run run = run_of_lbr(debugctl, hold_off);
    bool held;

    run.ahead = start_counting;
    run.behind = run_stop_counting;
    held = check_lbr(t, program, &run);
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
