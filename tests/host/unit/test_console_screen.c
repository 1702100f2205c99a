/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log, the status and the page keep to their rows, on screens of every size. */
#include "kernel/screen/screen_page.h"

#include <setjmp.h>

#include "tests/host/unit/check.h"

/* The file under test, anew for each size: its state is static. */
#include "kernel/screen/console_screen.c"

static unsigned columns, rows;
static char shown[SCREEN_ROWS_MAX][SCREEN_COLUMNS_MAX + 1];

static unsigned drawn;              /* cells */
static char logged[64];             /* the end of what the summary was given */
static const void *draw_to = shown; /* NULL: the next cell is not drawn to its end */
static jmp_buf cut;

static void draw(unsigned x, unsigned y, struct screen_cell cell)
{
    CHECK(x < columns && y < rows, "column %u, row %u", x, y);
    CHECK(cell.colour < COLOUR_COUNT, "colour %d", cell.colour);
    if (draw_to == NULL) {
        draw_to = shown;
        longjmp(cut, 1);
    }
    drawn++;
    if (x < columns && y < rows)
        shown[y][x] = (char)cell.character;
}

void summary_take_log(const char *text, size_t length)
{
    snprintf(logged, sizeof(logged), "%.*s", (int)length, text);
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

static void put_rows(struct screen_page *to)
{
    for (unsigned y = 0; y < rows; y++)
        screen_page_put(to, 0, y, COLOUR_ON_BAD, "row %u", y);
}

/* The page takes the whole screen. Log and status are no longer shown, and unchanged cells are not
 * drawn again. */
static void check_page(void)
{
    struct screen_page *to = console_screen_start_page();
    char text[32];

    CHECK(to != NULL && to->columns == columns && to->rows == rows, "no page, or another size");
    put_rows(to);
    console_screen_show_page();
    log_line("\nthis is for the others\n");
    console_screen_status("over", "and out", COLOUR_PLAIN);
    for (unsigned y = 0; y < rows; y++) {
        snprintf(text, sizeof(text), "row %u", y);
        expect_row(y, text);
    }
    drawn = 0;
    put_rows(console_screen_start_page());
    screen_page_put(&page, 1, rows - 1, COLOUR_PLAIN, "%c", SCREEN_FULL);
    console_screen_show_page();
    CHECK(drawn == 1 && shown[rows - 1][1] == (char)SCREEN_FULL, "%u cells are drawn", drawn);
    CHECK_TEXT(logged, "\nthis is for the others\n");
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
    CHECK(!console_screen_is_open() && !console_screen_start_page(), "a page without a screen");
    console_screen_status("a", "b", COLOUR_PLAIN);
    columns = 0;
    CHECK(console_screen.open() != NULL, "opened");
    CHECK(!console_screen_is_open() && !console_screen_start_page(), "a page without a screen");
}

/* The watchdog may end a drawing in the middle of a cell: the next one does it again. */
static void check_cut_drawing(void)
{
    open_anew(20, 10);
    draw_to = NULL;
    if (setjmp(cut) == 0) {
        put_rows(console_screen_start_page());
        console_screen_show_page();
        CHECK(false, "nothing was cut off");
    }
    console_screen_show_page();
    expect_row(0, "row 0");
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
    check_cut_drawing();
    check_too_large();
    return check_result();
}
