/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The final pages on the screen. They show verdict, the reason for a broken-off run, totals and
 * machine; failures with claims and findings, the log's summary, skipped tests and the processor's
 * traits. A QR code has the essentials, beside the first page or as the last. Pure.
 */
#ifndef KERNEL_SCREEN_END_PAGE_H
#define KERNEL_SCREEN_END_PAGE_H

#include "kernel/machine/event.h"
#include "kernel/report/ktap.h"
#include "kernel/report/machine.h"
#include "kernel/report/summary.h"
#include "kernel/screen/qr.h"
#include "kernel/screen/screen_page.h"

/* The result of a run, as plain data. */
struct end_report {
    enum verdict verdict;
    const struct ktap_totals *totals;
    uint32_t check; /* check value of the log */
    const struct summary *summary;
    const struct machine_name *machine;
    const struct crash *crash; /* NULL: no crash ended the run */
    const char *foot;          /* text below each page */
};

/*
 * Fills `page` with final page `number`, from 0. page: started, and as large as the screen. Returns
 * how many final pages there are.
 */
unsigned end_page_fill(struct screen_page *page, const struct end_report *report, unsigned number);

/* A QR code with the result of a run: verdict, processor, totals, check value, and what failed.
 * Pure. */

#define END_CODE_TEXT 256u /* bytes, more than any code holds */

/* Screen columns that a code of this side takes, light margin included. It takes half as many rows,
 * because a cell of the screen shows two modules, one above the other. */
#define END_CODE_COLUMNS(side) ((side) + 2u * QR_QUIET)

/*
 * Makes a code that fits the columns and rows, with as many names of failed tests as fit into it;
 * text is its content. Returns false if no code fits.
 */
bool end_code_make(struct qr *qr, char text[END_CODE_TEXT], const struct end_report *report,
                   unsigned columns, unsigned rows);

/* column, row: where its upper left corner goes. */
void end_code_put(struct screen_page *page, unsigned column, unsigned row, const struct qr *qr);

/* The log's summary (kernel/report/summary.h) on the final pages. Pure. */

/* Adds its lines, except the traits. */
void end_log_add(struct screen_flow *flow, const struct summary *summary);

/* Adds the traits with their values, and the number of unknown ones. */
void end_log_add_traits(struct screen_flow *flow, const struct summary *summary);

#endif
