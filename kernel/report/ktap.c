/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/ktap.h"

#include "kernel/report/ktap_write.h"
#include "kernel/console/ktap_ring.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define COUNTS_SIZE 96u

static ktap_result_handler on_result;
static bool muted;             /* comments are dropped */
static struct ktap_ring *ring; /* where all calls go instead; NULL: this is the log */
static bool is_compact;

/* To whoever writes the log. Two texts, each with its zero. */
static void pass_on(enum ktap_call call, unsigned level, uint32_t number, const char *text,
                    const char *reason)
{
    static struct ktap_message message;
    size_t length = (size_t)format_string(message.text, KTAP_LINE_SIZE, "%s", text) + 1;

    length += (size_t)format_string(message.text + length, KTAP_LINE_SIZE, "%s", reason) + 1;
    message.call = (uint8_t)call;
    message.level = (uint8_t)level;
    message.number = number;
    message.length = (uint16_t)length;
    ktap_ring_put(ring, &message);
}

void ktap_record_to(struct ktap_ring *to)
{
    ring = to;
}

void ktap_make_compact(bool wanted)
{
    is_compact = wanted;
}

void ktap_add_sums(bool wanted)
{
    ktap_write_sums(wanted);
}

void ktap_begin_end(void)
{
    if (ring != NULL)
        pass_on(KTAP_CALL_END, 0, 0, "", "");
}

bool ktap_is_open(void)
{
    return ring != NULL || ktap_written()->check != 0; /* that of "KTAP version 1" is not */
}

void ktap_open(unsigned level, const char *name)
{
    if (ring != NULL)
        pass_on(KTAP_CALL_OPEN, level, 0, name != NULL ? name : "", "");
    else if (is_compact && level == LEVEL_SUBTEST)
        ktap_compact_open(name);
    else
        ktap_write_open(level, name);
}

void ktap_plan(unsigned level, unsigned count)
{
    if (ring != NULL)
        pass_on(KTAP_CALL_PLAN, level, count, "", "");
    else if (is_compact && level == LEVEL_SUBTEST)
        ktap_compact_plan(count);
    else
        ktap_write_plan(level, count);
}

void ktap_plan_nothing(const char *reason)
{
    ktap_write_plan_nothing(reason);
}

void ktap_on_result(ktap_result_handler handler)
{
    on_result = handler;
}

static void write_compact(unsigned level, enum ktap_outcome outcome, unsigned number,
                          const char *name, const char *reason)
{
    if (level == LEVEL_SUBTEST) {
        ktap_compact_result(outcome, name, reason);
        return;
    }
    ktap_compact_end(level, outcome);
    ktap_write_result(level, outcome, number, name, ktap_compact_reason(level, outcome, reason));
}

void ktap_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                 const char *reason)
{
    if (ring != NULL) {
        pass_on(KTAP_CALL_RESULT, level, outcome, name, reason != NULL ? reason : "");
        return;
    }
    if (is_compact)
        write_compact(level, outcome, number, name, reason);
    else
        ktap_write_result(level, outcome, number, name, reason);
    if (on_result != NULL)
        on_result(level, outcome, name);
}

void ktap_mute(bool is_muted)
{
    muted = is_muted;
}

static void write_comment(unsigned level, const char *text, unsigned long length)
{
    char line[KTAP_LINE_SIZE];

    if (muted)
        return;
    if (ring != NULL) {
        format_string(line, sizeof(line), "%.*s", (int)length, text);
        pass_on(KTAP_CALL_COMMENT, level, 0, line, "");
        return;
    }
    if (is_compact)
        ktap_compact_comment(level);
    ktap_write_comment(level, COLOUR_PLAIN, "# %.*s", (int)length, text);
}

void ktap_comment_lines(unsigned level, const char *text, unsigned long length)
{
    while (length > 0) {
        unsigned long end = 0;

        while (end < length && text[end] != '\n')
            end++;
        write_comment(level, text, end);
        end += end < length; /* the newline itself */
        text += end;
        length -= end;
    }
}

void ktap_comment(unsigned level, const char *format, ...)
{
    static char text[KTAP_LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    ktap_comment_lines(level, text, strlen(text));
}

void ktap_detail(unsigned level, const char *format, ...)
{
    static char text[KTAP_LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    if (ring != NULL)
        pass_on(KTAP_CALL_DETAIL, level, 0, text, "");
    else if (is_compact)
        ktap_compact_detail(text);
    else
        ktap_comment_lines(level, text, strlen(text));
}

void ktap_ask_lab(unsigned level, const char *word)
{
    if (ring != NULL)
        ktap_comment(level, "lab: %s?", word);
    else
        ktap_write_comment(level, COLOUR_PLAIN, "# lab: %s?", word);
}

/* What ends the log, or the run. */
static void write_end(const char *what, const char *text)
{
    if (is_compact)
        ktap_compact_comment(LEVEL_TEST);
    console_fresh_line();
    ktap_write_comment(LEVEL_RUN, COLOUR_BAD, "%s %s", what, text);
}

void ktap_bail_out(const char *format, ...)
{
    static char text[KTAP_LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    if (ring != NULL) /* the others go on */
        pass_on(KTAP_CALL_COMMENT, 0, 0, text, "");
    else
        write_end("Bail out!", text);
}

void ktap_error(const char *format, ...)
{
    static char text[KTAP_LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    if (ring != NULL)
        pass_on(KTAP_CALL_COMMENT, 0, 0, text, "");
    else
        write_end("# error:", text);
}

uint32_t ktap_check(void)
{
    return ktap_written()->check;
}

const char *ktap_verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
        [VERDICT_PASS] = "PASS",       [VERDICT_FAIL] = "FAIL",     [VERDICT_ERROR] = "ERROR",
        [VERDICT_CRASH] = "CRASH",     [VERDICT_SKIP] = "SKIP",     [VERDICT_TIMEOUT] = "TIMEOUT",
        [VERDICT_DRY_RUN] = "DRY_RUN", [VERDICT_LISTED] = "LISTED",
    };

    return names[verdict];
}

enum console_colour ktap_verdict_colour(enum verdict verdict)
{
    static const enum console_colour colours[] = {
        [VERDICT_PASS] = COLOUR_GOOD,       [VERDICT_FAIL] = COLOUR_BAD,
        [VERDICT_ERROR] = COLOUR_BAD,       [VERDICT_CRASH] = COLOUR_BAD,
        [VERDICT_SKIP] = COLOUR_WARNING,    [VERDICT_TIMEOUT] = COLOUR_BAD,
        [VERDICT_DRY_RUN] = COLOUR_WARNING, [VERDICT_LISTED] = COLOUR_WARNING,
    };

    return colours[verdict];
}

/* "pass=1 fail=0 …" */
static char *format_counts(const struct ktap_counts *counts, char text[COUNTS_SIZE])
{
    format_string(text, COUNTS_SIZE, "pass=%u fail=%u skip=%u xfail=%u timeout=%u",
                  counts->outcomes[KTAP_OK], counts->outcomes[KTAP_NOT_OK],
                  counts->outcomes[KTAP_SKIP], counts->outcomes[KTAP_XFAIL],
                  counts->outcomes[KTAP_TIMEOUT]);
    return text;
}

static unsigned count_all(const struct ktap_counts *counts)
{
    unsigned count = 0;

    for (unsigned i = 0; i < KTAP_OUTCOMES; i++)
        count += counts->outcomes[i];
    return count;
}

void ktap_end(const struct ktap_totals *totals, enum verdict verdict)
{
    enum console_colour colour = ktap_verdict_colour(verdict);
    const struct ktap_record *written = ktap_written();
    char counts[COUNTS_SIZE];

    if (ring != NULL)
        return;
    console_fresh_line();
    if (is_compact)
        ktap_write_comment(0, colour, "# shown: %s of=%u", format_counts(&written->shown, counts),
                           count_all(&written->all));
    ktap_write_comment(0, colour,
                       "# totals: planned=%u run=%u pass=%u fail=%u skip=%u xfail=%u timeout=%u",
                       totals->planned, totals->run, totals->pass, totals->fail, totals->skip,
                       totals->xfail, totals->timeout);
    ktap_write_comment(0, colour, "# results: %s check=0x%08x",
                       format_counts(&written->all, counts), written->check);
    ktap_write_comment(0, colour, "# verdict: %s", ktap_verdict_name(verdict));
}
