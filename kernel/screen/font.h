/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The letters of the framebuffer: cells of 8 by 16 pixels, drawn for this project. Pure. */
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

/* The pixels of row 0 to 15 of a cell, the leftmost in bit 7; also of what kernel/screen/screen.h
 * names besides ASCII, and a question mark for all else. */
uint8_t font_row(uint8_t character, unsigned row);

/*
 * The side of the square that stands for one pixel of the font on a screen of so many pixels: 80 to
 * 130 columns remain, and 25 rows, but where the screen is too small for that or too wide.
 */
unsigned font_scale(unsigned width, unsigned height);

#endif
