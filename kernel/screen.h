/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen as a grid of cells: either kind draws one character at a time. */
#ifndef KERNEL_SCREEN_H
#define KERNEL_SCREEN_H

#include "kernel/console.h"

struct screen {
    unsigned columns, rows; /* cells */
    void (*draw)(unsigned column, unsigned row, char character, enum console_colour colour);
};

/* Both fill *out and return NULL, or return why there is no such screen. Need paging_init(). */
const char *screen_framebuffer_open(struct screen *out);
const char *screen_text_open(struct screen *out);

#endif
