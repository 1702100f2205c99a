/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two processors that trace at the same time, each into its own buffer (ISR-4): both begin
 * together, and neither takes its interrupt routine away before the other has ended too.
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

/* One processor's part. Large: not for the stack. */
struct side {
    struct run run; /* IA32_DEBUGCTL, the layout, LBR and the interrupt; must be first */
    struct program program;
    uint64_t counter_period; /* instructions until the counter overflows and interrupts; 0: off */
    struct counter counter;
    size_t circle;          /* records that the buffer holds, if it is to wrap: with PMI_COUNT */
    unsigned counter_rings; /* COUNTER_OS, COUNTER_USR; 0: both */

    /* Results. */
    const char *wrong; /* why it could not run, or NULL */
    struct seen seen;  /* its records: all, drained; oldest first */
    struct pmi_log log;
    struct pmi_event events[SIDE_EVENTS_MAX];
    struct bts_record records[SIDE_RECORDS_MAX];
    uint64_t ds_area_end;
    uint64_t overflowed; /* counters' bits of IA32_PERF_GLOBAL_STATUS at the end */
    uint64_t counted;    /* the counter at the end */
    uint64_t status;     /* IA32_PERF_GLOBAL_STATUS at the end */
    uint64_t selected;   /* MSR_LBR_SELECT likewise, where the run had one */
    uint64_t event;      /* IA32_PERFEVTSELx of the counter, as set and at the end */
    uint64_t event_end;
    const char *stray; /* what was written to out of bounds, or NULL */
};

/* Runs sides[0] here and sides[1] on the started processor. False after a test_fail(). */
bool side_by_side(struct test_context *t, unsigned index, struct side sides[2]);

/* Exactly its own records, in its own save area. processor: for the text. */
void side_expect_records(struct test_context *t, unsigned processor, const struct side *side);

/* The same, and IA32_DEBUGCTL as it was set. */
void side_expect_trace(struct test_context *t, unsigned processor, const struct side *side);

#endif
