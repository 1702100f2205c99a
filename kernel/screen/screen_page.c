/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/screen_page.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define TEXT_SIZE   4096u
#define INDENT      4u /* of the rows that a line is wrapped to */
#define CAPITAL_TOP 2u /* font rows: top and height of a capital */
#define CAPITAL     10u

void screen_page_start(struct screen_page *page, unsigned columns, unsigned rows)
{
    page->columns = columns < SCREEN_COLUMNS_MAX ? columns : SCREEN_COLUMNS_MAX;
    page->rows = rows < SCREEN_ROWS_MAX ? rows : SCREEN_ROWS_MAX;
    for (unsigned y = 0; y < page->rows; y++)
        screen_page_fill(page, 0, y, page->columns, ' ', COLOUR_PLAIN);
}

static void put(struct screen_page *page, unsigned column, unsigned row, uint8_t character,
                enum console_colour colour)
{
    if (column < page->columns && row < page->rows)
        page->cell[row][column] = (struct screen_cell){character, (uint8_t)colour};
}

static void put_text(struct screen_page *page, unsigned column, unsigned row,
                     enum console_colour colour, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put(page, column++, row, (uint8_t)text[i], colour);
}

unsigned screen_page_put(struct screen_page *page, unsigned column, unsigned row,
                         enum console_colour colour, const char *format, ...)
{
    char text[SCREEN_COLUMNS_MAX + 1];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    put_text(page, column, row, colour, text, strlen(text));
    return column + (unsigned)strlen(text);
}

void screen_page_put_right(struct screen_page *page, unsigned end, unsigned row,
                           enum console_colour colour, const char *text)
{
    unsigned length = (unsigned)strlen(text);

    put_text(page, length < end ? end - length : 0, row, colour, text, length);
}

void screen_page_fill(struct screen_page *page, unsigned column, unsigned row, unsigned count,
                      uint8_t character, enum console_colour colour)
{
    for (unsigned i = 0; i < count; i++)
        put(page, column + i, row, character, colour);
}

static void set_half(struct screen_page *page, unsigned column, unsigned half,
                     enum console_colour colour)
{
    uint8_t set = half % 2 == 0 ? SCREEN_UPPER : SCREEN_LOWER;
    uint8_t before;

    if (column >= page->columns || half / 2 >= page->rows)
        return;
    before = page->cell[half / 2][column].character;
    put(page, column, half / 2, before == ' ' || before == set ? set : SCREEN_FULL, colour);
}

void screen_page_set_halves(struct screen_page *page, unsigned column, unsigned half, unsigned size,
                            enum console_colour colour)
{
    for (unsigned y = 0; y < size; y++) {
        for (unsigned x = 0; x < size; x++)
            set_half(page, column + x, half + y, colour);
    }
}

static void put_big_letter(struct screen_page *page, unsigned column, unsigned row, unsigned size,
                           enum console_colour colour, uint8_t letter)
{
    for (unsigned y = 0; y < CAPITAL; y++) {
        uint8_t bits = font_row(letter, CAPITAL_TOP + y);

        for (unsigned x = 0; x < FONT_WIDTH; x++, bits <<= 1) {
            if (bits & 0x80)
                screen_page_set_halves(page, column + x * size, 2 * row + y * size, size, colour);
        }
    }
}

void screen_page_put_big(struct screen_page *page, unsigned column, unsigned row, unsigned size,
                         enum console_colour colour, const char *text)
{
    for (; *text != '\0'; text++, column += SCREEN_BIG_COLUMNS(1, size))
        put_big_letter(page, column, row, size, colour, (uint8_t)*text);
}

/* Number of characters for a row with this room, at least 1: whole words, parts of a long name, or
 * what fits. */
static size_t row_length(const char *text, size_t room)
{
    size_t length = strlen(text);

    if (length <= room)
        return length;
    for (length = room; length > 0 && text[length] != ' ';)
        length--;
    if (length > 0)
        return length;
    for (length = room; length > room / 2; length--) {
        if (text[length - 1] == '_' || text[length - 1] == '.')
            return length;
    }
    return room;
}

static const struct screen_window *window_of(const struct screen_flow *flow)
{
    return flow->number == 0 ? &flow->first : &flow->others;
}

static size_t indent_of(const struct screen_window *window, bool is_first)
{
    return is_first || window->columns <= 2 * INDENT ? 0 : INDENT;
}

/* Takes the part of *rest for the next row of such a window, and moves *rest past it. */
static size_t take_row(const char **rest, const struct screen_window *window, bool is_first,
                       size_t *indent)
{
    size_t length;

    *indent = indent_of(window, is_first);
    length = row_length(*rest, window->columns - *indent);
    *rest += length;
    while (**rest == ' ')
        (*rest)++;
    return length;
}

static unsigned rows_wanted(const char *text, const struct screen_window *window)
{
    unsigned wanted = 0;
    size_t indent;

    do
        take_row(&text, window, wanted++ == 0, &indent);
    while (*text != '\0');
    return wanted;
}

static bool has_room(const struct screen_window *window)
{
    return window->columns > 0 && window->rows > 0;
}

static void next_page(struct screen_flow *flow)
{
    flow->number++;
    flow->used = 0;
}

void screen_flow_need(struct screen_flow *flow, unsigned rows)
{
    const struct screen_window *window = window_of(flow);
    unsigned left = has_room(window) ? window->rows - flow->used : 0;

    if (has_room(&flow->others) && (left == 0 || (rows > left && left < flow->others.rows)))
        next_page(flow);
}

static void add_row(struct screen_flow *flow, enum console_colour colour, const char **text,
                    bool is_first)
{
    const struct screen_window *window = window_of(flow);
    const char *row = *text;
    size_t indent, length = take_row(text, window, is_first, &indent);

    if (flow->number == flow->displayed)
        put_text(flow->page, window->left + (unsigned)indent, window->top + flow->used, colour, row,
                 length);
    flow->used++;
}

void screen_flow_add(struct screen_flow *flow, enum console_colour colour, const char *format, ...)
{
    static char line[TEXT_SIZE];
    const char *text = line;
    FORMAT_ARGUMENTS(line, sizeof(line), format);

    if (!has_room(&flow->others))
        return;
    if (flow->wants_space && flow->used > 0 && flow->used < window_of(flow)->rows)
        flow->used++;
    flow->wants_space = false;
    screen_flow_need(flow, has_room(window_of(flow)) ? rows_wanted(text, window_of(flow)) : 0);
    add_row(flow, colour, &text, true);
    while (*text != '\0') {
        if (flow->used == window_of(flow)->rows)
            next_page(flow);
        add_row(flow, colour, &text, false);
    }
}

void screen_flow_space(struct screen_flow *flow)
{
    flow->wants_space = true;
}
