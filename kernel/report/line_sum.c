/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/line_sum.h"

#define POLYNOMIAL 0x1021u
#define TOP_BIT    0x8000u

static uint16_t add_byte(uint16_t sum, uint8_t byte)
{
    sum ^= (uint16_t)(byte << 8);
    for (unsigned bit = 0; bit < 8; bit++)
        sum = (uint16_t)(sum << 1 ^ ((sum & TOP_BIT) != 0 ? POLYNOMIAL : 0));
    return sum;
}

uint16_t line_sum(uint32_t number, const char *text, size_t length)
{
    uint16_t sum = add_byte(add_byte(UINT16_MAX, (uint8_t)number), (uint8_t)(number >> 8));

    for (size_t i = 0; i < length; i++)
        sum = add_byte(sum, (uint8_t)text[i]);
    return sum;
}
