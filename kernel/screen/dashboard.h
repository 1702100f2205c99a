/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen shows while tests run: the machine; the suites with their states and times; the
 * grid of the suite that has one; what failed; the running test and how far the run has come. What
 * there is room for decides where it stands. Pure.
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

struct dashboard {
    const struct progress *progress;
    const struct summary *summary;
    const struct machine_name *machine;
};

/* The rows that every page begins with: who was tested, and by what. Returns the first that is
 * free. */
unsigned dashboard_put_head(struct screen_page *page, const struct machine_name *machine);

/* The page has been started, and is as large as the screen. */
void dashboard_fill(struct screen_page *page, const struct dashboard *dashboard);

#endif
