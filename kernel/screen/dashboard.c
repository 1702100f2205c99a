/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/dashboard.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define TEXT_SIZE     200u
#define COLUMNS_LEAST 64u /* a smaller screen shows only the running test */
#define ROWS_LEAST    25u

/* An entry of a suite: mark, name, and the rest if there is room. */
#define SUITE_LEAST  26u /* columns */
#define SUITE_NAME   6u
#define SUITE_COUNT  30u /* end of the number of tests run */
#define SUITE_TIME   39u
#define SUITE_REMARK 41u
#define SUITE_MOST   56u

/* The grid: two rows of headings, then a label and eight cells in each row. */
#define GRID_LABEL   10u /* columns */
#define GRID_CELL    5u
#define GRID_ROW     8u /* cells */
#define GRID_HEAD    2u
#define GRID_COLUMNS (GRID_LABEL + GRID_ROW * GRID_CELL)
#define GRID_ROWS    (GRID_HEAD + PROGRESS_CELLS / GRID_ROW)
#define BETWEEN      2u /* columns between two parts */

#define FINDING_LEAST 60u /* columns, for a finding beside the failed test's name */

struct layout {
    struct screen_window suites; /* suites of one column */
    unsigned suite_columns;
    struct screen_window grid, failures;
};

static const struct look {
    const char *word;
    enum console_colour colour, cell_colour;
} looks[] = {
    [MARK_WAITING] = {".", COLOUR_QUIET, COLOUR_QUIET},
    [MARK_RUNNING] = {">>", COLOUR_BRIGHT, COLOUR_BRIGHT},
    [MARK_OK] = {"ok", COLOUR_GOOD, COLOUR_ON_GOOD},
    [MARK_SKIPPED] = {"skip", COLOUR_WARNING, COLOUR_ON_WARNING},
    [MARK_KNOWN] = {"(ok)", COLOUR_WARNING, COLOUR_ON_WARNING},
    [MARK_STARVED] = {"time", COLOUR_WARNING, COLOUR_ON_WARNING},
    [MARK_FAILED] = {"FAIL", COLOUR_BAD, COLOUR_ON_BAD},
};

/* Puts the board beside the version if both fit. */
unsigned dashboard_put_head(struct screen_page *page, const struct machine_name *machine)
{
    const struct screen_window window = {1, 1, page->columns - 1, page->rows - 1};
    struct screen_flow flow = {.page = page, .first = window, .others = window};
    unsigned end = page->columns - 1, column;
    bool fits;

    screen_page_fill(page, 0, 0, page->columns, ' ', COLOUR_ON_BAR);
    column = screen_page_put(page, 1, 0, COLOUR_ON_BAR, "btscheck %s", machine->version);
    fits = column + BETWEEN + strlen(machine->board_name) <= end;
    if (fits)
        screen_page_put_right(page, end, 0, COLOUR_ON_BAR, machine->board_name);
    machine_add_lines(&flow, machine, !fits);
    return 1 + flow.used;
}

/* --- suites --- */

static void format_time(char *text, uint64_t microseconds)
{
    if (microseconds < 1000000)
        format_string(text, TEXT_SIZE, "%lu ms", microseconds / 1000);
    else
        format_string(text, TEXT_SIZE, "%lu.%lu s", microseconds / 1000000,
                      microseconds / 100000 % 10);
}

/* Writes the gravest remark besides the mark. */
static void format_remark(char *text, const struct ktap_totals *n)
{
    const struct {
        unsigned count;
        const char *what;
    } remarks[] = {{n->fail, "failed"},
                   {n->timeout, "starved"},
                   {n->xfail, "known errata"},
                   {n->skip, "skipped"}};

    text[0] = '\0';
    for (unsigned i = 0; i < 4 && text[0] == '\0'; i++) {
        if (remarks[i].count > 0)
            format_string(text, TEXT_SIZE, "%u %s", remarks[i].count, remarks[i].what);
    }
}

/* Writes up to a column, if a blank remains after the name. */
static void put_behind(struct screen_page *page, unsigned name_end, unsigned end, unsigned row,
                       enum console_colour colour, const char *text)
{
    if (name_end + 1 + strlen(text) <= end)
        screen_page_put_right(page, end, row, colour, text);
}

static void put_suite(struct screen_page *page, unsigned column, unsigned row, unsigned width,
                      const struct progress_suite *suite)
{
    const struct look *look = &looks[suite->mark];
    enum console_colour colour = suite->mark == MARK_WAITING ? COLOUR_QUIET : COLOUR_PLAIN;
    char count[TEXT_SIZE], time[TEXT_SIZE] = "", remark[TEXT_SIZE];
    bool has_count = width >= SUITE_TIME;
    unsigned end;

    format_string(count, sizeof(count), "%u/%u", suite->tests.run, suite->tests.planned);
    if (suite->mark != MARK_WAITING)
        format_time(time, suite->microseconds);
    format_remark(remark, &suite->tests);
    screen_page_put(page, column, row, look->colour, "%5s", look->word);
    end = screen_page_put(page, column + SUITE_NAME, row, colour, "%s", suite->name);
    if (has_count)
        put_behind(page, end, column + SUITE_COUNT, row, colour, count);
    put_behind(page, has_count ? column + SUITE_COUNT : end,
               column + (has_count ? SUITE_TIME : width), row, colour, time);
    if (SUITE_REMARK + strlen(remark) <= width)
        screen_page_put(page, column + SUITE_REMARK, row, suite->tests.fail ? COLOUR_BAD : colour,
                        "%s", remark);
}

/* If there is no room for all, shows at least the running one. */
static void put_suites(struct screen_page *page, const struct layout *layout,
                       const struct progress *p)
{
    const struct screen_window *window = &layout->suites;
    unsigned room = window->rows * layout->suite_columns;
    unsigned first = p->suite < room ? 0 : p->suite + 1 - room;

    for (unsigned i = 0; i < room && first + i < p->suite_count; i++)
        put_suite(page, window->left + i / window->rows * window->columns,
                  window->top + i % window->rows, window->columns, &p->suites[first + i]);
}

/* --- the grid, and what failed --- */

static void put_grid(struct screen_page *page, const struct screen_window *window,
                     const struct progress *p)
{
    unsigned left = window->left + GRID_LABEL, top = window->top + GRID_HEAD;

    screen_page_put(page, window->left, window->top, COLOUR_BRIGHT, "%s", p->grid->title);
    screen_page_put(page, left + 1, window->top, COLOUR_PLAIN, "%s", p->grid->columns);
    screen_page_put(page, window->left, top - 1, COLOUR_PLAIN, "%s", p->grid->rows);
    for (unsigned i = 0; i < GRID_ROW; i++)
        screen_page_put(page, left + i * GRID_CELL, top - 1, COLOUR_PLAIN, " %u%u%u", i >> 2 & 1,
                        i >> 1 & 1, i & 1);
    for (unsigned i = 0; i < PROGRESS_CELLS; i++) {
        const struct look *look = &looks[p->cells[i]];
        unsigned row = i / GRID_ROW;

        screen_page_put(page, window->left, top + row, COLOUR_PLAIN, " %u  %u", row >> 1, row & 1);
        screen_page_put(page, left + i % GRID_ROW * GRID_CELL, top + row, look->cell_colour,
                        strlen(look->word) < 3 ? " %-3s" : "%-4s", look->word);
    }
}

/* Returns the number named. */
static unsigned put_names(struct screen_page *page, const struct screen_window *window,
                          const struct summary *summary)
{
    struct screen_flow flow = {.page = page, .first = *window, .others = *window};
    unsigned displayed = 0;
    char name[TEST_NAME_SIZE];

    for (; displayed < summary->failure_count; displayed++) {
        const struct failure *failure = &summary->failures[displayed];

        screen_flow_add(&flow, COLOUR_BAD, "%s",
                        test_labelled_name(failure->test, failure->cpu_label, name));
        if (flow.number > 0)
            break;
        if (window->columns >= FINDING_LEAST && failure->finding[0] != '\0')
            screen_flow_add(&flow, COLOUR_PLAIN, "%s", failure->finding);
    }
    return displayed;
}

/* Names as many as fit; the last row has the number of the others. */
static void put_failures(struct screen_page *page, const struct screen_window *window,
                         const struct dashboard *d)
{
    const struct screen_window rows = {window->left, window->top + 1, window->columns,
                                       window->rows - 2};
    unsigned failed = d->progress->tests.fail, displayed = put_names(page, &rows, d->summary);

    screen_page_put(page, window->left, window->top, failed > 0 ? COLOUR_BAD : COLOUR_QUIET,
                    "failed so far: %u", failed);
    if (displayed < failed)
        screen_page_put(page, window->left, window->top + window->rows - 1, COLOUR_BAD,
                        "... and %u more", failed - displayed);
}

/* --- the foot --- */

/* Appends to the text if the whole fits so many columns. */
static void append_whole(char *text, unsigned columns, const char *more)
{
    if (strlen(text) + strlen(more) <= columns)
        format_append(text, TEXT_SIZE, "%s", more);
}

static void put_test(struct screen_page *page, unsigned row, const struct progress *p)
{
    char text[TEXT_SIZE], more[TEXT_SIZE];
    unsigned columns = page->columns - 1;

    if (p->test == NULL)
        return;
    test_full_name(p->test, text);
    format_string(more, sizeof(more), ", repetition %lu of %lu", p->repetition + 1, p->repetitions);
    if (p->repetitions > 1)
        append_whole(text, columns, more);
    format_string(more, sizeof(more), ", began after %lu s", p->seconds);
    append_whole(text, columns, more);
    screen_page_put(page, 1, row, COLOUR_BRIGHT, "%s", text);
}

static void put_bar(struct screen_page *page, unsigned row, const struct ktap_totals *n)
{
    char text[TEXT_SIZE];
    unsigned width, full;

    format_string(text, sizeof(text), "%u of %u tests: %u ok, %u failed, %u skipped", n->run,
                  n->planned, n->pass + n->xfail, n->fail, n->skip);
    if (n->timeout > 0)
        format_append(text, sizeof(text), ", %u starved", n->timeout);
    screen_page_put_right(page, page->columns - 1, row, n->fail > 0 ? COLOUR_BAD : COLOUR_PLAIN,
                          text);
    width = (unsigned)strlen(text) + BETWEEN + 2;
    width = page->columns > width ? page->columns - width : 0;
    full = n->planned > 0 ? width * n->run / n->planned : 0;
    screen_page_fill(page, 1, row, full, SCREEN_FULL, n->fail > 0 ? COLOUR_BAD : COLOUR_GOOD);
    screen_page_fill(page, 1 + full, row, width - full, SCREEN_SHADE, COLOUR_QUIET);
}

/* --- where all of it stands --- */

/* Grid and failures beside a single column of suites. */
static void lay_out_beside(struct layout *layout, const struct screen_page *page, unsigned top,
                           unsigned bottom, unsigned grid_rows)
{
    unsigned left = SUITE_MOST + BETWEEN, columns = page->columns - left - 1;

    layout->suite_columns = 1;
    layout->suites = (struct screen_window){0, top, SUITE_MOST, bottom - top};
    layout->grid = (struct screen_window){left, top, columns, grid_rows};
    top += grid_rows + (grid_rows > 0);
    layout->failures = (struct screen_window){left, top, columns, bottom - top};
}

/* Grid and failures below as many columns of suites as needed. */
static void lay_out_below(struct layout *layout, const struct screen_page *page, unsigned top,
                          unsigned bottom, unsigned grid_rows, unsigned suites)
{
    unsigned room = bottom - GRID_ROWS - top, n = 1, left = 1, rows;

    while ((suites + n - 1) / n > room && page->columns / (n + 1) >= SUITE_LEAST)
        n++;
    rows = (suites + n - 1) / n;
    if (rows > room)
        rows = room;
    top += rows + 2 <= room; /* an empty row above, and one below */
    layout->suite_columns = n;
    layout->suites = (struct screen_window){0, top, page->columns / n, rows};
    top += rows + (rows < room);
    if (grid_rows > 0)
        left += GRID_COLUMNS + BETWEEN;
    layout->grid = (struct screen_window){1, top, GRID_COLUMNS, grid_rows};
    layout->failures = (struct screen_window){left, top, page->columns - left, bottom - top};
}

static void lay_out(struct layout *layout, const struct screen_page *page, unsigned top,
                    const struct progress *p)
{
    unsigned bottom = page->rows - 2, grid_rows = p->grid != NULL ? GRID_ROWS : 0;

    if (p->suite_count + 1 <= bottom - top)
        top++;
    if (p->suite_count <= bottom - top && page->columns >= SUITE_MOST + BETWEEN + GRID_COLUMNS + 1)
        lay_out_beside(layout, page, top, bottom, grid_rows);
    else
        lay_out_below(layout, page, top, bottom, grid_rows, p->suite_count);
}

void dashboard_fill(struct screen_page *page, const struct dashboard *dashboard)
{
    const struct progress *p = dashboard->progress;
    struct layout layout;

    put_test(page, page->rows - 2, p);
    put_bar(page, page->rows - 1, &p->tests);
    if (page->columns < COLUMNS_LEAST || page->rows < ROWS_LEAST)
        return;
    lay_out(&layout, page, dashboard_put_head(page, dashboard->machine), p);
    put_suites(page, &layout, p);
    if (p->grid != NULL)
        put_grid(page, &layout.grid, p);
    put_failures(page, &layout.failures, dashboard);
}

void machine_add_lines(struct screen_flow *flow, const struct machine_name *machine,
                       bool with_board)
{
    screen_flow_add(flow, COLOUR_PLAIN, "%s, hypervisor: %s", machine->cpu, machine->hypervisor);
    screen_flow_add(flow, COLOUR_PLAIN, "%s, microcode 0x%08x", machine->signature,
                    machine->microcode);
    screen_flow_add(flow, COLOUR_PLAIN, "%s%s%s", machine->firmware,
                    machine->firmware_version[0] != '\0' ? ": " : "", machine->firmware_version);
    if (with_board && machine->board_name[0] != '\0')
        screen_flow_add(flow, COLOUR_PLAIN, "board: %s", machine->board_name);
    if (machine->serial_problem != NULL)
        screen_flow_add(flow, COLOUR_WARNING, "console without serial: %s",
                        machine->serial_problem);
}
