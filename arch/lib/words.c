/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/lib/words.h"
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

char *words_cut(char *text, char at)
{
    while (*text != '\0' && *text != at)
        text++;
    if (*text == '\0')
        return NULL;
    *text = '\0';
    return text + 1;
}

char *words_next(char **rest)
{
    char *item = *rest;

    if (item != NULL)
        *rest = words_cut(item, ',');
    return item;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char *words_of_line(char **rest)
{
    char *word = *rest, *end;

    while (is_blank(*word))
        word++;
    for (end = word; *end != '\0' && !is_blank(*end);)
        end++;
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return *word == '\0' ? NULL : word;
}

size_t words_index(const char *value, const char *const *words)
{
    size_t i = 0;

    while (words[i] != NULL && strcmp(value, words[i]) != 0)
        i++;
    return i;
}

/*
 * Retries only the last '*', at worst in quadratic time. That is enough, because no earlier '*'
 * could have matched less.
 */
bool glob_match_part(const char *pattern, size_t length, const char *name)
{
    const char *end = pattern + length;
    const char *star = NULL;
    const char *star_name = NULL;

    while (*name != '\0') {
        if (pattern != end && *pattern == '*') {
            star = pattern++;
            star_name = name;
        } else if (pattern != end && (*pattern == '?' || *pattern == *name)) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++star_name;
        } else {
            return false;
        }
    }
    while (pattern != end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool glob_match(const char *pattern, const char *name)
{
    return glob_match_part(pattern, strlen(pattern), name);
}
