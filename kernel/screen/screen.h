/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen as a grid of cells, framebuffer or text; each draws one cell at a time. */
#ifndef KERNEL_SCREEN_SCREEN_H
#define KERNEL_SCREEN_SCREEN_H

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

#endif
