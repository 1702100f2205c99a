/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/screen_page.c arch/lib/printf.c */
/* Whatever is added, a page keeps to its rows and columns and loses no word. */
#include "kernel/screen_page.h"

#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

static struct screen_page page;

static void check_wrapping(void)
{
    screen_page_start(&page, 20, 5);
    CHECK(screen_page_add(&page, COLOUR_BAD, 0, "%s", "twelve words that go on and on"), "refused");
    CHECK(page.used == 2 && screen_page_left(&page) == 3, "%u rows", page.used);
    CHECK_TEXT(page.row[0].text, "twelve words that go");
    CHECK_TEXT(page.row[1].text, "    on and on");
    CHECK(page.row[1].colour == COLOUR_BAD, "colour %d", page.row[1].colour);
    CHECK(screen_page_add(&page, COLOUR_PLAIN, 0, "abcdefghijklmnopqrstuvwxyz"), "refused");
    CHECK_TEXT(page.row[2].text, "abcdefghijklmnopqrst");
    CHECK_TEXT(page.row[3].text, "    uvwxyz");
    CHECK(!screen_page_add(&page, COLOUR_PLAIN, 0, "%s", "two rows that are not there"), "taken");
    CHECK(!screen_page_add(&page, COLOUR_PLAIN, 1, "one row"), "the spare row is taken");
    CHECK(screen_page_add(&page, COLOUR_PLAIN, 0, "%s", ""), "an empty line is refused");
    CHECK(page.used == 5 && page.row[4].text[0] == '\0', "%u rows", page.used);
    CHECK(!screen_page_add(&page, COLOUR_PLAIN, 0, "%s", ""), "taken, although full");
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

/* Nothing is lost where it is taken, and nothing changes where it is not. */
static void check_one(const char *text, unsigned columns, unsigned rows)
{
    static char got[2000], row[2000], wanted[2000];
    unsigned before = page.used;
    bool taken = screen_page_add(&page, COLOUR_PLAIN, 0, "%s", text);

    CHECK(page.used <= rows, "%u of %u rows", page.used, rows);
    CHECK(taken == (page.used > before), "taken: %d, rows: %u", taken, page.used - before);
    got[0] = '\0';
    for (unsigned i = before; i < page.used; i++) {
        CHECK(strlen(page.row[i].text) <= columns, "%u columns: '%s'", columns, page.row[i].text);
        squeeze(row, page.row[i].text);
        strcat(got, row);
    }
    squeeze(wanted, taken ? text : "");
    CHECK_TEXT(got, wanted);
}

static void check_every_size(void)
{
    static char text[2000];

    for (unsigned columns = 0; columns <= 340; columns += 1 + columns / 9) {
        for (unsigned rows = 0; rows <= 130; rows += 1 + rows / 4) {
            screen_page_start(&page, columns, rows);
            for (unsigned words = 0; words < 28; words++) {
                add_words(text, words);
                check_one(text, columns ? columns : 1, rows);
            }
        }
    }
}

static void check_long_text_is_cut(void)
{
    static char text[5000];

    memset(text, 'x', sizeof(text) - 1);
    screen_page_start(&page, 100, 50);
    CHECK(screen_page_add(&page, COLOUR_PLAIN, 0, "%s", text), "refused");
    CHECK(page.used == 11, "%u rows", page.used);
}

int main(void)
{
    check_wrapping();
    check_every_size();
    check_long_text_is_cut();
    return check_result();
}
