/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds ACPI tables byte by byte, for tests of their readers. */
#ifndef TESTS_HOST_UNIT_ACPI_BYTES_H
#define TESTS_HOST_UNIT_ACPI_BYTES_H

#include "arch/cpu/tables/acpi.h"
#include <stdlib.h>
#include "tests/host/unit/check.h"

#define MOST 512u

static uint8_t table[MOST];
static size_t used;

static inline void put(uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        table[used++] = i < 8 ? (uint8_t)(value >> (8 * i)) : 0;
}

static inline void put_at(size_t at, uint64_t value, size_t size)
{
    size_t end = used;
    used = at;
    put(value, size);
    used = end;
}

static inline void fix_checksum(size_t at, size_t length)
{
    uint8_t sum = 0;
    table[at] = 0;
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + table[i]);
    table[at] = (uint8_t)-sum;
}

static inline void expect(const char *what, const char *got, const char *expected)
{
    if (expected == NULL)
        CHECK(got == NULL, "%s: refused: %s", what, got);
    else
        CHECK(got != NULL && strstr(got, expected) != NULL, "%s: expected '%s', got '%s'", what,
              expected, got ? got : "nothing");
}

/* A copy of exactly this size, so that the sanitizer catches a read past its end. */
static inline uint8_t *exact(size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, table, size);
    return copy;
}

#endif
