/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log on a screen, above two rows that say what goes on, until a page takes its place. A copy
 * of the grid is kept in memory, because reading a framebuffer is slow; a full screen moves up by
 * half, which costs a redraw of the cells that differ once in many lines.
 */
#include "kernel/console_screen.h"

#include <stdint.h>

#include "kernel/screen.h"

#define STATUS_ROWS 2u
#define LEAST_LOG   4u /* rows; a screen of fewer has no rows to spare for a status */

struct cell {
    char character;
    uint8_t colour;
};

static struct screen screen;
static struct cell grid[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
static unsigned column, row;
static unsigned log_rows; /* from above; 0: no screen */
static bool has_page;     /* in the place of the log */

static void show(unsigned x, unsigned y, struct cell cell)
{
    struct cell *old = &grid[y][x];

    if (old->character == cell.character && old->colour == cell.colour)
        return;
    *old = cell;
    screen.draw(x, y, cell.character, (enum console_colour)cell.colour);
}

static void clear(void)
{
    for (unsigned y = 0; y < screen.rows; y++) {
        for (unsigned x = 0; x < screen.columns; x++) {
            grid[y][x].character = '\0'; /* differs from what is shown: everything is drawn */
            show(x, y, (struct cell){' ', COLOUR_PLAIN});
        }
    }
}

static void move_up(unsigned lines)
{
    static const struct cell blank = {' ', COLOUR_PLAIN};

    for (unsigned y = 0; y < log_rows; y++) {
        for (unsigned x = 0; x < screen.columns; x++)
            show(x, y, y + lines < log_rows ? grid[y + lines][x] : blank);
    }
}

/* The place is one on the screen before anything is drawn: drawing may be cut off by a panic. */
static void new_line(void)
{
    unsigned lines = (log_rows + 1) / 2;

    column = 0;
    if (row + 1 < log_rows) {
        row++;
        return;
    }
    row = log_rows - lines;
    move_up(lines);
}

static const char *screen_open(void)
{
    const char *why = screen_framebuffer_open(&screen);

    if (why != NULL)
        why = screen_text_open(&screen);
    if (why != NULL) {
        screen = (struct screen){0}; /* half of one may have been found: nothing is drawn there */
        return why;
    }
    screen.columns = screen.columns > SCREEN_COLUMNS_MAX ? SCREEN_COLUMNS_MAX : screen.columns;
    screen.rows = screen.rows > SCREEN_ROWS_MAX ? SCREEN_ROWS_MAX : screen.rows;
    clear();
    log_rows = screen.rows - (screen.rows >= LEAST_LOG + STATUS_ROWS ? STATUS_ROWS : 0);
    return NULL;
}

static bool screen_write(const char *text, size_t length, enum console_colour colour)
{
    for (size_t i = 0; i < length && !has_page; i++) {
        if (text[i] == '\n') {
            new_line();
            continue;
        }
        if (column == screen.columns)
            new_line();
        show(column++, row, (struct cell){text[i], (uint8_t)colour});
    }
    return true;
}

/* The text, and blanks to the end of the row. */
static void show_row(unsigned y, const char *text, enum console_colour colour)
{
    for (unsigned x = 0; x < screen.columns; x++) {
        show(x, y, (struct cell){*text != '\0' ? *text : ' ', (uint8_t)colour});
        text += *text != '\0';
    }
}

void console_screen_status(const char *first, const char *second, enum console_colour colour)
{
    if (log_rows == screen.rows)
        return;
    show_row(log_rows, first, colour);
    show_row(log_rows + 1, second, colour);
}

bool console_screen_start_page(struct screen_page *page)
{
    screen_page_start(page, screen.columns, log_rows);
    return log_rows > 0;
}

void console_screen_show_page(const struct screen_page *page)
{
    has_page = true;
    for (unsigned y = 0; y < log_rows; y++) {
        if (y < page->used)
            show_row(y, page->row[y].text, page->row[y].colour);
        else
            show_row(y, "", COLOUR_PLAIN);
    }
}

const struct console_sink console_screen = {screen_open, screen_write};
