/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processors trace at the same time, each into its own buffer (claim ISR-4). They begin
 * together, and each keeps its interrupt routine until both have ended.
 */
#ifndef TESTS_RUN_SIDE_BY_SIDE_H
#define TESTS_RUN_SIDE_BY_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/run.h"

#define SIDE_RECORDS_MAX 4096
#define SIDE_EVENTS_MAX  256

/* One processor's part. Too large for the stack. */
struct side {
    struct run run; /* IA32_DEBUGCTL, the layout, LBR and the interrupt; must be first */
    struct program program;
    uint64_t counter_period; /* instructions until the counter overflows and interrupts; 0: off */
    struct counter counter;
    size_t circle; /* if the buffer is to wrap: how many records it holds; with PMI_COUNT */
    unsigned counter_rings; /* COUNTER_OS, COUNTER_USR; 0: both */

    /* Results. */
    const char *wrong;       /* why it could not run, or NULL */
    struct observation seen; /* with all records, drained, oldest first */
    struct pmi_log log;
    struct pmi_event events[SIDE_EVENTS_MAX];
    struct bts_record records[SIDE_RECORDS_MAX];
    uint64_t ds_area_end;
    uint64_t overflowed; /* counters, as bits, that an interrupt or the end found overflowed */
    uint64_t counted;    /* the counter at the end */
    uint64_t status;     /* IA32_PERF_GLOBAL_STATUS at the end */
    uint64_t selected;   /* MSR_LBR_SELECT likewise, if the run set it */
    uint64_t event;      /* IA32_PERFEVTSELx of the counter, as set and at the end */
    uint64_t event_end;
    const char *stray; /* what was written out of bounds, or NULL */
};

/* Runs sides[0] on this processor and sides[1] on processor `index`, which was started. False after
 * a test_fail(). */
bool side_by_side(struct test_context *t, unsigned index, struct side sides[2]);

/* Fails the test unless the side's save area holds exactly its own records. processor: whose side
 * it is. */
void side_expect_records(struct test_context *t, unsigned processor, const struct side *side);

/* The same, and IA32_DEBUGCTL must be as it was set. */
void side_expect_trace(struct test_context *t, unsigned processor, const struct side *side);

#endif
