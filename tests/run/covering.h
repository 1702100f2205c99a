/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An orthogonal array of strength 3: in few settings of many bits, any three bits take all eight
 * values. An error that depends on at most three bits shows in one of the rows.
 */
#ifndef TESTS_RUN_COVERING_H
#define TESTS_RUN_COVERING_H

#include <stdbool.h>
#include <stdint.h>

#define COVERING_BITS 16u
#define COVERING_ROWS 32u

/* The COVERING_BITS bits of a row. Row 0 has none set, row COVERING_BITS has all. */
uint32_t covering_row(unsigned row);

/* With only the bits of the mask, does the row repeat an earlier one? */
bool covering_repeats(unsigned row, uint32_t mask);

#endif
