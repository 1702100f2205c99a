/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen as a grid of cells, framebuffer or text; each draws one cell at a time. */
#ifndef KERNEL_SCREEN_SCREEN_H
#define KERNEL_SCREEN_SCREEN_H

#include <stdint.h>
#include "kernel/console/console.h"

/* Characters of a cell besides ASCII, by their numbers in code page 437, the VGA's. */
#define SCREEN_SHADE 0xb0 /* dots all over */
#define SCREEN_FULL  0xdb
#define SCREEN_LOWER 0xdc /* half of the cell */
#define SCREEN_UPPER 0xdf

struct screen_cell {
    uint8_t character, colour; /* enum console_colour */
};

struct screen {
    unsigned columns, rows; /* cells */
    void (*draw)(unsigned column, unsigned row, struct screen_cell cell);
};

/* Fill *out and return NULL, or return why there is no such screen. Need paging_init(). */
const char *screen_framebuffer_open(struct screen *out);
const char *screen_text_open(struct screen *out);

/* The framebuffer's font: cells of 8 by 16 pixels, drawn for this project. Pure. */

#define FONT_WIDTH     8u
#define FONT_HEIGHT    16u
#define FONT_FIRST     32  /* ' ' */
#define FONT_LAST      126 /* '~' */
#define FONT_FIRST_ROW 1u  /* the rows above and below those that are stored are empty */
#define FONT_ROWS      13u

#define FONT_SCALE_MOST 16u

extern const uint8_t font_rows[FONT_LAST - FONT_FIRST + 1][FONT_ROWS];

/* Pixels of row 0 to 15 of a character's cell, the leftmost in bit 7. Knows ASCII and the
 * characters above; all others give a question mark. */
uint8_t font_row(uint8_t character, unsigned row);

/*
 * Scale: screen pixels for the side of one font pixel, on a screen of width by height pixels.
 * Leaves 80 to 130 columns and at least 25 rows, unless the screen is too small or too wide.
 */
unsigned font_scale(unsigned width, unsigned height);

#endif
