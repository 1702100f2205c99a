/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workers (kernel/run/workers.h): what all processors know of them, and what a worker calls. */
#ifndef KERNEL_RUN_WORKER_H
#define KERNEL_RUN_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"
#include "kernel/console/ktap_ring.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/report/test.h"
#include "kernel/run/outcome.h"

#define WORKERS_MAX 255u

enum worker_state {
    WORKER_WAITS, /* it is not started */
    WORKER_STARTS,
    WORKER_RUNS,
    WORKER_DONE,
    WORKER_REFUSED, /* worker->wrong says why it runs nothing */
    WORKER_LOST,    /* it hung, and nothing could bring it back */
};

/* Shared memory of a worker and the processor that booted. */
struct worker {
    unsigned slot, number; /* kernel/machine/cpu_label.h */
    uint32_t apic_id;
    uint64_t image;          /* physical address of its private image */
    struct ktap_ring *log;   /* at the same address in both images */
    enum worker_state state; /* written by both: worker_state() */
    const char *wrong;
    const struct options *options; /* an address in its private image */
    unsigned processors;           /* number of those that run tests */
    uint64_t soak;                 /* microseconds of its soak */
    const struct test *test;       /* running test, or NULL */
    unsigned signs;                /* of life, a count: TSCs may differ (F14.17) */
    uint64_t patience;             /* microseconds in which the next sign must come */
    int64_t tsc_ahead;             /* ticks; processor_tsc_ahead() */
    bool is_called;                /* by an NMI, because its time is up */

    /* Valid when it is done. */
    struct outcome outcome;
    unsigned errata[ERRATA_MAX]; /* findings that each erratum explains */
    unsigned repeated;           /* runs of tests that something disturbed */
};

unsigned worker_count(void);

/* Worker `i`, from 0; NULL past the last. */
const struct worker *worker_at(unsigned i);

/* The worker's cpu_label_suffix(), "@E2". Returns text. */
#define WORKER_SUFFIX_SIZE (CPU_LABEL_SIZE + 1)
char *worker_suffix(const struct worker *worker, char text[WORKER_SUFFIX_SIZE]);

/* Its identity; NULL before any processor has probed it. */
const struct cpu_identity *worker_identity(const struct worker *worker);

/* Atomic, because two processors write the state. */
enum worker_state worker_state(const struct worker *worker);
void worker_set_state(struct worker *worker, enum worker_state state);

/* For workers.c: the array of workers; and adding one. */
struct worker *workers_all(void);
void workers_add(void);

/* --- called by a worker; on the processor that booted these do nothing --- */

/* A function that runs the tests planned for the worker; soak: microseconds of its soak. */
typedef void (*worker_run)(const struct options *options, uint64_t soak);

/* Sets that function, before the private images are made. */
void worker_runs(worker_run run);

/* Entry of a worker; argument is its struct worker. */
void worker_main(void *argument) __attribute__((noreturn));

bool worker_is_here(void);

/* Before a test: waits until the log has room for a test's lines. */
void worker_waits_for_room(void);

/* Gives a sign of life; the next comes within so many microseconds. */
void worker_lives(const struct test *test, uint64_t microseconds);

/* Ends the worker's run, for whatever reason. */
void worker_ends(void) __attribute__((noreturn));

#endif
