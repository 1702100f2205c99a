/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does recording stop when a machine check comes, and is nothing stored until software turns it on
 * again? Which bits change is open (F10.20), and so is a record of the delivery itself.
 */
#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmu.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/run/machine_check_run.h"
#include "tests/run/run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/compare.h"
#include "tests/spec/observe.h"
#include "tests/spec/samples/sample_events.h"
#include "tests/workloads/machine_check.h"

SUITE(machine_check, .boot_only = true, .unless = machine_check_has_no_lab);

#define TRACE         (DEBUGCTL_TR | DEBUGCTL_BTS)
#define OFF_BITS      (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)
#define WHOLE_RECORDS 128 /* more than workload_rings makes */
#define SAMPLES       16
#define NEAR_OVERFLOW 4          /* events */
#define EVENTS_MOST   100000     /* of the handler's branches */
#define FAR_FROM_IT   0x7fffffff /* more than the rounds have, and short enough for any counter */

static struct machine_check_observation seen;

static const struct bts_layout layout = {.records = MACHINE_CHECK_RECORDS,
                                         .threshold = BTS_NO_THRESHOLD};

/* --- what is open: learnt when it first shows, and held to --- */

static void hold(struct test_context *t, enum choice choice, bool is_changed)
{
    choice_learn(t, choice, is_changed ? VALUE_CHANGED : VALUE_KEPT);
}

/* Bit by bit, as far as they were set. */
static void hold_debugctl(struct test_context *t, uint64_t was)
{
    EXPECT_EQUAL(t, MSR_VALUE, "bits of IA32_DEBUGCTL that a machine check set",
                 seen.debugctl & ~was, 0);
    for (uint64_t left = was; left; left &= left - 1)
        choice_learn(t, CHOICE_MACHINE_CHECK_DEBUGCTL,
                     seen.debugctl & left & -left ? VALUE_KEPT : VALUE_CLEARED,
                     (unsigned)__builtin_ctzll(left));
}

/* A change of ring under an OFF bit is open in itself (F4.33). */
static void hold_delivery(struct test_context *t, const struct machine_check_run *run, bool stored)
{
    if (!(run->debugctl & OFF_BITS))
        choice_learn(t, CHOICE_MACHINE_CHECK_STORED, stored ? VALUE_YES : VALUE_NO,
                     run->user ? 3 : 0);
}

/* --- BTS --- */

/* The branch of the rounds that the record is of, or else the first one that leads where it
 * does. */
static const struct transfer *branch_of(const struct machine_check_run *run,
                                        const struct bts_record *record)
{
    const struct transfer *at = run->user ? rounds_user_round : rounds_round;
    const struct transfer *end = run->user ? rounds_user_round_end : rounds_round_end;
    const struct transfer *alike = NULL;

    for (; at < end; at++) {
        if (at->to == record->to && at->from == record->from)
            return at;
        if (at->to == record->to && !alike)
            alike = at;
    }
    return alike;
}

/* Whether it is a branch of the rounds, or differs from one as an erratum has it. */
static bool is_of_the_rounds(struct test_context *t, const struct machine_check_run *run,
                             const struct bts_record *record, const struct bts_record *before)
{
    const struct transfer *branch = branch_of(run, record);

    if (!branch)
        return FIND(t, RECORD_EXTRA, "no branch ahead of the machine check: %pS -> %pS",
                    (void *)record->from, (void *)record->to);
    return branch->from == record->from ||
           test_find(t, &(struct finding){.kind = FINDING_RECORD_FROM,
                                          .slot = (uint64_t)(record - seen.records),
                                          .expected = branch->from,
                                          .got = record->from,
                                          .previous = before ? before->from : 0,
                                          .first = !before});
}

/* Compares from the newest record back. A full buffer holds only rounds, and perhaps the way into
 * them. */
static void check_records(struct test_context *t, const struct machine_check_run *run)
{
    bool circular = !(run->debugctl & DEBUGCTL_BTINT);
    size_t capacity = limit_capacity(t, MACHINE_CHECK_RECORDS, false);
    size_t newest = (seen.bts_index + capacity - 1) % capacity;
    bool delivered = seen.records[newest].to == idt_entry(VECTOR_MC);

    if (circular)
        hold_delivery(t, run, delivered);
    for (size_t i = circular && delivered; i < capacity - !circular; i++) {
        size_t slot = (newest + capacity - i) % capacity;
        bool is_oldest = i + 1 == capacity - !circular;
        const struct bts_record *before = &seen.records[(slot + capacity - 1) % capacity];

        test_compared(t, 1);
        if (!is_of_the_rounds(t, run, &seen.records[slot], is_oldest ? NULL : before))
            return;
    }
}

static void check_stopped(struct test_context *t, const struct machine_check_run *run)
{
    if (!EXPECT(t, INDEX, seen.bts_index <= MACHINE_CHECK_RECORDS,
                "the BTS index is off its records"))
        return;
    check_records(t, run);
    EXPECT_EQUAL(t, INDEX, "BTS index after branches in the handler, rewound before",
                 seen.bts_in_handler, 0);
    EXPECT_EQUAL(t, INDEX, "BTS index after the handler's IRET and more branches", seen.bts_after,
                 0);
    EXPECT(t, RECORD_EXTRA, !seen.changed, "records were written after the machine check");
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the handler's IRET", seen.debugctl_after,
                 seen.debugctl);
    hold(t, CHOICE_MACHINE_CHECK_DS_AREA, seen.ds_area != (uint64_t)&trace_state()->memory->area);
}

/* Once software has set the bits again, every branch is stored as ever. */
static void check_comes_back(struct test_context *t, uint64_t debugctl)
{
    const struct run run = {
        .debugctl = debugctl,
        .layout = {.records = WHOLE_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };

    if (!observe_run(t, program_of_workload(&workload_rings), &run))
        test_note(t, "that was after the machine check, with IA32_DEBUGCTL set again");
}

static const struct bts_row {
    const char *name;
    struct machine_check_run run;
} bts_rows[] = {
    {"circular", {.debugctl = TRACE}},
    {"circular_interrupts_off", {.debugctl = TRACE, .hold_off_interrupts = true}},
    {"circular_ring3", {.debugctl = TRACE, .user = true}},
    {"btint_full", {.debugctl = TRACE | DEBUGCTL_BTINT}},
    {"off_usr_ring0", {.debugctl = TRACE | DEBUGCTL_BTS_OFF_USR}},
    {"off_os_ring3", {.debugctl = TRACE | DEBUGCTL_BTS_OFF_OS, .user = true}},
};

static void check_bts_row(struct test_context *t, const struct bts_row *row)
{
    const char *refusal = bts_prepare(&layout);

    if ((row->run.debugctl & OFF_BITS) && !feature_present(FEATURE_DS_CPL)) {
        test_skip_without(t, FEATURE_DS_CPL);
        return;
    }
    if (!expect_programmed(t, refusal))
        return;
    if (!machine_check_run(t, &row->run, &seen))
        return;
    test_note(t, "IA32_MCG_STATUS %#lx, bank %u, status %#lx, at %pS", seen.check.global_status,
              seen.check.bank, seen.check.status, (void *)seen.rip);
    check_stopped(t, &row->run);
    hold_debugctl(t, row->run.debugctl);
    check_comes_back(t, row->run.debugctl);
}

TEST(machine_check, stops_branch_records, CLAIMS("DS-5"), NEEDS(BTS, MCE, MCA, SYSCALL))
{
    if (!machine_check_is_possible(t))
        return;
    limit_capacity(t, MACHINE_CHECK_RECORDS, false); /* may measure, and that needs the buffer */
    TEST_EACH(t, row, bts_rows, "DS-5", "%s", row->name)
        check_bts_row(t, row);
}

/* --- PEBS: the counters are brought close to overflow in the handler, and again at its
 * end --- */

/* General-purpose counters that sample: their bits of IA32_PEBS_ENABLE and the global registers. */
static uint64_t sampled_counters(void)
{
    return pebs_counters() & (PEBS_GENERAL(PEBS_GENERAL_RESETS) - 1);
}

static struct counter lowest_of(uint64_t counters)
{
    return (struct counter){.number = (unsigned)__builtin_ctzll(counters)};
}

static void write_periods(uint64_t period)
{
    for (uint64_t left = sampled_counters(); left; left &= left - 1)
        pmu_write_period(lowest_of(left), period);
}

static void approach_overflow(void)
{
    uint64_t control = pmu_global_control();

    pmu_set_global_control(0);
    write_periods(NEAR_OVERFLOW);
    pmu_set_global_control(control);
}

static enum pmu_event sampled_event;

static void start_sampling(void)
{
    write_periods(FAR_FROM_IT);
    for (uint64_t left = sampled_counters(); left; left &= left - 1)
        pmu_program(lowest_of(left), sampled_event, COUNTER_OS | COUNTER_USR);
    pebs_make_adaptive(sampled_counters());
    pebs_enable(sampled_counters());
    pmu_set_global_control(sampled_counters());
}

static void stop_sampling(void)
{
    pmu_set_global_control(0);
    pebs_disable();
    pmu_reset();
}

/* Whatever a machine check left that came too early: a record, an overflow, counters that run. */
static bool prepare_sampling(struct test_context *t)
{
    struct pebs_layout samples = {.records = SAMPLES, .threshold = PEBS_NO_THRESHOLD};
    const char *refusal;

    stop_sampling();
    refusal = bts_prepare(&layout);
    for (uint64_t left = sampled_counters(); left; left &= left - 1)
        samples.reset[lowest_of(left).number] =
            -(uint64_t)FAR_FROM_IT & pmu_counter_mask(lowest_of(left));
    if (!refusal)
        refusal = pebs_prepare(&samples);
    return expect_programmed(t, refusal);
}

/* Counters that began again from their reset values. */
static uint64_t reloaded_counters(void)
{
    uint64_t bits = 0;

    for (uint64_t left = sampled_counters(); left; left &= left - 1) {
        struct counter counter = lowest_of(left);

        if (((pmu_read(counter) + FAR_FROM_IT) & pmu_counter_mask(counter)) < EVENTS_MOST)
            bits |= left & -left;
    }
    return bits;
}

/* The handler's very steps without a machine check store a record of each counter, or of several:
 * else their storing none after one would prove nothing. */
static bool check_rehearsal(struct test_context *t, const char *when)
{
    uint64_t reloaded;
    size_t index;

    if (!prepare_sampling(t))
        return false;
    start_sampling();
    approach_overflow();
    machine_check_branches();
    index = pebs_index();
    pmu_set_global_control(0);
    reloaded = reloaded_counters();
    stop_sampling();
    return EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, index, 1, PEBS_GENERAL_RESETS,
                          "%zu PEBS records %s, of counters %#lx", index, when,
                          sampled_counters()) &&
           EXPECT(t, COUNT_LOW, reloaded == sampled_counters(),
                  "counters %#lx began again, of %#lx", reloaded, sampled_counters());
}

static void check_sampling(struct test_context *t, uint64_t debugctl)
{
    const struct machine_check_run run = {.debugctl = debugctl,
                                          .prepare = prepare_sampling,
                                          .start = start_sampling,
                                          .provoke = approach_overflow};
    bool came;

    if (!check_rehearsal(t, "before any machine check"))
        return;
    came = machine_check_run(t, &run, &seen);
    stop_sampling();
    if (!came)
        return;
    EXPECT_COUNT(t, PEBS, "PEBS records in the handler", seen.pebs_in_handler, 0);
    EXPECT_COUNT(t, PEBS, "PEBS records after the handler's IRET", seen.pebs_after, 0);
    EXPECT(t, PEBS_EXTRA, pebs_record_is_poison(0),
           "a PEBS record was written after the machine check");
    if (debugctl)
        check_stopped(t, &run);
    hold(t, CHOICE_MACHINE_CHECK_PEBS_ENABLE, seen.pebs_enable != sampled_counters());
    check_rehearsal(t, "with IA32_PEBS_ENABLE set again");
}

TEST(machine_check, stops_pebs_records, CLAIMS("DS-5"), NEEDS(PEBS_RECORDS, MCE, MCA))
{
    sampled_event = sample_any_event(t);
    if (!sample_is_possible(t, sampled_event) || !machine_check_is_possible(t))
        return;
    test_plan(t, 2);
    test_begin(t, "DS-5", "pebs_alone");
    check_sampling(t, 0);
    test_end(t);
    test_begin(t, "DS-5", "pebs_and_bts");
    if (feature_present(FEATURE_BTS))
        check_sampling(t, TRACE);
    else
        test_skip_without(t, FEATURE_BTS);
    test_end(t);
}
