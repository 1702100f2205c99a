/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page while tests run: the machine, the suites with states and times, the grid of the suite
 * that has one, failures, the running test and the progress. The layout depends on the room. Pure.
 */
#ifndef KERNEL_SCREEN_DASHBOARD_H
#define KERNEL_SCREEN_DASHBOARD_H

#include "kernel/report/machine.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "kernel/report/verdict.h"
#include "kernel/screen/screen_page.h"
#include "kernel/report/summary.h"

#define PROGRESS_SUITES 64u /* more than there are; later ones are not listed */
#define PROGRESS_CELLS  32u /* of a suite's grid */

enum progress_mark {
    MARK_WAITING,
    MARK_RUNNING,
    MARK_OK,
    MARK_SKIPPED,
    MARK_KNOWN,   /* failed as errata of this processor explain */
    MARK_STARVED, /* had too little time */
    MARK_FAILED,
};

#define PROGRESS_NAME_SIZE 32u

struct progress_suite {
    char name[PROGRESS_NAME_SIZE]; /* with suffix: "lbr@E2" */
    enum progress_mark mark;
    struct ktap_totals tests;
    uint64_t microseconds; /* spent so far */
};

struct progress {
    struct progress_suite suites[PROGRESS_SUITES];
    unsigned suite_count, suite;   /* suite: the running one, suite_count after the last */
    const struct suite_grid *grid; /* NULL: no such suite was chosen */
    enum progress_mark cells[PROGRESS_CELLS];
    struct ktap_totals tests;         /* of all suites */
    const struct test *test;          /* the running one */
    unsigned number;                  /* its number in its suite, from 1 */
    uint64_t repetition, repetitions; /* from 0; and their number */
    uint64_t seconds;                 /* from the start until it began */
};

struct dashboard {
    const struct progress *progress;
    const struct summary *summary;
    const struct machine_name *machine;
};

/* Writes the first rows of every page, with machine and version. Returns the next free row. */
unsigned dashboard_put_head(struct screen_page *page, const struct machine_name *machine);

/* page: started, and as large as the screen. */
void dashboard_fill(struct screen_page *page, const struct dashboard *dashboard);

#endif
