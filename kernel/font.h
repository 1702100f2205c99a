/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The letters of the framebuffer console: cells of 8 by 16 pixels, drawn for this project. */
#ifndef KERNEL_FONT_H
#define KERNEL_FONT_H

#include <stdint.h>

#define FONT_WIDTH     8u
#define FONT_HEIGHT    16u
#define FONT_FIRST     32  /* ' ' */
#define FONT_LAST      126 /* '~' */
#define FONT_FIRST_ROW 1u  /* the rows above and below those that are stored are empty */
#define FONT_ROWS      13u

extern const uint8_t font_rows[FONT_LAST - FONT_FIRST + 1][FONT_ROWS];

#endif
