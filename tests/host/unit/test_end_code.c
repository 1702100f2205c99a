/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The QR code at the end: what it says fits, and says how much it leaves out. */
#include "kernel/screen/end_page.h"

#include <stdlib.h>

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/page_text.h"
#include "tests/host/unit/sample_failures.h"

/* They come first, whole or not at all. */
static void check_code_of_sentences(unsigned rows, const struct end_report *report)
{
    static struct qr qr;
    char text[END_CODE_TEXT];

    sentences = 6;
    CHECK(end_code_make(&qr, text, report, 100, rows), "none in %u rows", rows);
    CHECK(count_of(text, "sentence") == count_of(text, "must do\n"), "'%s'", text);
    if (rows >= 29)
        CHECK_SHOWS(text, "\ncheck 1234abcd\nsentence 0: it does not do what it must do\n");
    sentences = 0;
}

/* The code's text keeps to what the code holds: names as fit, then how many are left out. */
static void check_code(void)
{
    static struct qr qr;
    char text[END_CODE_TEXT];
    const struct end_report report = {.verdict = VERDICT_FAIL,
                                      .totals = &totals,
                                      .check = 0x1234abcd,
                                      .summary = summary(),
                                      .machine = &machine};

    for (unsigned rows = 0; rows < 60; rows++) {
        bool fits = end_code_make(&qr, text, &report, 100, rows);

        CHECK(!fits || END_CODE_COLUMNS(qr.side) <= 2 * rows, "%u in %u rows", qr.side, rows);
        CHECK(fits || rows < 25, "none in %u rows", rows);
        if (rows < 25)
            continue;
        CHECK(strncmp(text, "btscheck v1.2-3-gabcdef: FAIL\n06_5EH-3 ucode 0xf0\nrun ", 54) == 0,
              "'%s'", text);
        CHECK_SHOWS(text, "\ncheck 1234abcd\n");
        if (rows >= 29)
            CHECK_SHOWS(text,
                        "\ncheck 1234abcd\nclaims BTS-1 T17-6.7 PEBS-12\nsuite.test_number_0\n");
        CHECK(strcmp(strrchr(text, ' '), " more") == 0, "'%s'", text);
        CHECK(count_of(text, "suite.") + (unsigned)atoi(strrchr(text, '+') + 1) == totals.fail,
              "'%s'", text);
        check_code_of_sentences(rows, &report);
    }
}

int main(void)
{
    for (unsigned i = 0; i < TESTS; i++)
        fail_one(i);
    check_code();
    return check_result();
}
