/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A QR code with the result of a run: verdict, processor, totals, check value, and what failed.
 * Pure. */
#ifndef KERNEL_SCREEN_END_CODE_H
#define KERNEL_SCREEN_END_CODE_H

#include "kernel/screen/end_report.h"
#include "kernel/screen/qr.h"
#include "kernel/screen/screen_page.h"

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

#endif
