/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/ktap_write.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/console/log_form.h"

#define LINE_SIZE      KTAP_LINE_SIZE
#define NAME_SIZE      160u
#define OTHER_SINKS    (~(unsigned)CONSOLE_SCREEN)
#define SUM_SIZE       (LINE_SUM_SIZE + 1u)
#define CRC_POLYNOMIAL 0xedb88320u /* CRC-32 of zlib and Ethernet, bits mirrored */

struct line {
    char text[LINE_SIZE];
    size_t length;                   /* bytes, the newline included */
    char sent[LINE_SIZE + SUM_SIZE]; /* with its checksum, if there are any */
    size_t sent_length;
};

static struct ktap_record printed;  /* as of the last line of structure that came out whole */
static struct ktap_record printing; /* … and with the one that is on its way */
static struct line structure;       /* the line of structure that was made last */
static volatile bool on_its_way;    /* it may not have come out whole */
static bool has_sums;
static uint32_t lines; /* that have got a checksum */

/* What is not printable could move the terminal's cursor, or begin a line of its own. */
static void clean_text(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] < ' ' || text[i] > '~')
            text[i] = '?';
    }
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

void ktap_write_sums(bool wanted)
{
    has_sums = wanted;
}

/* The line as it goes out: one write to whatever is read by a machine. */
static void add_sum(struct line *line)
{
    size_t length = line->length - 1; /* without its newline */

    memcpy(line->sent, line->text, length);
    format_string(line->sent + length, SUM_SIZE, " ~%04x", line_sum(lines++, line->text, length));
    line->sent[length + LINE_SUM_SIZE] = '\n';
    line->sent_length = length + SUM_SIZE;
}

/* People at the screen have no use for checksums. */
static void write_line(struct line *line, enum console_colour colour)
{
    if (!has_sums) {
        console_write(line->text, line->length, colour);
        return;
    }
    add_sum(line);
    console_write_to(OTHER_SINKS, line->sent, line->sent_length, colour);
    console_write_to(CONSOLE_SCREEN, line->text, line->length, colour);
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
    static struct line announcement;

    if (!on_its_way)
        return;
    console_fresh_line();
    announcement.length = sizeof(sentence) - 1;
    memcpy(announcement.text, sentence, announcement.length);
    write_line(&announcement, COLOUR_PLAIN);
    write_line(&structure, COLOUR_PLAIN);
    printed = printing;
    set_on_its_way(false);
}

/* Written at once, so that nothing can come between its parts. */
void ktap_write_comment(unsigned level, enum console_colour colour, const char *format, ...)
{
    static struct line comment;
    va_list arguments;

    repeat_cut_line();
    va_start(arguments, format);
    format_line(&comment, level, format, arguments);
    va_end(arguments);
    write_line(&comment, colour);
}

/* Of a result with parts they are counted, not it: they stood right before it, one level down. */
static void count(struct ktap_counts *counts, unsigned level, enum ktap_outcome outcome)
{
    counts->outcomes[outcome] += counts->depth == level;
    counts->depth = level;
}

/* What is counted so far, for the next line of structure to change. */
static struct ktap_record next_record(void)
{
    repeat_cut_line();
    return printed;
}

/* A line of structure. after: the record with it, but for the check value. */
static void write_structure(struct ktap_record after, unsigned level, enum console_colour colour,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

static void write_structure(struct ktap_record after, unsigned level, enum console_colour colour,
                            const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_line(&structure, level, format, arguments);
    va_end(arguments);
    printing = after;
    printing.check = crc32(after.check, structure.text, structure.length);
    set_on_its_way(true);
    write_line(&structure, colour);
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

void ktap_write_open(unsigned level, const char *name)
{
    char clean[NAME_SIZE];
    struct ktap_record after = next_record();

    if (level == 0) {
        console_fresh_line();
        after = (struct ktap_record){0};
    }
    after.shown.depth = after.all.depth = level;
    write_structure(after, level, COLOUR_QUIET, "KTAP version 1");
    if (name != NULL)
        write_structure(next_record(), level, COLOUR_PLAIN, "# Subtest: %s",
                        clean_name(name, clean));
}

void ktap_write_plan(unsigned level, unsigned count)
{
    write_structure(next_record(), level, COLOUR_QUIET, "1..%u", count);
}

void ktap_write_plan_nothing(const char *reason)
{
    write_structure(next_record(), 0, COLOUR_PLAIN, "1..0 # SKIP %s", reason);
}

void ktap_write_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                       const char *reason)
{
    char clean[NAME_SIZE];
    struct ktap_record after = next_record();

    clean_name(name, clean);
    count(&after.shown, level, outcome);
    count(&after.all, level, outcome);
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

void ktap_leave_out(unsigned level, enum ktap_outcome outcome)
{
    next_record();
    printed.all.depth = level;
    count(&printed.all, level, outcome);
}

const struct ktap_record *ktap_written(void)
{
    return &printed;
}
