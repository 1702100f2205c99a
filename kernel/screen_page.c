/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define TEXT_SIZE 1024u
#define INDENT    4u /* of the rows that a line is wrapped to */

void screen_page_start(struct screen_page *page, unsigned columns, unsigned rows)
{
    page->columns = columns < SCREEN_COLUMNS_MAX ? columns : SCREEN_COLUMNS_MAX;
    if (page->columns == 0)
        page->columns = 1;
    page->rows = rows < SCREEN_ROWS_MAX ? rows : SCREEN_ROWS_MAX;
    page->used = 0;
}

unsigned screen_page_left(const struct screen_page *page)
{
    return page->rows - page->used;
}

/* How much of text stands in a row of that room: whole words, or what fits of a long one. */
static size_t row_length(const char *text, size_t room)
{
    size_t length = strlen(text);

    if (length <= room)
        return length;
    for (length = room; length > 0 && text[length] != ' ';)
        length--;
    return length > 0 ? length : room;
}

static size_t indent_of(const struct screen_page *page, bool is_first)
{
    return is_first || page->columns <= 2 * INDENT ? 0 : INDENT;
}

/* Wraps text into the rows from at on, as many as there are; returns how many it wants. */
static unsigned wrap(struct screen_page *page, unsigned at, enum console_colour colour,
                     const char *text)
{
    unsigned wanted = 0;

    do {
        size_t indent = indent_of(page, wanted == 0);
        size_t length = row_length(text, page->columns - indent);

        if (at + wanted < page->rows) {
            struct screen_row *row = &page->row[at + wanted];

            row->colour = colour;
            memset(row->text, ' ', indent);
            memcpy(row->text + indent, text, length);
            row->text[indent + length] = '\0';
        }
        wanted++;
        text += length;
        while (*text == ' ')
            text++;
    } while (*text != '\0');
    return wanted;
}

bool screen_page_add(struct screen_page *page, enum console_colour colour, unsigned spare,
                     const char *format, ...)
{
    char text[TEXT_SIZE];
    unsigned wanted;

    FORMAT_ARGUMENTS(text, sizeof(text), format);
    wanted = wrap(page, page->used, colour, text);
    if (wanted + spare > screen_page_left(page))
        return false;
    page->used += wanted;
    return true;
}
