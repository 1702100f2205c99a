/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Few settings of many bits in which any three bits take all eight values: an orthogonal array of
 * strength 3. What goes wrong while up to three bits are as they are goes wrong in one of the rows.
 */
#ifndef TESTS_ORACLE_COVERING_H
#define TESTS_ORACLE_COVERING_H

#include <stdbool.h>
#include <stdint.h>

#define COVERING_BITS 16u
#define COVERING_ROWS 32u

/* The bits of this row, COVERING_BITS of them. Row 0 has none set, row COVERING_BITS all. */
uint32_t covering_row(unsigned row);

/* Of the bits of the mask alone: is the row one that came before? */
bool covering_repeats(unsigned row, uint32_t mask);

#endif
