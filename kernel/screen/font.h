/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The framebuffer's font: cells of 8 by 16 pixels, drawn for this project. Pure. */
#ifndef KERNEL_SCREEN_FONT_H
#define KERNEL_SCREEN_FONT_H

#include <stdint.h>

#define FONT_WIDTH     8u
#define FONT_HEIGHT    16u
#define FONT_FIRST     32  /* ' ' */
#define FONT_LAST      126 /* '~' */
#define FONT_FIRST_ROW 1u  /* the rows above and below those that are stored are empty */
#define FONT_ROWS      13u

#define FONT_SCALE_MOST 16u

extern const uint8_t font_rows[FONT_LAST - FONT_FIRST + 1][FONT_ROWS];

/* Pixels of row 0 to 15 of a character's cell, the leftmost in bit 7. Knows ASCII and the
 * characters of kernel/screen/screen.h; all others give a question mark. */
uint8_t font_row(uint8_t character, unsigned row);

/*
 * Scale: screen pixels for the side of one font pixel, on a screen of width by height pixels.
 * Leaves 80 to 130 columns and at least 25 rows, unless the screen is too small or too wide.
 */
unsigned font_scale(unsigned width, unsigned height);

#endif
