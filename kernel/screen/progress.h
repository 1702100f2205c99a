/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes on, for the person at the screen. The log has none of it. */
#ifndef KERNEL_SCREEN_PROGRESS_H
#define KERNEL_SCREEN_PROGRESS_H

#include <stdint.h>

#include "kernel/report/ktap.h"
#include "kernel/report/selection.h"

#define PROGRESS_SUITES 64u /* more than there are; later ones are not listed */
#define PROGRESS_CELLS  32u /* of a suite's grid */

enum progress_mark {
    MARK_WAITING,
    MARK_RUNNING,
    MARK_OK,
    MARK_SKIPPED,
    MARK_KNOWN,   /* failed as errata of this processor have it */
    MARK_STARVED, /* had too little time */
    MARK_FAILED,
};

#define PROGRESS_NAME_SIZE 32u

struct progress_suite {
    char name[PROGRESS_NAME_SIZE]; /* with its place: "lbr@E2" */
    enum progress_mark mark;
    struct ktap_totals tests;
    uint64_t microseconds; /* that it took so far */
};

struct progress {
    struct progress_suite suites[PROGRESS_SUITES];
    unsigned suite_count, suite;   /* the one that runs; suite_count behind the last */
    const struct suite_grid *grid; /* NULL: no such suite was chosen */
    enum progress_mark cells[PROGRESS_CELLS];
    struct ktap_totals tests;         /* of all suites */
    const struct test *test;          /* the one that runs, */
    unsigned number;                  /* … in its suite, from 1, */
    uint64_t repetition, repetitions; /* … from 0 */
    uint64_t seconds;                 /* after which it began */
};

/* These tests will run, in this order, behind those that were told before; all: with what is
 * declared of their suites; place: what stands behind the names of suites. */
void progress_plan(const struct selection *chosen, const struct selection *all, const char *place);

/* Now they begin. */
void progress_start(uint64_t repetitions);

/* The next one begins, or its next repetition. What is skipped need not begin. */
void progress_begin(const struct test *test, uint64_t repetition);

/* The same in a soak, or what another one does goes on there: test NULL. */
void progress_soak(const struct test *test);

const struct progress *progress(void);

#endif
