/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages that stand on the screen when the run is over, for the person at the machine: verdict,
 * why the run broke off, totals and machine; what failed with its claims and what was found, what
 * the end of the log tells, what was skipped, the processor's traits; and all that matters as a QR
 * code, beside the first page or as the last one. Pure.
 */
#ifndef KERNEL_SCREEN_END_PAGE_H
#define KERNEL_SCREEN_END_PAGE_H

#include "kernel/screen/end_report.h"
#include "kernel/screen/screen_page.h"

/*
 * Fills page number so much, from 0; it has been started, and is as large as the screen. Returns
 * how many pages there are.
 */
unsigned end_page_fill(struct screen_page *page, const struct end_report *report, unsigned number);

#endif
