/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets counters run around a workload of known size, and keeps all that can be seen of it. The
 * expectation comes from the workload's own sums, never from a counter.
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
 * A count may differ from the truth by so much: the two WRMSR of the bracket, and what a model adds
 * or leaves out where counting starts and stops (F6.27); the same again where rings are crossed,
 * with what far transfers and an interrupt on the way may add.
 */
#define COUNT_SLACK 4

struct counting_item {
    struct counter counter;
    enum pmu_event event; /* of a general-purpose counter; a fixed one has its own */
    unsigned flags;       /* COUNTER_… */
    uint64_t start;
    uint64_t value; /* result: read right after the run */
};

struct counting {
    const struct counted_workload *workload;
    uint64_t iterations;
    bool interrupts_open; /* else IF = 0 while the counters run */
    bool own_enable;      /* one item: IA32_PERF_GLOBAL_CTRL comes first, its own control last */
    bool once; /* not repeated when an SMI came: it is wanted, or each run leaves traces */
    unsigned count;
    struct counting_item items[PMU_COUNTERS_MAX];
    uint64_t status;         /* result: pmu_status() & pmu_status_mask() after the run */
    uint64_t global_control; /* result: what it was while the counters ran, read at the end */
};

/* Adds a counter that starts at 0 and counts in both rings. */
struct counting_item *counting_add(struct counting *counting, struct counter counter,
                                   enum pmu_event event);

/*
 * Programs the counters, enables them all by one write, runs the workload, disables them by one
 * write, reads. They stay programmed, and disabled; counting_end() puts everything off. Version 1
 * has no global control: there must be one counter, which its own select enables. All of it again
 * when a system management interrupt came meanwhile.
 */
void counting_run(struct counting *counting);

/* Runs the workload again without touching any counter's control. */
void counting_run_workload(const struct counting *counting);
void counting_end(void);

/* What the item has counted. */
uint64_t counting_counted(const struct counting_item *item);

/* Instructions or branches that the workload and the bracket retire in the rings of the flags. */
uint64_t counting_truth(const struct counting *counting, enum pmu_event event, unsigned flags);
uint64_t counting_slack(const struct counting *counting);

/* Is the event one whose count the truth knows? */
bool counting_is_exact(enum pmu_event event);

/* counting_run(), and the item's count; the least of three runs, for a system management interrupt
 * adds what is not the workload's, and not every processor tells of one. One item. */
uint64_t counting_measure(struct counting *counting);

/*
 * The event by which a test makes this counter count: what a fixed counter has; of the available
 * ones, one that every run of a workload causes. PMU_EVENT_COUNT where there is none;
 * counting_event() then ends the subtest as skipped.
 */
enum pmu_event counting_event_of(struct counter counter);
enum pmu_event counting_event(struct test_context *t, struct counter counter);

/* Adds the counter, set up to overflow early in the workload. False when it cannot be made to
 * count. */
bool counting_prepare(struct test_context *t, struct counting *counting, struct counter counter,
                      unsigned flags);

/* The counters that can count this event. Returns how many. */
unsigned counting_counters_of(enum pmu_event event, struct counter *list);

/* One subtest for each counter, named "pmc0_48_bits". Claims may be NULL. Afterwards all is off. */
typedef void counting_body(struct test_context *t, struct counter counter);
/* Circumstances of a finding about this counter. */
unsigned counting_circumstances(struct counter counter);

void counting_each(struct test_context *t, const char *general_claim, const char *fixed_claim,
                   counting_body *body);
void counting_each_general(struct test_context *t, counting_body *body);

/* Fails when the count is not the truth of the item's flags, give or take the slack. */
void counting_expect(struct test_context *t, const struct counting *counting, enum pmu_event event,
                     unsigned flags, uint64_t counted);

#endif
