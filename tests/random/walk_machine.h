/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor's side of a walk: does one thing, and looks at everything. What is here runs on the
 * processor that walks, which may be another than the one that judges: it says nothing.
 */
#ifndef TESTS_RANDOM_WALK_MACHINE_H
#define TESTS_RANDOM_WALK_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/ds.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pmi.h"
#include "tests/oracle/reference.h"
#include "tests/random/walk.h"
#include "tests/workloads/burst.h"

#define WALK_EVENTS         16
#define WALK_OPERATIONS_MAX 10 /* of one burst, its end included; of a step two */
#define WALK_AREA_BYTES     1024u
#define WALK_BUFFER_BYTES   4096u

/* The memory of one area and its buffer: the area lies anywhere in the first part. */
struct walk_zone {
    uint8_t area[WALK_AREA_BYTES];
    uint8_t buffer[WALK_BUFFER_BYTES];
};

/* All that can be seen after a step. */
struct walk_seen {
    uint64_t debugctl, control, status_live; /* of a burst: right before its end */
    uint64_t debugctl_off, control_off;      /* while all is off */
    uint64_t status, select, pebs_enable, ds_area, fixed_control;
    uint64_t value[WALK_COUNTERS], event_select[WALK_COUNTERS];
    struct lbr_snapshot lbr;
    bool lvt_masked, pending;
    size_t interrupts;
    struct pmi_event events[WALK_EVENTS];
    uint64_t index_at[WALK_EVENTS];   /* the index field as each interrupt found it */
    size_t operation_at[WALK_EVENTS]; /* of a burst: operations that had begun by then */
    bool smi;                         /* one came meanwhile */
};

/* What is asked of the processor, and what came of it. */
struct walk_job {
    const struct walk_step *step;                           /* one that is not live, or NULL */
    struct burst_operation operations[WALK_OPERATIONS_MAX]; /* NULL: these */
    struct burst burst;                                     /* what runs them */
    const struct workload *landings;                        /* of what they call, or NULL */
    bool interrupts_open;
    bool wants_interrupt; /* wait a while until it is pending */
    struct reference *reference;
    uint64_t area_address[REFERENCE_AREAS];
    struct walk_zone *zones; /* in the processor's own memory */
    struct pmi_log log;
    struct walk_seen seen;
    const char *wrong; /* NULL, or why it could not be done */
};

void walk_open(void *job);
void walk_apply(void *job);
void walk_close(void *job);

/* What does the bursts on this processor. */
const struct burst_code *walk_burst_code(void);

/* The counters of a walk: those that exist, general-purpose ones first, at most so many. */
unsigned walk_counters(struct counter *list);

#endif
