// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks that count, and print what was expected when they fail. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(got, expected)                                                                 \
    check_equal((uint64_t)(got), (uint64_t)(expected), #got, __FILE__, __LINE__)

void check_true(bool passed, const char *text, const char *file, int line);
void check_equal(uint64_t got, uint64_t expected, const char *text, const char *file, int line);

/* One test: a name and a function. A table of them ends with a NULL name. */
struct test {
    const char *name;
    void (*run)(void);
};

#endif
