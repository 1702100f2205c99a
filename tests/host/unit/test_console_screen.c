/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/screen_page.c arch/lib/printf.c */
/* The log, the status and the page keep to their rows, on screens of every size. */
#include "kernel/screen_page.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

/* The file under test, anew for each size: its state is static. */
#include "kernel/console_screen.c"

static unsigned columns, rows;
static char shown[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX + 1];

static void draw(unsigned x, unsigned y, char character, enum console_colour colour)
{
    CHECK(x < columns && y < rows, "column %u, row %u", x, y);
    CHECK(colour <= COLOUR_WARNING, "colour %d", colour);
    if (x < columns && y < rows)
        shown[y][x] = character;
}

const char *screen_framebuffer_open(struct screen *out)
{
    *out = (struct screen){.columns = columns, .rows = rows, .draw = draw};
    return columns > 0 ? NULL : "none";
}

const char *screen_text_open(struct screen *out)
{
    (void)out;
    return "no text either";
}

static void open_anew(unsigned new_columns, unsigned new_rows)
{
    columns = new_columns;
    rows = new_rows;
    column = row = 0;
    has_page = false;
    memset(shown, 0, sizeof(shown));
    CHECK(console_screen.open() == NULL, "not opened");
}

static void log_line(const char *text)
{
    console_screen.write(text, strlen(text), COLOUR_PLAIN);
}

static bool is_row(unsigned y, const char *text)
{
    size_t length = strlen(text);

    for (unsigned x = 0; x < columns; x++) {
        if (shown[y][x] != (x < length ? text[x] : ' '))
            return false;
    }
    return true;
}

static void expect_row(unsigned y, const char *text)
{
    CHECK(is_row(y, text), "%ux%u, row %u: expected '%s', got '%.*s'", columns, rows, y, text,
          (int)columns, shown[y]);
}

static bool has_status_rows(void)
{
    return rows >= 6;
}

/* The newest line is there, and those before it stand above it without a gap. */
static void check_log(unsigned count)
{
    unsigned foot = has_status_rows() ? rows - 2 : rows;
    unsigned last = 0, visible = 0;
    char text[32];

    snprintf(text, sizeof(text), "line %u", count);
    while (last < foot && !is_row(last, text))
        last++;
    CHECK(last < foot, "%ux%u: line %u is not on the screen", columns, rows, count);
    for (unsigned y = last; y < foot && count > 0; y--, count--, visible++) {
        snprintf(text, sizeof(text), "line %u", count);
        expect_row(y, text);
    }
    CHECK(count == 0 || visible >= foot / 2, "%ux%u: only %u lines", columns, rows, visible);
    for (unsigned y = last + 1; y < foot; y++)
        expect_row(y, "");
}

static void check_status(unsigned count)
{
    char text[32];

    snprintf(text, sizeof(text), "test %u", count);
    if (has_status_rows()) {
        expect_row(rows - 2, text);
        expect_row(rows - 1, "its name");
    }
}

static void check_log_above_status(void)
{
    char text[32];

    for (unsigned count = 1; count < 3 * rows; count++) {
        snprintf(text, sizeof(text), "test %u", count);
        console_screen_status(text, "its name", COLOUR_GOOD);
        snprintf(text, sizeof(text), "%sline %u", count > 1 ? "\n" : "", count);
        log_line(text);
        check_log(count);
        check_status(count);
    }
}

static void check_page(void)
{
    static struct screen_page page;
    static char text[SCREEN_COLUMNS_MAX + 1];
    unsigned foot = has_status_rows() ? rows - 2 : rows;

    CHECK(console_screen_start_page(&page), "no page");
    CHECK(page.columns == columns && page.rows == foot, "%ux%u", page.columns, page.rows);
    memset(text, '=', columns);
    text[columns] = '\0';
    screen_page_add(&page, COLOUR_BAD, 0, "%s", text);
    for (unsigned i = 1; i + 1 < foot; i++)
        screen_page_add(&page, COLOUR_BAD, 0, "row %u", i);
    console_screen_show_page(&page);
    log_line("\nthis is for the others\n");
    expect_row(0, text);
    for (unsigned i = 1; i < foot; i++) {
        snprintf(text, sizeof(text), "row %u", i);
        expect_row(i, i + 1 < foot ? text : "");
    }
    console_screen_status("over", "and out", COLOUR_PLAIN);
    if (has_status_rows())
        expect_row(rows - 2, "over");
}

static void check_every_size(void)
{
    for (unsigned y = 1; y <= SCREEN_ROWS_MAX; y += 1 + y / 8) {
        for (unsigned x = 12; x <= SCREEN_COLUMNS_MAX; x += 1 + x / 3) {
            open_anew(x, y);
            check_log_above_status();
            check_page();
        }
    }
}

/* Larger than there is memory for: the rest of the screen stays black. */
static void check_too_large(void)
{
    columns = 1000;
    rows = 1000;
    CHECK(console_screen.open() == NULL, "not opened");
    CHECK(screen.columns == SCREEN_COLUMNS_MAX && screen.rows == SCREEN_ROWS_MAX, "%ux%u",
          screen.columns, screen.rows);
}

static void check_no_screen(void)
{
    static struct screen_page page;

    CHECK(!console_screen_start_page(&page), "a page without a screen");
    console_screen_status("a", "b", COLOUR_PLAIN);
    columns = 0;
    CHECK(console_screen.open() != NULL, "opened");
    CHECK(!console_screen_start_page(&page), "a page without a screen");
}

static void check_long_lines(void)
{
    open_anew(20, 10);
    console_screen_status("a status that is longer than a row is cut", "", COLOUR_PLAIN);
    expect_row(8, "a status that is lon");
    log_line("a line of the log that is longer\n");
    expect_row(0, "a line of the log th");
    expect_row(1, "at is longer");
}

int main(void)
{
    check_no_screen();
    check_every_size();
    check_long_lines();
    check_too_large();
    return check_result();
}
