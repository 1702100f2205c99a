/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a workload of known size under counters and keeps their values. The expected count comes
 * from the workload's own sums, never from a counter.
 */
#ifndef TESTS_RUN_COUNTING_H
#define TESTS_RUN_COUNTING_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/workloads/counted.h"
#include "tests/workloads/workload.h"

/*
 * By how much a count may differ from the truth: by the two WRMSR of the bracket, and by what a
 * model adds or leaves out where counting starts and stops (F6.27). counting_slack() doubles it
 * where rings are crossed, and adds what far transfers and an interrupt may count.
 */
#define COUNT_SLACK 4

struct counting_item {
    struct counter counter;
    enum pmu_event event; /* for a general-purpose counter; a fixed counter has its own event */
    unsigned flags;       /* COUNTER_… */
    uint64_t start;
    uint64_t value; /* result: read right after the run */
};

struct counting {
    const struct counted_workload *workload;
    uint64_t iterations;
    bool interrupts_open; /* else IF = 0 while the counters run */
    bool own_enable;      /* one item: its own control is written last, not the global one */
    bool once; /* do not repeat the run if an SMI came: the test wants one, or runs add up */
    bool changes_registers; /* the workload, or an interrupt's routine; the test checks them */
    unsigned count;
    struct counting_item items[PMU_COUNTERS_MAX];
    uint64_t status;         /* result: pmu_status() & pmu_status_mask() after the run */
    uint64_t global_control; /* result: IA32_PERF_GLOBAL_CTRL, read at the end of the run */
};

/* Adds a counter that starts at 0 and counts in both rings. */
struct counting_item *counting_add(struct counting *counting, struct counter counter,
                                   enum pmu_event event);

/*
 * Programs the counters, enables all by one write, runs the workload, disables all by one write,
 * and reads them. They stay programmed until counting_end() switches everything off. Perfmon
 * version 1 has no global control, so there a run takes one counter, enabled by its
 * IA32_PERFEVTSELx. The run is repeated if a system management interrupt came. Fails the test for
 * each register that it changed although nothing may have changed it; t: NULL: compares nothing.
 */
void counting_run(struct test_context *t, struct counting *counting);

/* Runs the workload again without touching any counter's control. */
void counting_run_workload(const struct counting *counting);
void counting_end(void);

/* How many events the counter counted, from its start value on. */
uint64_t counting_counted(const struct counting_item *item);

/* How many instructions or branches the workload and the bracket retire in the rings of the
 * flags. */
uint64_t counting_truth(const struct counting *counting, enum pmu_event event, unsigned flags);
uint64_t counting_slack(const struct counting *counting);

/* Does the truth know how often this event happens? */
bool counting_is_exact(enum pmu_event event);

/* Runs counting_run() three times and returns the least count of its one item. A system management
 * interrupt adds to a count, and not every processor reports one. */
uint64_t counting_measure(struct test_context *t, struct counting *counting);

/*
 * The event by which a test makes this counter count: a fixed counter's own, otherwise an available
 * one that every run of a workload causes. PMU_EVENT_COUNT if there is none; counting_event() then
 * ends the subtest as skipped.
 */
enum pmu_event counting_event_of(struct counter counter);
enum pmu_event counting_event(struct test_context *t, struct counter counter);

/* Adds a counter, the first of this counting, so that it overflows early in the workload. False,
 * after a finding or a test_skip(), if it cannot be made to count. */
bool counting_prepare(struct test_context *t, struct counting *counting, struct counter counter,
                      unsigned flags);

/* Writes the counters that can count this event to `list`. Returns how many. */
unsigned counting_counters_of(enum pmu_event event, struct counter *list);

typedef void counting_body(struct test_context *t, struct counter counter);
/* UNDER(…) bits: circumstances of a finding about this counter, for errata. */
unsigned counting_circumstances(struct counter counter);

/* One subtest for each counter, with a name like "pmc0_48_bits". Claims may be NULL. Each subtest
 * ends with counting_end(). */
void counting_each(struct test_context *t, const char *general_claim, const char *fixed_claim,
                   counting_body *body);
void counting_each_general(struct test_context *t, counting_body *body);

/* Fails the test if the count differs from the truth for these flags by more than the slack. */
void counting_expect(struct test_context *t, const struct counting *counting, enum pmu_event event,
                     unsigned flags, uint64_t counted);

/*
 * By how much a counter of instructions or branches may exceed those retired: on Atoms a far
 * transfer counts as two (F21.32), and a delivery may count (F6.54). Returns the most that
 * `deliveries` add, each with the far transfer that ends its handler, and `transfers` other far
 * transfers, with IRET, SYSCALL and SYSRET among them.
 */
uint64_t far_count_excess(uint64_t transfers, uint64_t deliveries);

#endif
