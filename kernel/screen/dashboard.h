/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that the screen shows before the final ones. While tests run, the page has the machine,
 * the suites with states and times, the grid of a suite that has one (kernel/report/selection.h),
 * failures, the running test and the progress. The layout depends on the screen's size. Pure.
 */
#ifndef KERNEL_SCREEN_DASHBOARD_H
#define KERNEL_SCREEN_DASHBOARD_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/machine.h"
#include "kernel/report/selection.h"
#include "kernel/report/soak_stats.h"
#include "kernel/report/summary.h"
#include "kernel/report/verdict.h"
#include "kernel/screen/screen_page.h"

#define PROGRESS_SUITES 64u /* more than exist; any further ones would not be listed */
#define PROGRESS_CELLS  32u /* of a suite's grid */

enum progress_mark {
    MARK_WAITING,
    MARK_RUNNING,
    MARK_OK,
    MARK_SKIPPED,
    MARK_KNOWN,   /* failed, and errata of this processor explain why */
    MARK_STARVED, /* had too little time */
    MARK_FAILED,
};

#define PROGRESS_NAME_SIZE 32u

struct progress_suite {
    char name[PROGRESS_NAME_SIZE]; /* with the processor's suffix: "lbr@E2" */
    enum progress_mark mark;
    struct ktap_totals tests;
    uint64_t microseconds; /* spent so far */
};

struct progress {
    struct progress_suite suites[PROGRESS_SUITES];
    unsigned suite_count, suite;   /* suite: the running one; suite_count after the last */
    const struct suite_grid *grid; /* NULL: no chosen suite has one */
    enum progress_mark cells[PROGRESS_CELLS];
    unsigned places[PROGRESS_CELLS];  /* of failed cells: where the findings lie */
    struct ktap_totals tests;         /* of all suites */
    const struct test *test;          /* the running one */
    unsigned number;                  /* its number in its suite, from 1 */
    uint64_t repetition, repetitions; /* the running one, from 0; how many there are */
    uint64_t seconds;                 /* from the start of the run until this test began */
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

/* Adds processor and hypervisor, signature and microcode, firmware; with_board: also the board. If
 * the log should go to the serial line and cannot, adds the reason. */
void machine_add_lines(struct screen_flow *flow, const struct machine_name *machine,
                       bool with_board);

/*
 * What the page shows during a soak: the machine, a row for each processor as far as there is room,
 * the last failure, the time left, and how much was checked. Pure.
 */
struct soak_row {
    const char *name;  /* "E2" */
    const char *state; /* "runs", "done", "lost", …; "" for this processor */
    struct soak_stats stats;
};

struct soak_view {
    const struct machine_name *machine;
    const char *last_failure; /* "": none */
    uint64_t seconds, left;   /* since the start; until the end */
    struct soak_stats sum;
    struct soak_row (*row)(unsigned number); /* of a processor, from 0 */
    unsigned rows;                           /* number of processors */
    const struct test *test;                 /* that runs on this processor, or NULL */
};

/* page: started, and as large as the screen. */
void soak_page_fill(struct screen_page *page, const struct soak_view *view);

/* Progress of the run, for the screen only. */

/* Appends the chosen tests, in their order, to those that will run. all: every test, and the
 * suites' declarations. cpu_label: the suffix of the suites' names. */
void progress_plan(const struct selection *chosen, const struct selection *all,
                   const char *cpu_label);

/* Call it when the tests begin. */
void progress_start(uint64_t repetitions);

/* Call it when a test, or its next repetition, begins. It is not needed for a skipped test. */
void progress_begin(const struct test *test, uint64_t repetition);

/* From now on the screen shows a soak. show() draws it; its argument is the test that runs on this
 * processor, or NULL. */
void progress_begin_soak(void (*show)(const struct test *test));

/* Call it during a soak, with the test that begins on this processor, or with NULL if only other
 * processors may have progressed. */
void progress_soak(const struct test *test);

const struct progress *progress(void);

#endif
