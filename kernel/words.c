/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/words.h"

#include "arch/lib/string.h"

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

bool words_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool words_number(const char *text, uint64_t *number)
{
    uint64_t base = 10;

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    if (*text == '\0')
        return false;
    for (*number = 0; *text != '\0'; text++) {
        uint64_t digit = (uint64_t)digit_of(*text);

        if (digit >= base || *number > (UINT64_MAX - digit) / base)
            return false;
        *number = *number * base + digit;
    }
    return true;
}

char *words_next(char **rest)
{
    char *item = *rest;
    char *end = item;

    if (item == NULL)
        return NULL;
    while (*end != '\0' && *end != ',')
        end++;
    *rest = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    return item;
}

size_t words_index(const char *value, const char *const *words, size_t count)
{
    size_t i = 0;

    while (i < count && strcmp(value, words[i]) != 0)
        i++;
    return i;
}
