/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The final pages on the screen. They show verdict, the reason for a broken-off run, totals and
 * machine; failures with claims and findings, the log's summary, skipped tests and the processor's
 * traits. A QR code has the essentials, beside the first page or as the last. Pure.
 */
#ifndef KERNEL_SCREEN_END_PAGE_H
#define KERNEL_SCREEN_END_PAGE_H

#include "kernel/screen/end_report.h"
#include "kernel/screen/screen_page.h"

/*
 * Fills the page with this number, from 0. page: started, and as large as the screen. Returns the
 * number of pages.
 */
unsigned end_page_fill(struct screen_page *page, const struct end_report *report, unsigned number);

#endif
