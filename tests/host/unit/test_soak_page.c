/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a soak goes on stands whole on every usual screen, whatever does not fit. */
#include "kernel/screen/dashboard.h"

#include "kernel/run/soak.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/page_text.h"

static const struct {
    unsigned columns, rows;
} screens[] = {{80, 25}, {80, 30}, {100, 37}, {160, 50}, {128, 48}, {240, 67}};

static struct screen_page page;
static struct machine_name machine = SAMPLE_MACHINE;
static const struct test test = {.suite = "lbr", .name = "wraps"};

static struct soak_row row_of(unsigned number)
{
    static char name[16];

    snprintf(name, sizeof(name), "cpu%u", number);
    return (struct soak_row){
        name, number == 2 ? "lost" : "runs", {{1000000 + number, 7, 9, 40 + number, number == 1}}};
}

static struct soak_view view_of(unsigned rows)
{
    return (struct soak_view){.machine = &machine,
                              .last_failure = "lbr@cpu1.wraps: entry 3 is missing",
                              .seconds = 3661,
                              .left = 25139,
                              .sum = {{123456789012, 70, 90, 400, 1}},
                              .row = row_of,
                              .rows = rows,
                              .test = &test};
}

static void check_whole(unsigned columns, unsigned rows)
{
    struct soak_view view = view_of(4);
    const char *text;

    screen_page_start(&page, columns, rows);
    soak_page_fill(&page, &view);
    text = page_rows(&page);
    CHECK(strstr(text, "failed last: lbr@cpu1.wraps: entry 3 is missing\n"), "%s", text);
    CHECK(strstr(text, "lbr.wraps\n 1:01:01 past, 6:58:59 left, 123456789012 records checked\n"),
          "%s", text);
    for (unsigned i = 0; i < 4; i++) {
        char line[64];

        snprintf(line, sizeof(line), "\n cpu%u            100000%u", i, i);
        CHECK(strstr(text, line), "no row of %u: %s", i, text);
    }
    CHECK(strstr(text, "lost"), "%s", text);
}

static void check_many(void)
{
    struct soak_view view = view_of(255);
    unsigned named;
    const char *text, *more;

    screen_page_start(&page, 80, 25);
    soak_page_fill(&page, &view);
    text = page_rows(&page);
    more = strstr(text, "... and ");
    CHECK(more && sscanf(more, "... and %u more", &named) == 1 && named > 200, "%s", text);
    CHECK(strstr(text, "\n all "), "%s", text);
    CHECK(strstr(text, "failed last: "), "%s", text);
}

static void check_without_a_failure(void)
{
    struct soak_view view = view_of(1);

    view.last_failure = "";
    screen_page_start(&page, 80, 25);
    soak_page_fill(&page, &view);
    CHECK(strstr(page_rows(&page), " nothing has failed\n"), "%s", page_rows(&page));
}

int main(void)
{
    for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++)
        check_whole(screens[i].columns, screens[i].rows);
    check_many();
    check_without_a_failure();
    return check_result();
}
