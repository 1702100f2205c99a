/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ktap.h"

#include <stdint.h>

#include "kernel/console.h"
#include "kernel/ktap_ring.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"

#define LINE_SIZE      512u /* bytes; longer lines are cut */
#define NAME_SIZE      160u
#define OUTCOME_COUNT  5u
#define CRC_POLYNOMIAL 0xedb88320u /* CRC-32 of zlib and Ethernet, bits mirrored */

struct line {
    char text[LINE_SIZE];
    size_t length; /* bytes, the newline included */
};

/* What a reader of the log can count and check. */
struct record {
    uint32_t check;                   /* CRC-32 over the lines of structure */
    unsigned outcomes[OUTCOME_COUNT]; /* results without parts, by enum ktap_outcome */
    unsigned depth;                   /* level of the innermost block that is open */
};

static struct record printed;    /* as of the last line of structure that came out whole */
static struct record printing;   /* … and with the one that is on its way */
static struct line structure;    /* the line of structure that was made last */
static volatile bool on_its_way; /* it may not have come out whole */
static ktap_listener listener;
static bool muted;             /* comments are dropped */
static struct ktap_ring *ring; /* where all calls go instead; NULL: this is the log */

/* What is not printable could move the terminal's cursor, or begin a line of its own. */
static void clean_text(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] < ' ' || text[i] > '~')
            text[i] = '?';
    }
}

/* To whoever writes the log. Two texts, each with its zero. */
static void pass_on(enum ktap_call call, unsigned level, uint32_t number, const char *text,
                    const char *reason)
{
    static struct ktap_message message;
    size_t length = (size_t)format_string(message.text, LINE_SIZE, "%s", text) + 1;

    length += (size_t)format_string(message.text + length, LINE_SIZE, "%s", reason) + 1;
    message.call = (uint8_t)call;
    message.level = (uint8_t)level;
    message.number = number;
    message.length = (uint16_t)length;
    ktap_ring_put(ring, &message);
}

/* "indent text\n"; blanks at the end would not survive every terminal. */
static void format_line(struct line *line, unsigned level, const char *format, va_list arguments)
{
    size_t length = 2u * level;

    memset(line->text, ' ', length);
    length +=
        (size_t)format_string_v(line->text + length, LINE_SIZE - length - 1, format, arguments);
    if (length > LINE_SIZE - 2)
        length = LINE_SIZE - 2;
    clean_text(line->text, length);
    while (length > 0 && line->text[length - 1] == ' ')
        length--;
    line->text[length++] = '\n';
    line->length = length;
}

static uint32_t crc32(uint32_t crc, const char *text, size_t length)
{
    crc = ~crc;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint8_t)text[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? CRC_POLYNOMIAL : 0);
    }
    return ~crc;
}

/* What was stored before it is stored when an interrupt sees it. */
static void set_on_its_way(bool value)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    on_its_way = value;
}

/*
 * The watchdog or a panic can cut a line off. One of structure then comes once more, so that what
 * stands in the log is what was counted. The sentence is for readers: they forget the cut line.
 */
static void repeat_cut_line(void)
{
    static const char sentence[] = "# cut off: this line once more:\n";

    if (!on_its_way)
        return;
    console_fresh_line();
    console_write(sentence, sizeof(sentence) - 1, COLOUR_PLAIN);
    console_write(structure.text, structure.length, COLOUR_PLAIN);
    printed = printing;
    set_on_its_way(false);
}

/* A remark. Written at once, so that nothing can come between its parts. */
static void write_line(unsigned level, enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_line(unsigned level, enum console_colour colour, const char *format, ...)
{
    static struct line remark;
    va_list arguments;

    repeat_cut_line();
    va_start(arguments, format);
    format_line(&remark, level, format, arguments);
    va_end(arguments);
    console_write(remark.text, remark.length, colour);
}

/* What is counted so far, for the next line of structure to change. */
static struct record next_record(void)
{
    repeat_cut_line();
    return printed;
}

/* A line of structure. after: the record with it, but for the check value. */
static void write_structure(struct record after, unsigned level, enum console_colour colour,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

static void write_structure(struct record after, unsigned level, enum console_colour colour,
                            const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_line(&structure, level, format, arguments);
    va_end(arguments);
    printing = after;
    printing.check = crc32(after.check, structure.text, structure.length);
    set_on_its_way(true);
    console_write(structure.text, structure.length, colour);
    printed = printing;
    set_on_its_way(false);
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

void ktap_record_to(struct ktap_ring *to)
{
    ring = to;
}

void ktap_begin_end(void)
{
    if (ring != NULL)
        pass_on(KTAP_CALL_END, 0, 0, "", "");
}

bool ktap_is_open(void)
{
    return ring != NULL || printed.check != 0; /* that of "KTAP version 1" is not */
}

void ktap_open(unsigned level, const char *name)
{
    char clean[NAME_SIZE];
    struct record after;

    if (ring != NULL) {
        pass_on(KTAP_CALL_OPEN, level, 0, name != NULL ? name : "", "");
        return;
    }
    after = next_record();
    if (level == 0) {
        console_fresh_line();
        after = (struct record){0};
    }
    after.depth = level;
    write_structure(after, level, COLOUR_QUIET, "KTAP version 1");
    if (name != NULL)
        write_structure(next_record(), level, COLOUR_PLAIN, "# Subtest: %s",
                        clean_name(name, clean));
}

void ktap_plan(unsigned level, unsigned count)
{
    if (ring != NULL)
        pass_on(KTAP_CALL_PLAN, level, count, "", "");
    else
        write_structure(next_record(), level, COLOUR_QUIET, "1..%u", count);
}

void ktap_plan_nothing(const char *reason)
{
    write_structure(next_record(), 0, COLOUR_PLAIN, "1..0 # SKIP %s", reason);
}

void ktap_listen(ktap_listener hears)
{
    listener = hears;
}

static void write_result(unsigned level, enum ktap_outcome outcome, unsigned number,
                         const char *name, const char *reason)
{
    char clean[NAME_SIZE];
    struct record after = next_record();

    clean_name(name, clean);
    after.outcomes[outcome] += after.depth == level; /* else its parts are counted */
    after.depth = level;
    if (outcome == KTAP_OK)
        write_structure(after, level, COLOUR_GOOD, "ok %u %s", number, clean);
    else if (outcome == KTAP_NOT_OK)
        write_structure(after, level, COLOUR_BAD, "not ok %u %s", number, clean);
    else if (outcome == KTAP_TIMEOUT)
        write_structure(after, level, COLOUR_BAD, "not ok %u %s # TIMEOUT %s", number, clean,
                        reason);
    else
        write_structure(after, level, COLOUR_WARNING, "ok %u %s # %s %s", number, clean,
                        outcome == KTAP_SKIP ? "SKIP" : "XFAIL", reason);
}

void ktap_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                 const char *reason)
{
    if (ring != NULL) {
        pass_on(KTAP_CALL_RESULT, level, outcome, name, reason != NULL ? reason : "");
        return;
    }
    write_result(level, outcome, number, name, reason);
    if (listener != NULL)
        listener(level, outcome, name);
}

void ktap_mute(bool is_muted)
{
    muted = is_muted;
}

static void write_comment(unsigned level, const char *text, unsigned long length)
{
    char line[LINE_SIZE];

    if (muted)
        return;
    if (ring == NULL) {
        write_line(level, COLOUR_PLAIN, "# %.*s", (int)length, text);
        return;
    }
    format_string(line, sizeof(line), "%.*s", (int)length, text);
    pass_on(KTAP_CALL_COMMENT, level, 0, line, "");
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
    static char text[LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    ktap_comment_lines(level, text, strlen(text));
}

void ktap_bail_out(const char *format, ...)
{
    static char text[LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    if (ring != NULL) { /* the others go on */
        pass_on(KTAP_CALL_COMMENT, 0, 0, text, "");
        return;
    }
    console_fresh_line();
    write_line(0, COLOUR_BAD, "Bail out! %s", text);
}

void ktap_error(const char *format, ...)
{
    static char text[LINE_SIZE];
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    if (ring != NULL) {
        pass_on(KTAP_CALL_COMMENT, 0, 0, text, "");
        return;
    }
    console_fresh_line();
    write_line(0, COLOUR_BAD, "# error: %s", text);
}

uint32_t ktap_check(void)
{
    return printed.check;
}

const char *ktap_verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
        [VERDICT_PASS] = "PASS",       [VERDICT_FAIL] = "FAIL", [VERDICT_ERROR] = "ERROR",
        [VERDICT_CRASH] = "CRASH",     [VERDICT_SKIP] = "SKIP", [VERDICT_TIMEOUT] = "TIMEOUT",
        [VERDICT_DRY_RUN] = "DRY_RUN",
    };

    return names[verdict];
}

enum console_colour ktap_verdict_colour(enum verdict verdict)
{
    static const enum console_colour colours[] = {
        [VERDICT_PASS] = COLOUR_GOOD,       [VERDICT_FAIL] = COLOUR_BAD,
        [VERDICT_ERROR] = COLOUR_BAD,       [VERDICT_CRASH] = COLOUR_BAD,
        [VERDICT_SKIP] = COLOUR_WARNING,    [VERDICT_TIMEOUT] = COLOUR_BAD,
        [VERDICT_DRY_RUN] = COLOUR_WARNING,
    };

    return colours[verdict];
}

void ktap_end(const struct ktap_totals *totals, enum verdict verdict)
{
    enum console_colour colour = ktap_verdict_colour(verdict);

    if (ring != NULL)
        return;
    console_fresh_line();
    write_line(0, colour, "# totals: planned=%u run=%u pass=%u fail=%u skip=%u xfail=%u timeout=%u",
               totals->planned, totals->run, totals->pass, totals->fail, totals->skip,
               totals->xfail, totals->timeout);
    write_line(0, colour, "# results: pass=%u fail=%u skip=%u xfail=%u timeout=%u check=0x%08x",
               printed.outcomes[KTAP_OK], printed.outcomes[KTAP_NOT_OK],
               printed.outcomes[KTAP_SKIP], printed.outcomes[KTAP_XFAIL],
               printed.outcomes[KTAP_TIMEOUT], printed.check);
    write_line(0, colour, "# verdict: %s", ktap_verdict_name(verdict));
}
