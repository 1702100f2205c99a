/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page during a soak: the machine, a row for each processor as far as there is room, the last
 * failure, the time left, and how much was checked. Pure.
 */
#ifndef KERNEL_SCREEN_SOAK_PAGE_H
#define KERNEL_SCREEN_SOAK_PAGE_H

#include "kernel/report/machine.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/screen/screen_page.h"
#include "kernel/report/soak_stats.h"

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

#endif
