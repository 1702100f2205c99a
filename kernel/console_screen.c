/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log on a screen. A copy of the grid is kept in memory, because reading a framebuffer is slow;
 * a full screen moves up by half, which costs a redraw of the cells that differ once in many lines.
 */
#include "kernel/console.h"

#include <stdint.h>

#include "kernel/screen.h"

#define COLUMN_LIMIT 320u
#define ROW_LIMIT    120u

struct cell {
    char character;
    uint8_t colour;
};

static struct screen screen;
static struct cell grid[ROW_LIMIT][COLUMN_LIMIT];
static unsigned column, row;

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

    for (unsigned y = 0; y < screen.rows; y++) {
        for (unsigned x = 0; x < screen.columns; x++)
            show(x, y, y + lines < screen.rows ? grid[y + lines][x] : blank);
    }
}

/* The place is one on the screen before anything is drawn: drawing may be cut off by a panic. */
static void new_line(void)
{
    unsigned lines = (screen.rows + 1) / 2;

    column = 0;
    if (row + 1 < screen.rows) {
        row++;
        return;
    }
    row = screen.rows - lines;
    move_up(lines);
}

static const char *screen_open(void)
{
    const char *why = screen_framebuffer_open(&screen);

    if (why != NULL)
        why = screen_text_open(&screen);
    if (why != NULL)
        return why;
    screen.columns = screen.columns > COLUMN_LIMIT ? COLUMN_LIMIT : screen.columns;
    screen.rows = screen.rows > ROW_LIMIT ? ROW_LIMIT : screen.rows;
    clear();
    return NULL;
}

static bool screen_write(const char *text, size_t length, enum console_colour colour)
{
    for (size_t i = 0; i < length; i++) {
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

const struct console_sink console_screen = {screen_open, screen_write};
