/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/dashboard.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define TEXT_SIZE 120u
#define FOOT_ROWS 5u /* last failure, empty row, running test, two rows of the bar */

/* Columns of the table, each with its end; those that do not fit are left out. */
static const struct column {
    const char *head;
    unsigned end;
    enum soak_stats_kind kind;
} columns[] = {
    {"records", 24, SOAK_STATS_RECORDS},   {"failed", 32, SOAK_STATS_FAILURES},
    {"runs", 42, SOAK_STATS_RUNS},         {"interrupts", 56, SOAK_STATS_INTERRUPTS},
    {"programs", 68, SOAK_STATS_PROGRAMS},
};

#define COLUMNS  (sizeof(columns) / sizeof(columns[0]))
#define NAME_AT  1u
#define STATE_AT 70u

static void put_number(struct screen_page *page, const struct column *column, unsigned row,
                       const struct soak_stats *stats)
{
    uint64_t number = stats->counts[column->kind];
    bool is_bad = column->kind == SOAK_STATS_FAILURES && number > 0;
    char text[TEXT_SIZE];

    format_string(text, sizeof(text), "%lu", number);
    screen_page_put_right(page, column->end, row, is_bad ? COLOUR_BAD : COLOUR_PLAIN, text);
}

static void put_row(struct screen_page *page, unsigned at, const struct soak_row *row)
{
    bool is_lost = row->state[0] != '\0' && strcmp(row->state, "lost") == 0;

    screen_page_put(page, NAME_AT, at, is_lost ? COLOUR_BAD : COLOUR_BRIGHT, "%s", row->name);
    for (size_t i = 0; i < COLUMNS && columns[i].end < page->columns; i++)
        put_number(page, &columns[i], at, &row->stats);
    screen_page_put(page, STATE_AT, at, is_lost ? COLOUR_BAD : COLOUR_QUIET, "%s", row->state);
}

static void put_heads(struct screen_page *page, unsigned row)
{
    screen_page_put(page, NAME_AT, row, COLOUR_QUIET, "processor");
    for (size_t i = 0; i < COLUMNS && columns[i].end < page->columns; i++)
        screen_page_put_right(page, columns[i].end, row, COLOUR_QUIET, columns[i].head);
}

/* The sum comes first, so that it is shown however many rows fit. */
static void put_table(struct screen_page *page, unsigned top, unsigned bottom,
                      const struct soak_view *view)
{
    const struct soak_row sum = {.name = "all", .state = "", .stats = view->sum};
    unsigned room = bottom > top + 2 ? bottom - top - 2 : 0;
    unsigned displayed = view->rows <= room ? view->rows : room > 0 ? room - 1 : 0;

    put_heads(page, top);
    put_row(page, top + 1, &sum);
    for (unsigned i = 0; i < displayed; i++) {
        struct soak_row row = view->row(i);

        put_row(page, top + 2 + i, &row);
    }
    if (displayed < view->rows && room > 0)
        screen_page_put(page, NAME_AT, top + 2 + displayed, COLOUR_QUIET, "... and %u more",
                        view->rows - displayed);
}

static void put_last_failure(struct screen_page *page, unsigned row, const char *last)
{
    if (last[0] == '\0')
        screen_page_put(page, NAME_AT, row, COLOUR_GOOD, "nothing has failed");
    else
        screen_page_put(page, NAME_AT, row, COLOUR_BAD, "failed last: %s", last);
}

/* "7:59:30" */
static char *format_time(uint64_t seconds, char text[TEXT_SIZE])
{
    format_string(text, TEXT_SIZE, "%lu:%02lu:%02lu", seconds / 3600, seconds / 60 % 60,
                  seconds % 60);
    return text;
}

static void put_bar(struct screen_page *page, unsigned row, const struct soak_view *view)
{
    uint64_t all = view->seconds + view->left;
    unsigned width = page->columns - 2, full;
    char past[TEXT_SIZE], left[TEXT_SIZE], text[TEXT_SIZE];
    enum console_colour colour =
        view->sum.counts[SOAK_STATS_FAILURES] > 0 ? COLOUR_BAD : COLOUR_GOOD;

    format_time(view->seconds, past);
    format_time(view->left, left);
    format_string(text, sizeof(text), "%s past, %s left, %lu records checked", past, left,
                  view->sum.counts[SOAK_STATS_RECORDS]);
    screen_page_put(page, NAME_AT, row, colour, "%s", text);
    full = all > 0 ? (unsigned)(width * view->seconds / all) : 0;
    screen_page_fill(page, 1, row + 1, full, SCREEN_FULL, colour);
    screen_page_fill(page, 1 + full, row + 1, width - full, SCREEN_SHADE, COLOUR_QUIET);
}

void soak_page_fill(struct screen_page *page, const struct soak_view *view)
{
    unsigned top = dashboard_put_head(page, view->machine) + 1, foot = page->rows - FOOT_ROWS;
    char name[TEST_NAME_SIZE];

    put_table(page, top, foot, view);
    put_last_failure(page, foot, view->last_failure);
    if (view->test != NULL)
        screen_page_put(page, NAME_AT, foot + 2, COLOUR_BRIGHT, "%s",
                        test_full_name(view->test, name));
    put_bar(page, foot + 3, view);
}
