/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A console that keeps what is printed, and that can break off in the middle. */
#ifndef TESTS_HOST_UNIT_CAPTURED_CONSOLE_H
#define TESTS_HOST_UNIT_CAPTURED_CONSOLE_H

#include <setjmp.h>
#include <string.h>

#include "kernel/console/console.h"

static char captured[65536];
static size_t captured_length;

/* If set: after cut_after more bytes the write in progress does not return, but jumps there with
 * value 1. */
static jmp_buf *cut_to;
static size_t cut_after;

static void capture(const char *text, size_t length)
{
    memcpy(captured + captured_length, text, length);
    captured_length += length;
    captured[captured_length] = '\0';
}

void console_write(const char *text, size_t length, enum console_colour colour)
{
    jmp_buf *to = cut_to;

    (void)colour;
    if (to == NULL || length < cut_after) {
        capture(text, length);
        cut_after -= to == NULL ? 0 : length;
        return;
    }
    capture(text, cut_after);
    cut_to = NULL;
    longjmp(*to, 1);
}

/* Text for the screen only is not kept. */
void console_write_to(unsigned sinks, const char *text, size_t length, enum console_colour colour)
{
    if (sinks != CONSOLE_SCREEN)
        console_write(text, length, colour);
}

void console_fresh_line(void)
{
    if (captured_length > 0 && captured[captured_length - 1] != '\n')
        console_write("\n", 1, COLOUR_PLAIN);
}

/* The text written since the last call. */
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
