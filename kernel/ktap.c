/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ktap.h"

#include "kernel/console.h"
#include "kernel/printf.h"
#include "kernel/string.h"

#define LINE_SIZE 512u /* bytes; longer lines are cut */
#define NAME_SIZE 160u

static char line[LINE_SIZE];

/* What is not printable could move the terminal's cursor, or begin a line of its own. */
static void clean_line(size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] < ' ' || line[i] > '~')
            line[i] = '?';
    }
}

/* Writes "indent text\n" at once, so that nothing can come between its parts. */
static void write_line(unsigned level, enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_line(unsigned level, enum console_colour colour, const char *format, ...)
{
    size_t length = 2u * level;
    va_list arguments;

    memset(line, ' ', length);
    va_start(arguments, format);
    length += (size_t)format_string_v(line + length, LINE_SIZE - length - 1, format, arguments);
    va_end(arguments);
    if (length > LINE_SIZE - 2)
        length = LINE_SIZE - 2;
    clean_line(length);
    line[length++] = '\n';
    console_write(line, length, colour);
}

/* A name may hold no '#', which starts a directive. */
static const char *clean_name(const char *name, char clean[NAME_SIZE])
{
    size_t length = 0;

    for (; length < NAME_SIZE - 1 && name[length] != '\0'; length++) {
        char c = name[length];

        clean[length] = c == '#' ? '_' : c;
    }
    clean[length] = '\0';
    return clean;
}

void ktap_open(unsigned level, const char *name)
{
    char clean[NAME_SIZE];

    if (level == 0)
        console_fresh_line();
    write_line(level, COLOUR_QUIET, "KTAP version 1");
    if (name != NULL)
        write_line(level, COLOUR_PLAIN, "# Subtest: %s", clean_name(name, clean));
}

void ktap_plan(unsigned level, unsigned count)
{
    write_line(level, COLOUR_QUIET, "1..%u", count);
}

void ktap_plan_nothing(const char *reason)
{
    write_line(0, COLOUR_PLAIN, "1..0 # SKIP %s", reason);
}

void ktap_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                 const char *reason)
{
    char clean[NAME_SIZE];

    clean_name(name, clean);
    if (outcome == KTAP_OK)
        write_line(level, COLOUR_GOOD, "ok %u %s", number, clean);
    else if (outcome == KTAP_NOT_OK)
        write_line(level, COLOUR_BAD, "not ok %u %s", number, clean);
    else if (outcome == KTAP_TIMEOUT)
        write_line(level, COLOUR_BAD, "not ok %u %s # TIMEOUT %s", number, clean, reason);
    else
        write_line(level, COLOUR_WARNING, "ok %u %s # %s %s", number, clean,
                   outcome == KTAP_SKIP ? "SKIP" : "XFAIL", reason);
}

void ktap_comment_lines(unsigned level, const char *text, unsigned long length)
{
    while (length > 0) {
        unsigned long end = 0;

        while (end < length && text[end] != '\n')
            end++;
        write_line(level, COLOUR_PLAIN, "# %.*s", (int)end, text);
        end += end < length; /* the newline itself */
        text += end;
        length -= end;
    }
}

void ktap_comment(unsigned level, const char *format, ...)
{
    static char text[LINE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    format_string_v(text, sizeof(text), format, arguments);
    va_end(arguments);
    ktap_comment_lines(level, text, strlen(text));
}

void ktap_bail_out(const char *format, ...)
{
    static char text[LINE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    format_string_v(text, sizeof(text), format, arguments);
    va_end(arguments);
    console_fresh_line();
    write_line(0, COLOUR_BAD, "Bail out! %s", text);
}

void ktap_error(const char *format, ...)
{
    static char text[LINE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    format_string_v(text, sizeof(text), format, arguments);
    va_end(arguments);
    console_fresh_line();
    write_line(0, COLOUR_BAD, "# error: %s", text);
}

const char *ktap_verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
        [VERDICT_PASS] = "PASS",   [VERDICT_FAIL] = "FAIL", [VERDICT_ERROR] = "ERROR",
        [VERDICT_CRASH] = "CRASH", [VERDICT_SKIP] = "SKIP", [VERDICT_TIMEOUT] = "TIMEOUT",
    };

    return names[verdict];
}

enum console_colour ktap_verdict_colour(enum verdict verdict)
{
    static const enum console_colour colours[] = {
        [VERDICT_PASS] = COLOUR_GOOD,    [VERDICT_FAIL] = COLOUR_BAD,
        [VERDICT_ERROR] = COLOUR_BAD,    [VERDICT_CRASH] = COLOUR_BAD,
        [VERDICT_SKIP] = COLOUR_WARNING, [VERDICT_TIMEOUT] = COLOUR_BAD,
    };

    return colours[verdict];
}

void ktap_end(const struct ktap_totals *totals, enum verdict verdict)
{
    enum console_colour colour = ktap_verdict_colour(verdict);

    console_fresh_line();
    write_line(0, colour, "# totals: planned=%u run=%u pass=%u fail=%u skip=%u xfail=%u timeout=%u",
               totals->planned, totals->run, totals->pass, totals->fail, totals->skip,
               totals->xfail, totals->timeout);
    write_line(0, colour, "# verdict: %s", ktap_verdict_name(verdict));
}
