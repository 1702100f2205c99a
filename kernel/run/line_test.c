/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/ktap.h"

#include <stddef.h>

#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define KIB        1024u
#define FIRST      '!' /* of the characters that a line may hold: no blank, no control */
#define CHARACTERS 94u

/* A linear congruential generator; tools/lab/line_test.py has the same. */
#define MULTIPLIER 1664525u
#define INCREMENT  1013904223u
#define SPREAD     0x9e3779b9u /* of the lines' first states */

char *line_test_format(uint32_t number, char text[LINE_TEST_TEXT])
{
    uint32_t state = (number + 1) * SPREAD;
    size_t length;

    format_string(text, LINE_TEST_TEXT, "line: %05u ", number);
    for (length = strlen(text); length < LINE_TEST_TEXT - 1; length++) {
        state = state * MULTIPLIER + INCREMENT;
        text[length] = (char)(FIRST + ((state >> 16) * CHARACTERS >> 16));
    }
    text[length] = '\0';
    return text;
}

void line_test_send(uint32_t kib)
{
    uint32_t lines = kib * KIB / LINE_TEST_BYTES;
    char text[LINE_TEST_TEXT];

    ktap_comment(0, "line test: %u lines of %u bytes", lines, LINE_TEST_BYTES);
    ktap_hide_from_screen(true);
    for (uint32_t number = 0; number < lines; number++)
        ktap_comment(0, "%s", line_test_format(number, text));
    ktap_hide_from_screen(false);
    ktap_comment(0, "line test: all sent");
}
