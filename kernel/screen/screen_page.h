/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Content of a screen's cells, composed before it is shown. Pure. */
#ifndef KERNEL_SCREEN_SCREEN_PAGE_H
#define KERNEL_SCREEN_SCREEN_PAGE_H

#include <stdbool.h>

#include "kernel/screen/screen.h"

#define SCREEN_COLUMNS_MAX 320u
#define SCREEN_ROWS_MAX    120u

struct screen_page {
    unsigned columns, rows;
    struct screen_cell cell[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
};

/* Starts a blank page, of at most the size above. */
void screen_page_start(struct screen_page *page, unsigned columns, unsigned rows);

/* The following functions clip to the page. */

/* Writes into one row. Returns the column after the text. */
unsigned screen_page_put(struct screen_page *page, unsigned column, unsigned row,
                         enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes right-aligned, so that the text ends before column `end`. */
void screen_page_put_right(struct screen_page *page, unsigned end, unsigned row,
                           enum console_colour colour, const char *text);

/* Fills count cells with a character. */
void screen_page_fill(struct screen_page *page, unsigned column, unsigned row, unsigned count,
                      uint8_t character, enum console_colour colour);

/*
 * Treats a cell as two pixels, one above the other, and sets a square of `size` pixels a side.
 * half: the top pixel row of the square, two to a row of cells.
 */
void screen_page_set_halves(struct screen_page *page, unsigned column, unsigned half, unsigned size,
                            enum console_colour colour);

/* Writes a text of capitals. Each font pixel is `size` columns by `size` half rows, so that the
 * text is SCREEN_BIG_ROWS(size) rows high. */
#define SCREEN_BIG_COLUMNS(letters, size) (8u * (letters) * (size))
#define SCREEN_BIG_ROWS(size)             (5u * (size))
void screen_page_put_big(struct screen_page *page, unsigned column, unsigned row, unsigned size,
                         enum console_colour colour, const char *text);

struct screen_window {
    unsigned left, top, columns, rows;
};

/*
 * Lines that flow from page to page; only the cells of one page are written. Start with all fields
 * after others zeroed.
 */
struct screen_flow {
    struct screen_page *page;           /* the page that is written */
    unsigned displayed;                 /* its number, from 0 */
    struct screen_window first, others; /* area of the lines on page 0, and on other pages */
    unsigned number, used;              /* page, and row in its window, of the next line */
    bool wants_space; /* an empty row before the next line, unless that begins a page */
};

/*
 * Adds a line, wrapped at spaces, or after '_' or '.' if there are none, and indented from its
 * second row on. A line that fits on one page is not split across two. Cut after some 4000
 * characters.
 */
void screen_flow_add(struct screen_flow *flow, enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The next line begins a new page if fewer than `rows` rows are left. */
void screen_flow_need(struct screen_flow *flow, unsigned rows);

/* An empty row before the next line, one at most. */
void screen_flow_space(struct screen_flow *flow);

#endif
