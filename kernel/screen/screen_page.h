/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to stand in each cell of a screen, put together before any of it is shown. Pure. */
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

/* Blank, and at most so large. */
void screen_page_start(struct screen_page *page, unsigned columns, unsigned rows);

/* All below cut what is outside of the page. */

/* Writes into one row; returns the column behind the text. */
unsigned screen_page_put(struct screen_page *page, unsigned column, unsigned row,
                         enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same, up to the column end. */
void screen_page_put_right(struct screen_page *page, unsigned end, unsigned row,
                           enum console_colour colour, const char *text);

/* The same character in so many cells. */
void screen_page_fill(struct screen_page *page, unsigned column, unsigned row, unsigned count,
                      uint8_t character, enum console_colour colour);

/*
 * Cells as two pixels, one above the other: sets a rectangle of them, the top at an even or odd
 * half of a row.
 */
void screen_page_set_halves(struct screen_page *page, unsigned column, unsigned half, unsigned size,
                            enum console_colour colour);

/* The text in letters of the font whose pixels are squares of size columns by size halves of a
 * row; capitals, which are SCREEN_BIG_ROWS(size) rows high. */
#define SCREEN_BIG_COLUMNS(letters, size) (8u * (letters) * (size))
#define SCREEN_BIG_ROWS(size)             (5u * (size))
void screen_page_put_big(struct screen_page *page, unsigned column, unsigned row, unsigned size,
                         enum console_colour colour, const char *text);

struct screen_window {
    unsigned left, top, columns, rows;
};

/*
 * Lines that flow from one page to the next; the cells of one page alone are written. Zeroed but
 * for the first row of members to begin with.
 */
struct screen_flow {
    struct screen_page *page;           /* the one */
    unsigned shown;                     /* … and its number, from 0 */
    struct screen_window first, others; /* where the lines stand on page 0, and on those behind */
    unsigned number, used;              /* page and row of its window where the next line begins */
    bool wants_space;                   /* … below an empty row, unless it begins a page */
};

/*
 * Adds a line, wrapped at spaces, or behind '_' or '.' where there are none, and indented from its
 * second row on. It is not parted by the end of a page where it fits the next one. Cut after some
 * 4000 characters.
 */
void screen_flow_add(struct screen_flow *flow, enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The next line begins a page where fewer rows than that are left of this one. */
void screen_flow_need(struct screen_flow *flow, unsigned rows);

/* An empty row before the next line, one at most. */
void screen_flow_space(struct screen_flow *flow);

#endif
