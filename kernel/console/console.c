/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/console.h"

#include "arch/lib/string.h"

#define SINK_COUNT   4
#define ALL_SINKS    ((1u << SINK_COUNT) - 1)
#define BACKLOG_SIZE 4096u
#define SCREEN       1u /* its number among them */

static const struct console_sink *sinks[SINK_COUNT] = {
    &console_serial,
    NULL, /* the screen: console_add_screen() */
    &console_debugcon,
    &console_uart,
};

static bool is_open[SINK_COUNT];
static const char *problem[SINK_COUNT];
/* The last byte written was no end of line; firmware and loader may also have left a line open. */
static volatile bool in_line = true;

/* The start of the log, as much as fits, for a sink that opens later. */
static char backlog[BACKLOG_SIZE];
static size_t backlog_length;
static bool backlog_is_full;

static void keep(const char *text, size_t length)
{
    size_t room = BACKLOG_SIZE - backlog_length;

    backlog_is_full |= length > room;
    if (backlog_is_full)
        return;
    memcpy(backlog + backlog_length, text, length);
    backlog_length += length;
}

static void replay(unsigned i)
{
    static const char more[] = "\n# console: what came between is not shown here\n";

    if (backlog_length > 0)
        is_open[i] = sinks[i]->write(backlog, backlog_length, COLOUR_PLAIN);
    if (is_open[i] && backlog_is_full)
        is_open[i] = sinks[i]->write(more, sizeof(more) - 1, COLOUR_PLAIN);
    if (!is_open[i])
        problem[i] = "stopped taking bytes";
}

void console_add_screen(const struct console_sink *screen)
{
    sinks[SCREEN] = screen;
}

void console_open(unsigned set)
{
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if ((set & 1u << i) == 0 || is_open[i] || sinks[i] == NULL)
            continue;
        problem[i] = sinks[i]->open();
        is_open[i] = problem[i] == NULL;
        if (is_open[i])
            replay(i);
    }
}

bool console_is_in_use(unsigned sink)
{
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if (sink == 1u << i)
            return is_open[i];
    }
    return false;
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
    console_write_to(ALL_SINKS, text, length, colour);
}

/* Text for the screen alone does not go into the backlog. */
void console_write_to(unsigned set, const char *text, size_t length, enum console_colour colour)
{
    if (length == 0)
        return;
    if (set != CONSOLE_SCREEN)
        keep(text, length);
    in_line = true; /* until all is written: the watchdog may cut it off */
    for (unsigned i = 0; i < SINK_COUNT; i++) {
        if (is_open[i] && (set & 1u << i) != 0 && !sinks[i]->write(text, length, colour)) {
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

void console_leave(void)
{
    for (unsigned i = 0; i < SINK_COUNT; i++)
        is_open[i] = false;
    backlog_is_full = true;
    if (sinks[SCREEN] != NULL)
        sinks[SCREEN]->leave();
}
