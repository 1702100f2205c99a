/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that stand on the screen when the run is over, for the person at the machine: verdict,
 * why the run broke off, totals and machine; what failed with its claims and what was found, what
 * the end of the log tells, what was skipped, the processor's traits; and all that matters as a QR
 * code, beside the first page or as the last one. Pure.
 */
#ifndef KERNEL_SCREEN_END_PAGE_H
#define KERNEL_SCREEN_END_PAGE_H

#include "kernel/report/event.h"
#include "kernel/report/ktap.h"
#include "kernel/report/machine.h"
#include "kernel/screen/screen_page.h"
#include "kernel/report/summary.h"

struct end_report {
    enum verdict verdict;
    const struct ktap_totals *totals;
    uint32_t check; /* the log's value */
    const struct summary *summary;
    const struct machine_name *machine;
    const struct crash *crash; /* NULL: the run came to its end */
    const char *foot;          /* stands below each page */
};

/*
 * Fills page number so much, from 0; it has been started, and is as large as the screen. Returns
 * how many pages there are.
 */
unsigned end_page_fill(struct screen_page *page, const struct end_report *report, unsigned number);

#endif
