/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/covering.h"

/* Of four bits. */
static unsigned parity(unsigned bits)
{
    return 0x6996u >> bits & 1;
}

/*
 * Bit b of a row is the parity of b AND the row's lower half, upside down in the second half of the
 * rows. As functions of the row, any three bits are independent: no sum of one, two or three of
 * them is constant.
 */
uint32_t covering_row(unsigned row)
{
    unsigned coefficients = row % COVERING_BITS, upside_down = row / COVERING_BITS;
    uint32_t bits = 0;

    for (unsigned bit = 0; bit < COVERING_BITS; bit++)
        bits |= (parity(bit & coefficients) ^ upside_down) << bit;
    return bits;
}

bool covering_repeats(unsigned row, uint32_t mask)
{
    for (unsigned before = 0; before < row; before++)
        if (((covering_row(before) ^ covering_row(row)) & mask) == 0)
            return true;
    return false;
}
