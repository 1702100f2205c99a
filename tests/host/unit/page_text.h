/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of a screen page as text, and a machine that has something to show. */
#ifndef TESTS_HOST_UNIT_PAGE_TEXT_H
#define TESTS_HOST_UNIT_PAGE_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "kernel/screen/screen_page.h"
#include "tests/host/unit/check.h"

/* An initialiser of a struct machine: a board with long names. */
#define SAMPLE_MACHINE                                                                             \
    {                                                                                              \
        .version = "v1.2-3-gabcdef", .cpu = "Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz",            \
        .hypervisor = "none (bare metal)",                                                         \
        .signature = "06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3)",                             \
        .short_signature = "06_5EH-3", .microcode = 0xf0, .firmware = "BIOS",                      \
        .firmware_version = "Some Vendor 1.40", .board_name = "Maker Board 9"                      \
    }

#define PAGE_TEXT_SIZE (SCREEN_ROWS_MAX * (SCREEN_COLUMNS_MAX + 1) + 1)

/* One row from a column on, without trailing blanks. */
static inline const char *row_text(const struct screen_page *page, unsigned row, unsigned column)
{
    static char text[SCREEN_COLUMNS_MAX + 1];
    unsigned length = 0;

    for (unsigned x = column; x < page->columns; x++) {
        text[x - column] = (char)page->cell[row][x].character;
        if (text[x - column] != ' ')
            length = x - column + 1;
    }
    text[length] = '\0';
    return text;
}

/* All rows, with a newline after each. */
static inline const char *page_rows(const struct screen_page *page)
{
    static char text[PAGE_TEXT_SIZE];
    char *end = text;

    for (unsigned y = 0; y < page->rows; y++) {
        strcpy(end, row_text(page, y, 0));
        end += strlen(end);
        *end++ = '\n';
    }
    *end = '\0';
    return text;
}

/* All rows from row `first` on, each from `column` on, with a newline after each. Joins wrapped
 * lines: a row that begins with exactly four blanks continues the one above. */
static inline const char *page_text(const struct screen_page *page, unsigned first, unsigned column)
{
    static char text[PAGE_TEXT_SIZE];

    text[0] = '\0';
    for (unsigned y = first; y < page->rows; y++) {
        const char *row = row_text(page, y, column);
        bool goes_on = strncmp(row, "    ", 4) == 0 && row[4] != ' ';

        strcat(text, y == first ? "" : goes_on ? " " : "\n");
        strcat(text, row + (goes_on ? 4 : 0));
    }
    return strcat(text, "\n");
}

static inline unsigned count_of(const char *text, const char *what)
{
    unsigned found = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        found++;
    return found;
}

#define CHECK_SHOWS(text, what)                                                                    \
    CHECK(count_of(text, what) == 1, "'%s' is there %u times in '%s'", what, count_of(text, what), \
          text)

#endif
