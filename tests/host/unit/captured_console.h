/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A console for tests of what prints: keeps what was written. */
#ifndef TESTS_HOST_UNIT_CAPTURED_CONSOLE_H
#define TESTS_HOST_UNIT_CAPTURED_CONSOLE_H

#include <string.h>

#include "kernel/console.h"

static char captured[65536];
static size_t captured_length;

void console_write(const char *text, size_t length, enum console_colour colour)
{
    (void)colour;
    memcpy(captured + captured_length, text, length);
    captured_length += length;
    captured[captured_length] = '\0';
}

void console_fresh_line(void)
{
    if (captured_length > 0 && captured[captured_length - 1] != '\n')
        console_write("\n", 1, COLOUR_PLAIN);
}

/* What was written since the last call. */
static inline const char *take_captured(void)
{
    static char taken[sizeof(captured)];

    memcpy(taken, captured, captured_length);
    taken[captured_length] = '\0';
    captured_length = 0;
    captured[0] = '\0';
    return taken;
}

#endif
