/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The final pages on the screen. They show verdict, the reason for a broken-off run, totals and
 * machine; what is broken: in words, as a small table, and as claims with their texts; then
 * failures with claims and findings, the log's summary (or what was printed instead of tests),
 * skipped tests and the processor's traits. A QR code has the essentials, beside the first page or
 * as the last. Pure.
 */
#ifndef KERNEL_SCREEN_END_PAGE_H
#define KERNEL_SCREEN_END_PAGE_H

#include "kernel/machine/event.h"
#include "kernel/report/ktap.h"
#include "kernel/report/machine.h"
#include "kernel/report/summary.h"
#include "kernel/screen/dashboard.h"
#include "kernel/screen/qr.h"
#include "kernel/screen/screen_page.h"

/* The result of a run, as plain data. */
struct end_report {
    enum verdict verdict;
    const struct ktap_totals *totals;
    uint32_t check; /* check value of the log */
    const struct summary *summary;
    const struct machine_name *machine;
    const struct progress *progress; /* its grid; NULL: none */
    const struct crash *crash;       /* NULL: no crash ended the run */
    const char *foot;                /* text below each page */
    bool has_keys;                   /* the keyboard is heard, and the page names the keys */
};

/*
 * Fills `page` with final page `number`, from 0. page: started, and as large as the screen. Returns
 * how many final pages there are.
 */
unsigned end_page_fill(struct screen_page *page, const struct end_report *report, unsigned number);

/* What is broken, on the final pages (end_broken.c). Pure. */

/* Adds the lines about kinds of finding (kernel/report/sums/sums.h). */
void end_broken_add(struct screen_flow *flow);

/*
 * Adds the grid of a suite in small: a column for the cells whose first digit is 0, and one for
 * each value of the next three digits; rows for ring 0, the other rings, and what is about no
 * branch. Adds nothing if no cell was checked, or if the table is wider than the page.
 */
void end_grid_add(struct screen_flow *flow, const struct progress *progress);

/* Adds the lines about claims. */
void end_claims_add(struct screen_flow *flow);

/* A QR code with the result of a run: verdict, processor, totals, check value, what is broken in
 * words, the broken claims, and what failed. Pure. */

#define END_CODE_TEXT 256u /* bytes, more than any code holds */

/* Screen columns that a code of this side takes, light margin included. It takes half as many rows,
 * because a cell of the screen shows two modules, one above the other. */
#define END_CODE_COLUMNS(side) ((side) + 2u * QR_QUIET)

/*
 * Makes a code that fits the columns and rows, with as many sentences, claims and names of failed
 * tests as fit into it; text is its content. Returns false if no code fits.
 */
bool end_code_make(struct qr *qr, char text[END_CODE_TEXT], const struct end_report *report,
                   unsigned columns, unsigned rows);

/* column, row: where its upper left corner goes. */
void end_code_put(struct screen_page *page, unsigned column, unsigned row, const struct qr *qr);

/* The log's summary (kernel/report/summary.h) on the final pages. Pure. */

/* Adds its lines, except the traits; an indented one joins the line before it. */
void end_log_add(struct screen_flow *flow, const struct summary *summary);

/* Adds the traits with their values, and the number of unknown ones. */
void end_log_add_traits(struct screen_flow *flow, const struct summary *summary);

#endif
