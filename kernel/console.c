/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console.h"

#define SINK_COUNT 3

static const struct console_sink *const sinks[SINK_COUNT] = {
    &console_serial,
    &console_screen,
    &console_debugcon,
};

static bool is_open[SINK_COUNT];
static const char *problem[SINK_COUNT];
/* The last byte written was no end of line; firmware and loader may have left it so as well. */
static volatile bool in_line = true;

void console_open(unsigned set)
{
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if ((set & 1u << i) == 0 || is_open[i])
            continue;
        problem[i] = sinks[i]->open();
        is_open[i] = problem[i] == NULL;
    }
}

bool console_is_open(void)
{
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if (is_open[i])
            return true;
    }
    return false;
}

void console_write(const char *text, size_t length, enum console_colour colour)
{
    if (length == 0)
        return;
    in_line = true; /* until all is written: the watchdog may cut it off */
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if (is_open[i] && !sinks[i]->write(text, length, colour)) {
            is_open[i] = false;
            problem[i] = "stopped taking bytes";
        }
    }
    in_line = text[length - 1] != '\n';
}

void console_fresh_line(void)
{
    if (in_line)
        console_write("\n", 1, COLOUR_PLAIN);
}

const char *console_problem(unsigned sink)
{
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if (sink == 1u << i)
            return is_open[i] ? NULL : problem[i];
    }
    return NULL;
}
