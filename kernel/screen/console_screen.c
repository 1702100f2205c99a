/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log on a screen, above two status rows, until a page replaces it. Memory keeps a copy of the
 * grid, because reading a framebuffer is slow, and only changed cells are drawn. A full log moves
 * up by half a screen, so that this is rare.
 */
#include "kernel/screen/console_screen.h"

#include <stdint.h>

#include "kernel/screen/screen.h"
#include "kernel/report/summary.h"

#define STATUS_ROWS 2u
#define LEAST_LOG   4u /* rows; a smaller screen shows no status */

static struct screen screen;
static struct screen_cell grid[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX];
static unsigned column, row;
static unsigned log_rows; /* from above; 0: no screen */
static struct screen_page page;
static bool keeps_log; /* while tests run */
static bool has_page;  /* instead of the log */

/* Drawing may be cut off; the cell is then drawn again. */
static void show(unsigned x, unsigned y, struct screen_cell cell)
{
    struct screen_cell *old = &grid[y][x];

    if (old->character == cell.character && old->colour == cell.colour)
        return;
    screen.draw(x, y, cell);
    *old = cell;
}

static void clear(void)
{
    for (unsigned y = 0; y < screen.rows; y++) {
        for (unsigned x = 0; x < screen.columns; x++) {
            grid[y][x].character = '\0'; /* differs from every cell, so all are drawn */
            show(x, y, (struct screen_cell){' ', COLOUR_PLAIN});
        }
    }
}

static void move_up(unsigned lines)
{
    static const struct screen_cell blank = {' ', COLOUR_PLAIN};

    for (unsigned y = 0; y < log_rows; y++) {
        for (unsigned x = 0; x < screen.columns; x++)
            show(x, y, y + lines < log_rows ? grid[y + lines][x] : blank);
    }
}

/* Sets a valid position before it draws, because a panic may interrupt drawing. */
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
        screen = (struct screen){0}; /* a screen that failed to open is not used */
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
    summary_take_log(text, length);
    for (size_t i = 0; i < length && !has_page; i++) {
        if (text[i] == '\n') {
            new_line();
            continue;
        }
        if (column == screen.columns)
            new_line();
        show(column++, row, (struct screen_cell){(uint8_t)text[i], (uint8_t)colour});
    }
    return true;
}

/* Writes the text, and blanks to the end of the row. */
static void show_row(unsigned y, const char *text, enum console_colour colour)
{
    for (unsigned x = 0; x < screen.columns; x++) {
        show(x, y, (struct screen_cell){(uint8_t)(*text != '\0' ? *text : ' '), (uint8_t)colour});
        text += *text != '\0';
    }
}

void console_screen_status(const char *first, const char *second, enum console_colour colour)
{
    if (log_rows == screen.rows || has_page)
        return;
    show_row(log_rows, first, colour);
    show_row(log_rows + 1, second, colour);
}

void console_screen_keep_log(bool keep)
{
    keeps_log = keep;
}

bool console_screen_keeps_log(void)
{
    return keeps_log;
}

bool console_screen_is_open(void)
{
    return screen.rows > 0;
}

static void screen_leave(void)
{
    screen = (struct screen){0};
    log_rows = 0;
}

struct screen_page *console_screen_start_page(void)
{
    if (!console_screen_is_open())
        return NULL;
    screen_page_start(&page, screen.columns, screen.rows);
    return &page;
}

void console_screen_show_page(void)
{
    has_page = true;
    for (unsigned y = 0; y < page.rows; y++) {
        for (unsigned x = 0; x < page.columns; x++)
            show(x, y, page.cell[y][x]);
    }
}

const struct console_sink console_screen = {screen_open, screen_write, screen_leave};
