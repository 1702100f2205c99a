/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor's side of a walk: does one step and reads everything. It may run on another
 * processor than the one that judges, so it logs nothing.
 */
#ifndef TESTS_WALK_WALK_MACHINE_H
#define TESTS_WALK_WALK_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/lbr.h"
#include "arch/trace/pmi.h"
#include "tests/run/facility.h"
#include "tests/walk/reference.h"
#include "tests/walk/walk_draw.h"
#include "tests/workloads/burst.h"

#define WALK_EVENTS         16
#define WALK_OPERATIONS_MAX 10 /* of one burst, with its end; a step has at most two */
#define WALK_AREA_BYTES     1024u
#define WALK_BUFFER_BYTES   4096u

/* The memory of one DS save area and its buffer. The area lies anywhere in the first member. */
struct walk_zone {
    uint8_t area[WALK_AREA_BYTES];
    uint8_t buffer[WALK_BUFFER_BYTES];
};

/* All that can be seen after a step. */
struct walk_seen {
    uint64_t debugctl, control, status; /* burst: right before its end */
    struct facility_look off;           /* while all is off; without the sum over the LBR stack */
    struct lbr_snapshot lbr;
    bool pending;
    size_t interrupts;
    struct pmi_event events[WALK_EVENTS];
    uint64_t index_at[WALK_EVENTS];   /* the index field as each interrupt found it */
    size_t operation_at[WALK_EVENTS]; /* burst: operations that had begun by then */
    bool smi;                         /* an SMI came meanwhile */
};

/* A job for the processor, and its result. */
struct walk_job {
    const struct walk_step *step;                           /* a step that is no burst, or NULL */
    struct burst_operation operations[WALK_OPERATIONS_MAX]; /* the burst, if step is NULL */
    struct burst burst;                                     /* runs the operations */
    const struct workload *entry_points; /* of the code that they call, or NULL */
    bool interrupts_open;
    bool wants_interrupt; /* wait a while until the interrupt is pending */
    struct reference *reference;
    uint64_t area_address[REFERENCE_AREAS];
    struct walk_zone *zones; /* in the processor's own memory */
    struct pmi_log log;
    struct walk_seen seen;
    const char *wrong; /* walk_open(), walk_close(): what went wrong, or NULL */
};

/* Run on the processor of the walk; `job` is a struct walk_job. walk_apply() does what the job
 * says, and the first two fill in `seen`. */
void walk_open(void *job);
void walk_apply(void *job);
void walk_close(void *job);

/* The code that runs bursts on this processor. */
const struct burst_code *walk_burst_code(void);

/* The management area that IA32_DS_AREA points at. */
struct ds_management_area *walk_area(const struct walk_job *job);

#endif
