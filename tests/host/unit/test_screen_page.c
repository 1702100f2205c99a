/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whatever is put on a page stays inside of it, and lines that flow over pages lose no word. */
#include "kernel/screen/screen_page.h"

#include "kernel/screen/screen.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/page_text.h"

#define LETTERS 8192u

static struct screen_page page;

static void check_putting(void)
{
    screen_page_start(&page, 20, 5);
    CHECK(screen_page_put(&page, 15, 1, COLOUR_BAD, "%s", "seven..") == 22, "the column behind");
    CHECK_TEXT(row_text(&page, 1, 15), "seven");
    CHECK(page.cell[1][19].colour == COLOUR_BAD && page.cell[1][14].colour == COLOUR_PLAIN,
          "colours");
    screen_page_put_right(&page, 19, 2, COLOUR_GOOD, "right");
    CHECK_TEXT(row_text(&page, 2, 0), "              right");
    screen_page_put_right(&page, 3, 3, COLOUR_GOOD, "too long");
    CHECK_TEXT(row_text(&page, 3, 0), "too long");
    screen_page_fill(&page, 18, 4, 5, '=', COLOUR_GOOD);
    CHECK_TEXT(row_text(&page, 4, 17), " ==");
    screen_page_put(&page, 0, 5, COLOUR_BAD, "below");
    screen_page_put(&page, 0, (unsigned)-1, COLOUR_BAD, "above");
    screen_page_start(&page, 1000, 1000);
    CHECK(page.columns == SCREEN_COLUMNS_MAX && page.rows == SCREEN_ROWS_MAX, "%ux%u", page.columns,
          page.rows);
    screen_page_start(&page, 20, 5);
    CHECK_TEXT(page_text(&page, 0, 0), "\n\n\n\n\n");
}

static void check_halves(void)
{
    static const uint8_t expected[] = {SCREEN_UPPER, SCREEN_LOWER, SCREEN_FULL, ' '};

    screen_page_start(&page, 4, 2);
    screen_page_set_halves(&page, 0, 2, 1, COLOUR_GOOD);
    screen_page_set_halves(&page, 1, 3, 1, COLOUR_GOOD);
    screen_page_set_halves(&page, 1, 3, 1, COLOUR_GOOD);
    screen_page_set_halves(&page, 2, 3, 1, COLOUR_GOOD);
    screen_page_set_halves(&page, 2, 2, 1, COLOUR_GOOD);
    screen_page_set_halves(&page, 3, 4, 9, COLOUR_GOOD);
    for (unsigned x = 0; x < 4; x++)
        CHECK(page.cell[1][x].character == expected[x] && page.cell[0][x].character == ' ',
              "column %u: %x", x, page.cell[1][x].character);
}

static bool is_set(unsigned x, unsigned half)
{
    uint8_t character = page.cell[half / 2][x].character;

    return character == SCREEN_FULL || character == (half % 2 ? SCREEN_LOWER : SCREEN_UPPER);
}

/* A big letter has the pixels of the small one, each a square, and no capital loses a row. */
static void check_big_letters(unsigned size)
{
    screen_page_start(&page, 8 * size, 5 * size);
    for (char letter[2] = "A"; letter[0] <= 'Z'; letter[0]++) {
        unsigned dots = 0, wanted = 0;

        if (letter[0] == 'Q') /* its tail is below the line */
            continue;
        screen_page_start(&page, page.columns, page.rows);
        screen_page_put_big(&page, 0, 0, size, COLOUR_BAD, letter);
        for (unsigned y = 0; y < 2 * page.rows; y++) {
            for (unsigned x = 0; x < page.columns; x++) {
                bool dot = font_row((uint8_t)letter[0], 2 + y / size) << x / size & 0x80;

                CHECK(is_set(x, y) == dot, "%s, size %u: %u %u", letter, size, x, y);
                dots += is_set(x, y);
            }
        }
        for (unsigned y = 0; y < FONT_HEIGHT; y++)
            wanted += (unsigned)__builtin_popcount(font_row((uint8_t)letter[0], y)) * size * size;
        CHECK(dots == wanted, "%s, size %u: %u of %u pixels", letter, size, dots, wanted);
    }
}

static struct screen_flow flow_in(unsigned columns, unsigned rows, unsigned displayed)
{
    const struct screen_window window = {0, 0, columns, rows};

    screen_page_start(&page, columns, rows);
    return (struct screen_flow){
        .page = &page, .displayed = displayed, .first = window, .others = window};
}

static void check_wrapping(void)
{
    struct screen_flow flow = flow_in(20, 5, 0);

    screen_flow_space(&flow);
    screen_flow_add(&flow, COLOUR_BAD, "%s", "twelve words that go on and on");
    CHECK(flow.used == 2 && flow.number == 0, "%u rows", flow.used);
    CHECK_TEXT(row_text(&page, 0, 0), "twelve words that go");
    CHECK_TEXT(row_text(&page, 1, 0), "    on and on");
    CHECK(page.cell[1][4].colour == COLOUR_BAD, "colour %d", page.cell[1][4].colour);
    screen_flow_space(&flow);
    screen_flow_space(&flow);
    screen_flow_add(&flow, COLOUR_PLAIN, "a_long_name_of.two_parts");
    CHECK_TEXT(row_text(&page, 2, 0), "");
    CHECK_TEXT(row_text(&page, 3, 0), "a_long_name_of.two_");
    CHECK_TEXT(row_text(&page, 4, 0), "    parts");
    flow = flow_in(20, 5, 0);
    screen_flow_add(&flow, COLOUR_PLAIN, "one");
    screen_flow_space(&flow);
    screen_flow_add(&flow, COLOUR_PLAIN, "two");
    screen_flow_add(&flow, COLOUR_PLAIN, "three");
    CHECK_TEXT(page_text(&page, 0, 0), "one\n\ntwo\nthree\n\n");
    flow = flow_in(20, 5, 0);
    screen_flow_add(&flow, COLOUR_PLAIN, "abcdefghijklmnopqrstuvwxyz");
    CHECK_TEXT(row_text(&page, 0, 0), "abcdefghijklmnopqrst");
    CHECK_TEXT(row_text(&page, 1, 0), "    uvwxyz");
}

/* A line that the first page has no room for stands on the second, whole. */
static void check_pages(void)
{
    for (unsigned displayed = 0; displayed < 3; displayed++) {
        struct screen_flow flow = flow_in(20, 5, displayed);

        flow.first = (struct screen_window){4, 3, 10, 2};
        screen_flow_add(&flow, COLOUR_PLAIN, "one row");
        screen_flow_add(&flow, COLOUR_PLAIN, "two rows: the second");
        screen_flow_space(&flow);
        screen_flow_add(&flow, COLOUR_PLAIN, "last");
        CHECK(flow.number == 1 && flow.used == 3, "page %u, %u rows", flow.number, flow.used);
        CHECK_TEXT(row_text(&page, 3, 0), displayed == 0 ? "    one row" : "");
        CHECK_TEXT(page_text(&page, 0, 4), displayed == 0   ? "\n\n\none row\n\n"
                                           : displayed == 1 ? "rows: the second\n\n\n\n\n"
                                                            : "\n\n\n\n\n");
        CHECK_TEXT(row_text(&page, 2, 0), displayed == 1 ? "last" : "");
    }
}

static void check_need(void)
{
    struct screen_flow flow = flow_in(20, 5, 0);

    screen_flow_add(&flow, COLOUR_PLAIN, "a row");
    screen_flow_need(&flow, 4);
    CHECK(flow.number == 0 && flow.used == 1, "page %u, row %u", flow.number, flow.used);
    screen_flow_need(&flow, 5);
    CHECK(flow.number == 1 && flow.used == 0, "page %u, row %u", flow.number, flow.used);
    screen_flow_need(&flow, 6); /* no page has so many */
    CHECK(flow.number == 1 && flow.used == 0, "page %u, row %u", flow.number, flow.used);
}

/* The letters of a text without its spaces, which wrapping may change. */
static void squeeze(char *to, const char *from)
{
    for (; *from != '\0'; from++) {
        if (*from != ' ')
            *to++ = *from;
    }
    *to = '\0';
}

static void add_words(char *text, unsigned words)
{
    static unsigned seed = 12345;

    for (unsigned i = 0; i < words; i++) {
        unsigned length = (seed = seed * 1103515245u + 12345u) >> 16 & 31;

        for (unsigned j = 0; j < length; j++)
            *text++ = (char)('a' + (i + j) % 26);
        *text++ = ' ';
    }
    *text = '\0';
}

#define LINES 24u

/* All pages together hold what was added. */
static void check_flow(char lines[LINES][1000], unsigned columns, unsigned rows)
{
    static char got[LETTERS + SCREEN_COLUMNS_MAX], wanted[LETTERS], row[SCREEN_COLUMNS_MAX + 1];
    unsigned last = 0;

    got[0] = wanted[0] = '\0';
    for (unsigned displayed = 0; displayed <= last; displayed++) {
        struct screen_flow flow = flow_in(columns, rows, displayed);

        flow.first.rows = rows / 2;
        flow.first.columns = columns - columns / 3;
        for (unsigned i = 0; i < LINES; i++)
            screen_flow_add(&flow, COLOUR_PLAIN, "%s", lines[i]);
        last = flow.number;
        for (unsigned y = 0; y < rows && strlen(got) < LETTERS; y++) {
            squeeze(row, row_text(&page, y, 0));
            strcat(got, row);
        }
    }
    for (unsigned i = 0; i < LINES; i++)
        squeeze(wanted + strlen(wanted), lines[i]);
    CHECK(strcmp(got, wanted) == 0, "%ux%u: '%s' of '%s'", columns, rows, got, wanted);
}

static void check_every_size(void)
{
    static char lines[LINES][1000];
    struct screen_flow nowhere = flow_in(0, 0, 0);

    for (unsigned i = 0; i < LINES; i++)
        add_words(lines[i], i);
    for (unsigned columns = 1; columns <= 340; columns += 1 + columns / 3) {
        for (unsigned rows = 1 + 100 / columns; rows <= 130; rows += 1 + rows / 2)
            check_flow(lines, columns < SCREEN_COLUMNS_MAX ? columns : SCREEN_COLUMNS_MAX,
                       rows < SCREEN_ROWS_MAX ? rows : SCREEN_ROWS_MAX);
    }
    screen_flow_add(&nowhere, COLOUR_PLAIN, "no room at all");
}

static void check_long_text_is_cut(void)
{
    static char text[9000];
    struct screen_flow flow = flow_in(100, 60, 0);

    memset(text, 'x', sizeof(text) - 1);
    screen_flow_add(&flow, COLOUR_PLAIN, "%s", text);
    CHECK(flow.used == 43, "%u rows", flow.used);
}

int main(void)
{
    check_putting();
    check_halves();
    for (unsigned size = 1; size <= 4; size++)
        check_big_letters(size);
    check_wrapping();
    check_pages();
    check_need();
    check_every_size();
    check_long_text_is_cut();
    return check_result();
}
