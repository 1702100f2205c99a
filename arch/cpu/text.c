/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/text.h"

#define DIGITS_MOST 20 /* of a 64-bit number in decimal */

struct text text_start(char *buffer, size_t size)
{
    buffer[0] = 0;
    return (struct text){.at = buffer, .left = size};
}

void text_add(struct text *text, const char *piece)
{
    while (*piece != 0 && text->left > 1) {
        *text->at++ = *piece++;
        text->left--;
    }
    *text->at = 0;
}

static void add_number(struct text *text, uint64_t value, unsigned base, unsigned digits)
{
    char reversed[DIGITS_MOST + 1];
    char *at = &reversed[DIGITS_MOST];
    *at = 0;
    do {
        *--at = "0123456789ABCDEF"[value % base];
        value /= base;
        if (digits > 0)
            digits--;
    } while (at > reversed && (value != 0 || digits > 0));
    text_add(text, at);
}

void text_add_decimal(struct text *text, uint64_t value)
{
    add_number(text, value, 10, 1);
}

void text_add_hex(struct text *text, uint64_t value, unsigned digits)
{
    add_number(text, value, 16, digits);
}
