/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of what a page shows: its cells as text. */
#ifndef TESTS_HOST_UNIT_PAGE_TEXT_H
#define TESTS_HOST_UNIT_PAGE_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "kernel/screen/screen_page.h"
#include "tests/host/unit/check.h"

#define PAGE_TEXT_SIZE (SCREEN_ROWS_MAX * (SCREEN_COLUMNS_MAX + 1) + 1)

/* The characters of one row from a column on, without the blanks at the end. */
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

/* All rows as they are, a newline behind each. */
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

/* All rows from the first on, a newline behind each; wrapped lines made whole again: a row that
 * begins with four blanks and no more, from the column on, goes on with the one above. */
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
