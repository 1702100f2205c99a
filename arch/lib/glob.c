/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/lib/string.h"

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
