/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the test of the serial line sends: so many bytes, printable, each line another. */
#include "kernel/report/ktap.h"

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

/* tests/host/test_line_sums.py has the same two. */
static const char *const expected[] = {
    "line: 00000 9v8Do)X;sf(2R}xS{~p!Ymam8?~?}*9_Ry(ERE=;+<#7B[$G",
    "line: 16383 cfoE!;hUC\"]eOm.5ApgbrI8VK//\\)lPy9!u^!Vb1ozk!>A7{",
};

static void check_pattern(void)
{
    char text[LINE_TEST_TEXT], before[LINE_TEST_TEXT] = "";

    CHECK_TEXT(line_test_format(0, text), expected[0]);
    CHECK_TEXT(line_test_format(16383, text), expected[1]);
    for (uint32_t number = 0; number < 16384; number++) {
        line_test_format(number, text);
        CHECK(strlen(text) + 2 + 2 == LINE_TEST_BYTES, "line %u: %zu bytes", number, strlen(text));
        CHECK(strcmp(text + 12, before) != 0, "line %u is that before it", number);
        for (const char *c = text + 12; *c != '\0'; c++)
            CHECK(*c > ' ' && *c <= '~', "line %u has %d", number, *c);
        strcpy(before, text + 12);
    }
}

static unsigned count(const char *text, char what)
{
    unsigned found = 0;

    for (; *text != '\0'; text++)
        found += *text == what;
    return found;
}

static void check_sent(void)
{
    const char *sent;

    line_test_send(1);
    sent = take_captured();
    CHECK(count(sent, '\n') == 16 + 2, "%u lines", count(sent, '\n'));
    CHECK(strncmp(sent, "# line test: 16 lines of 64 bytes\n# line: 00000 ", 47) == 0, "%s", sent);
    CHECK(strstr(sent, "\n# line test: all sent\n") != NULL, "no end");
    line_test_send(1);
    CHECK_TEXT(take_captured(), sent);
}

int main(void)
{
    check_pattern();
    check_sent();
    return check_result();
}
