/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen shows of a soak: the machine; a row for each processor, as many as there is room
 * for; what failed last; the time that is left, and how much has been checked. Pure.
 */
#ifndef KERNEL_SCREEN_SOAK_PAGE_H
#define KERNEL_SCREEN_SOAK_PAGE_H

#include "kernel/report/machine.h"
#include "kernel/machine/place.h"
#include "kernel/screen/screen_page.h"
#include "kernel/report/tally.h"

struct soak_row {
    const char *name;  /* "E2" */
    const char *state; /* "draws", "done", "lost"; "" where nothing is to be said */
    struct tally tally;
};

struct soak_view {
    const struct machine_name *machine;
    const char *last_failure; /* "": nothing has failed */
    uint64_t seconds, left;   /* since the start, and until the end; SOAK_FOREVER: there is none */
    struct tally sum;
    struct soak_row (*row)(unsigned number); /* of processor number, from 0, … */
    unsigned rows;                           /* … up to this one */
    const struct test *test;                 /* that this processor runs, or NULL */
};

/* The page has been started, and is as large as the screen. */
void soak_page_fill(struct screen_page *page, const struct soak_view *view);

#endif
