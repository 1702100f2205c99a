/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks for unit tests: print what failed, count it, and go on. */
#ifndef TESTS_HOST_UNIT_CHECK_H
#define TESTS_HOST_UNIT_CHECK_H

#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                 \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(got, expected)                                                                  \
    do {                                                                                           \
        const char *text_got = (got);                                                              \
                                                                                                   \
        CHECK(strcmp(text_got, expected) == 0, "expected '%s', got '%s'", expected, text_got);     \
    } while (0)

/* The return value of main(). */
static inline int check_result(void)
{
    if (check_failures > 0)
        printf("%d checks failed\n", check_failures);
    return check_failures > 0;
}

#endif
