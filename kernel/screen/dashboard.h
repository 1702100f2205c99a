/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages before the end. While tests run: the machine, the suites with states and times, the
 * grid of the suite that has one, failures, the running test and the progress. The layout depends
 * on the room. Pure.
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

/* Adds processor and hypervisor, signature and microcode, firmware and board; and sinks that the
 * log should use but cannot. */
void machine_add_lines(struct screen_flow *flow, const struct machine_name *machine,
                       bool with_board);

/*
 * During a soak: the machine, a row for each processor as far as there is room, the last failure,
 * the time left, and how much was checked. Pure.
 */
struct soak_row {
    const char *name;  /* "E2" */
    const char *state; /* "draws", "done", "lost", or "" */
    struct soak_stats stats;
};

struct soak_view {
    const struct machine_name *machine;
    const char *last_failure; /* "": none */
    uint64_t seconds, left;   /* since the start; until the end, or SOAK_FOREVER */
    struct soak_stats sum;
    struct soak_row (*row)(unsigned number); /* of a processor, from 0 */
    unsigned rows;                           /* number of processors */
    const struct test *test;                 /* running on this processor, or NULL */
};

/* page: started, and as large as the screen. */
void soak_page_fill(struct screen_page *page, const struct soak_view *view);

/* Progress of the run, for the screen only. */

/* Appends the chosen tests, in their order, to those that will run. all: every test and the suites'
 * declarations. cpu_label: suffix of the suites' names. */
void progress_plan(const struct selection *chosen, const struct selection *all,
                   const char *cpu_label);

/* The tests begin. */
void progress_start(uint64_t repetitions);

/* A test, or its next repetition, begins. Skipped tests need not call it. */
void progress_begin(const struct test *test, uint64_t repetition);

/* From now on the screen shows a soak. show() draws it; its argument is the test that runs on this
 * processor, or NULL. */
void progress_begin_soak(void (*show)(const struct test *test));

/* Call it during a soak, with the test that begins on this processor, or with NULL if only other
 * processors may have progressed. */
void progress_soak(const struct test *test);

const struct progress *progress(void);

#endif
