/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A page of text that fits a screen: filled from above, as long as there are rows. Pure. */
#ifndef KERNEL_SCREEN_PAGE_H
#define KERNEL_SCREEN_PAGE_H

#include <stdbool.h>

#include "kernel/console.h"

#define SCREEN_COLUMNS_MAX 320u
#define SCREEN_ROWS_MAX    120u

struct screen_page {
    unsigned columns, rows; /* there are */
    unsigned used;          /* rows, from above */
    struct screen_row {
        enum console_colour colour;
        char text[SCREEN_COLUMNS_MAX + 1];
    } row[SCREEN_ROWS_MAX];
};

/* Empty, and at most so large. */
void screen_page_start(struct screen_page *page, unsigned columns, unsigned rows);

unsigned screen_page_left(const struct screen_page *page);

/*
 * Adds a line, wrapped at spaces where it is longer than a row, cut after some 1000 characters.
 * False and nothing when fewer than spare rows would be left.
 */
bool screen_page_add(struct screen_page *page, enum console_colour colour, unsigned spare,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
