/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page that stands on the screen when the run is over, for the person at the machine: verdict,
 * version, processor, totals; then what failed with its claims, or why the run broke off, and what
 * was skipped. Pure.
 */
#ifndef KERNEL_END_PAGE_H
#define KERNEL_END_PAGE_H

#include "kernel/ktap.h"
#include "kernel/machine.h"
#include "kernel/event.h"
#include "kernel/screen_page.h"
#include "kernel/summary.h"

struct end_report {
    enum verdict verdict;
    const struct ktap_totals *totals;
    const struct summary *summary;
    const struct machine_name *machine;
    const struct crash *crash; /* NULL: the run came to its end */
};

/* The page has been started, and is as large as the screen. */
void end_page_fill(struct screen_page *page, const struct end_report *report);

#endif
