/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do any three bits take all eight values, and is a row that repeats another known for it? */
#include "tests/host/unit/check.h"
#include "tests/run/covering.h"

static unsigned bit_of(unsigned row, unsigned bit)
{
    return covering_row(row) >> bit & 1;
}

static void check_three(unsigned a, unsigned b, unsigned c)
{
    unsigned seen[8] = {0};

    for (unsigned row = 0; row < COVERING_ROWS; row++)
        seen[bit_of(row, a) | bit_of(row, b) << 1 | bit_of(row, c) << 2]++;
    for (unsigned value = 0; value < 8; value++)
        CHECK(seen[value] == COVERING_ROWS / 8, "bits %u %u %u are %u in %u rows", a, b, c, value,
              seen[value]);
}

/* Each value of the mask's bits is new once. */
static void check_repeats(uint32_t mask, unsigned different)
{
    unsigned new = 0;

    for (unsigned row = 0; row < COVERING_ROWS; row++)
        new += !covering_repeats(row, mask);
    CHECK(new == different, "%u rows of mask %#x are new, not %u", new, mask, different);
}

int main(void)
{
    for (unsigned a = 0; a < COVERING_BITS; a++)
        for (unsigned b = 0; b < a; b++)
            for (unsigned c = 0; c < b; c++)
                check_three(a, b, c);
    CHECK(covering_row(0) == 0, "row 0 is %#x", covering_row(0));
    CHECK(covering_row(COVERING_BITS) == 0xffff, "row 16 is %#x", covering_row(COVERING_BITS));
    check_repeats(0xffff, COVERING_ROWS);
    check_repeats(0x0000, 1);
    check_repeats(0x8000, 2);
    check_repeats(0x8020, 4);
    check_repeats(0x8021, 8);
    return check_failures != 0;
}
