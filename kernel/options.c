/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/options.h"

#include "kernel/report/branch_trace.h"
#include "kernel/console/lab.h"
#include "kernel/report/ktap.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"

/* The most that a test logs: 24 KiB of lines, and its traces. A byte takes ten bits. */
#define LINE_BYTES_OF_A_TEST (24u * 1024u + TRACE_TEST_LINES * TRACE_LINE_BYTES)

#define DURATION_MOST (365ull * 86400) /* seconds */

struct parser {
    struct options *out;
    char *error;
};

struct option;
/* Reads one value into the options; false after a complaint. */
typedef bool (*read_value)(struct parser *parser, const struct option *option, char *value);

struct option {
    const char *name;
    read_value read; /* NULL: the option has no value */
    const char *help;
    size_t place, size;       /* of the field; see PLACE() */
    uint64_t low, high;       /* of a number */
    const char *const *words; /* one of these, NULL at the end; the field gets its index */
};

static bool complain(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct parser *parser, const char *format, ...)
{
    FORMAT_ARGUMENTS(parser->error, OPTIONS_ERROR_SIZE, format);
    return false;
}

/* The field may be shorter than the number, whose low bytes come first. */
static bool store(struct parser *parser, const struct option *option, uint64_t value)
{
    memcpy((char *)parser->out + option->place, &value, option->size);
    return true;
}

static bool read_number(struct parser *parser, const struct option *option, char *value)
{
    uint64_t number;

    if (!words_number(value, &number) || number < option->low || number > option->high)
        return complain(parser, "%s=%.60s: wants a number from %lu to %lu", option->name, value,
                        option->low, option->high);
    return store(parser, option, number);
}

/* "auto, allow or never" */
static const char *format_words(const char *const *words, char text[OPTIONS_ERROR_SIZE])
{
    text[0] = '\0';
    for (size_t i = 0; words[i] != NULL; i++)
        format_append(text, OPTIONS_ERROR_SIZE, "%s%s",
                      i == 0                 ? ""
                      : words[i + 1] == NULL ? " or "
                                             : ", ",
                      words[i]);
    return text;
}

static bool read_choice(struct parser *parser, const struct option *option, char *value)
{
    char all[OPTIONS_ERROR_SIZE];
    size_t i = words_index(value, option->words);

    if (option->words[i] == NULL)
        return complain(parser, "%s=%.60s: wants %s", option->name, value,
                        format_words(option->words, all));
    return store(parser, option, i);
}

/* "90s", "20m", "8h", "3d" as seconds; 0: none of these. */
static uint64_t read_time(char *text)
{
    static const struct unit {
        char letter;
        uint32_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    size_t last = strlen(text) - 1, i = 0;
    uint64_t number;

    while (i < 4 && units[i].letter != text[last])
        i++;
    text[last] = '\0';
    if (i == 4 || !words_number(text, &number) || number > DURATION_MOST / units[i].seconds)
        return 0;
    return number * units[i].seconds;
}

/* A number, or a time, which "first-failure" may end. */
static bool read_repeat(struct parser *parser, const struct option *option, char *value)
{
    char given[OPTIONS_ERROR_SIZE], *item, *end;
    struct options *out = parser->out;

    format_string(given, sizeof(given), "%s", value);
    item = words_next(&value);
    end = words_next(&value);
    if (end == NULL && words_number(item, &out->repeat) && out->repeat >= option->low &&
        out->repeat <= option->high)
        return true;
    out->repeat = 1;
    out->duration = *item != '\0' ? read_time(item) : 0;
    out->ends_at_failure = end != NULL;
    if (out->duration == 0 || (end != NULL && strcmp(end, "first-failure") != 0) || value != NULL)
        return complain(parser,
                        "%s=%.60s: wants a number from %lu to %lu, or a time as 90s, 20m, 8h or "
                        "3d, up to 365d, and first-failure behind it if that ends it",
                        option->name, given, option->low, option->high);
    return true;
}

static bool read_test(struct parser *parser, const struct option *option, char *value)
{
    struct options *out = parser->out;
    char *item;

    while ((item = words_next(&value)) != NULL) {
        if (*item == '\0')
            return complain(parser, "%s=: an empty name in the list", option->name);
        if (out->glob_count == OPTIONS_GLOB_COUNT)
            return complain(parser, "%s=: more than %u names", option->name, OPTIONS_GLOB_COUNT);
        out->globs[out->glob_count++] = item;
    }
    return true;
}

static bool read_lab(struct parser *parser, const struct option *option, char *value)
{
    char *item;

    while ((item = words_next(&value)) != NULL) {
        size_t i = words_index(item, lab_words);

        if (lab_words[i] == NULL && strcmp(item, "none") != 0)
            return complain(parser,
                            "%s=%.60s: wants a list of machine-check, "
                            "machine-check-other, or none",
                            option->name, item);
        if (lab_words[i] != NULL)
            parser->out->lab |= 1u << i;
    }
    return true;
}

/* A form, and what else the log has. */
static bool read_log(struct parser *parser, const struct option *option, char *value)
{
    static const char *const words[] = {"auto", "compact", "full", "sum", "trace", "serials", NULL};
    struct options *out = parser->out;
    bool *const more[] = {&out->has_sums, &out->trace, &out->names_serials};
    char given[OPTIONS_ERROR_SIZE], *item;
    bool has_form = false;

    format_string(given, sizeof(given), "%s", value);
    while ((item = words_next(&value)) != NULL) {
        size_t i = words_index(item, words);
        bool *seen = i <= LOG_FULL ? &has_form : words[i] != NULL ? more[i - LOG_FULL - 1] : NULL;

        if (seen == NULL || *seen)
            return complain(parser,
                            "%s=%.60s: wants auto, compact or full, and sum, trace and serials if "
                            "the log is to have them: full,sum",
                            option->name, given);
        *seen = true;
        if (i <= LOG_FULL)
            out->log = (enum log_form)i;
    }
    return true;
}

static bool read_console(struct parser *parser, const struct option *option, char *value)
{
    (void)option;
    return console_option_read(parser->out, value, parser->error);
}

static const char *const places_words[] = {"kinds", "boot", "each", "all", "pair", "one", NULL};

/* "5", "2-7" */
static bool read_range(struct parser *parser, const struct option *option, char *item)
{
    char given[OPTIONS_ERROR_SIZE], *end;
    uint64_t first, last;

    format_string(given, sizeof(given), "%s", item);
    end = words_cut(item, '-');
    if (!words_number(item, &first) || !words_number(end != NULL ? end : item, &last) ||
        first > last || last >= PLACES_MAX)
        return complain(
            parser,
            "%s=%.60s: wants kinds, boot, each, all, pair, one, or numbers of processors: "
            "0,2-5; up to %u",
            option->name, given, PLACES_MAX - 1);
    for (; first <= last; first++)
        parser->out->listed[first / 64] |= 1ull << first % 64;
    return true;
}

static bool read_places(struct parser *parser, const struct option *option, char *value)
{
    size_t i = words_index(value, places_words);
    char *item;

    parser->out->places = places_words[i] != NULL ? (enum places)i : PLACES_LISTED;
    if (places_words[i] != NULL)
        return true;
    while ((item = words_next(&value)) != NULL)
        if (!read_range(parser, option, item))
            return false;
    return true;
}

#define PLACE(field)                                                                               \
    .place = offsetof(struct options, field), .size = sizeof(((struct options *)NULL)->field)
#define RANGE(low_, high_) .low = low_, .high = high_
/* clang-format off */
#define WORDS(...) .words = (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */

static const struct option table[] = {
    {.name = "test",
     .read = read_test,
     .help = "test=GLOB,GLOB    run what matches suite.name, or the whole suite"},
    {.name = "list", PLACE(list), .help = "list              name the tests, run none"},
    {.name = "dry-run",
     PLACE(dry_run),
     .help = "dry-run           say what would run; touch no debug facility"},
    {.name = "repeat",
     .read = read_repeat,
     RANGE(1, 1000000),
     .help = "repeat=N          run each test N times; repeat=TIME (90s, 20m, 8h, 3d): go on with "
             "tests drawn at random; repeat=TIME,first-failure: until one fails"},
    {.name = "retest",
     .read = read_number,
     PLACE(retest),
     RANGE(0, 1000),
     .help = "retest=N          run a test that failed N times more: does it fail always?"},
    {.name = "seed",
     .read = read_number,
     PLACE(seed),
     RANGE(0, UINT64_MAX),
     .help = "seed=N            where tests that choose at random begin"},
    {.name = "timeout",
     .read = read_number,
     PLACE(timeout),
     RANGE(1, 3600),
     .help = "timeout=SECONDS   when a test counts as hung"},
    {.name = "console",
     .read = read_console,
     .help = "console=SINK,SINK of serial, screen, debugcon, log; serial:com2,57600, "
             "uart:io:0x2f8, uart:mmio32:ADDRESS,115200, uart:pci:00:16.3,keep"},
    {.name = "log",
     .read = read_log,
     .help =
         "log=FORM,MORE     auto (compact on a real, slow serial line), compact or full; sum: a "
         "checksum behind each line; trace: branch records of every test; serials: the "
         "board's serial numbers and UUID"},
    {.name = "exit",
     .read = read_choice,
     PLACE(exit),
     WORDS("auto", "qemu", "acpi", "reset", "halt"),
     .help = "exit=HOW          auto, qemu, acpi, reset or halt"},
    {.name = "apic",
     .read = read_choice,
     PLACE(want_x2apic),
     WORDS("auto", "x2apic"),
     .help = "apic=MODE         auto or x2apic"},
    {.name = "cpu",
     .read = read_places,
     .help = "cpu=WHICH         where tests run: kinds (the one that booted and the first of each "
             "other kind), boot, each, all (at once), pair (threads of its core), 0,2-5, or one "
             "(as boot, and no other is started)"},
    {.name = "smi",
     .read = read_choice,
     PLACE(smi),
     WORDS("auto", "allow", "never"),
     .help = "smi=WHEN          auto (not on bare metal), allow or never"},
    {.name = "usb",
     .read = read_choice,
     PLACE(leave_usb),
     WORDS("take", "leave"),
     .help = "usb=WHAT          take (from firmware that raises SMIs) or leave"},
    {.name = "deviations",
     .read = read_choice,
     PLACE(ignore_deviations),
     WORDS("known", "ignore"),
     .help = "deviations=WHICH  known (not failures) or ignore"},
    {.name = "lab",
     .read = read_lab,
     .help = "lab=SERVICE       what the lab can do when asked: machine-check, "
             "machine-check-other, none"},
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

/* What an earlier version had, and what to write now. */
static const struct gone {
    const char *name, *now;
} gone[] = {
    {"duration", "repeat=8h"}, {"until", "repeat=8h,first-failure"}, {"line", "log=sum"},
    {"trace", "log=trace"},    {"identity", "log=serials"},          {"processors", "cpu=one"},
};

#define GONE_SIZE (sizeof(gone) / sizeof(gone[0]))

const char *options_help(size_t i)
{
    return i < TABLE_SIZE ? table[i].help : NULL;
}

static bool unknown(struct parser *parser, const char *name)
{
    for (size_t i = 0; i < GONE_SIZE; i++)
        if (strcmp(name, gone[i].name) == 0)
            return complain(parser, "there is no %s= any more: write %s", name, gone[i].now);
    complain(parser, "unknown option '%.60s'; known:", name);
    for (size_t i = 0; i < TABLE_SIZE; i++)
        format_append(parser->error, OPTIONS_ERROR_SIZE, " %s%s", table[i].name,
                      table[i].read != NULL ? "=" : "");
    return false;
}

/* Reads one word of the command line; seen has a bit for each row already used. */
static bool read_word(struct parser *parser, char *word, unsigned *seen)
{
    char *value = words_cut(word, '=');
    size_t i = 0;

    while (i < TABLE_SIZE && strcmp(word, table[i].name) != 0)
        i++;
    if (i == TABLE_SIZE)
        return unknown(parser, word);
    if ((*seen & 1u << i) != 0)
        return complain(parser, "%s is given twice", word);
    *seen |= 1u << i;
    if (table[i].read == NULL)
        return value == NULL ? store(parser, &table[i], true)
                             : complain(parser, "%s takes no value", word);
    if (value == NULL || *value == '\0')
        return complain(parser, "%s= wants a value", word);
    return table[i].read(parser, &table[i], value);
}

static void set_defaults(struct options *out)
{
    *out = (struct options){
        .repeat = 1,
        .retest = OPTIONS_RETEST,
        .seed = OPTIONS_SEED,
        .consoles = CONSOLE_DEFAULT,
        .serial = {.port = SERIAL_COM1, .rate = SERIAL_RATE},
    };
}

/* A test's time includes sending its lines. */
void options_allow_for_rate(struct options *options, uint32_t rate)
{
    if (options->timeout_is_named)
        return;
    options->timeout = OPTIONS_TIMEOUT;
    if (rate != 0 && rate < SERIAL_RATE)
        options->timeout += LINE_BYTES_OF_A_TEST * 10 / rate;
}

/* Applies even to SERIAL_RATE on a real line. */
void options_allow_for_line(struct options *options, uint64_t nanoseconds)
{
    uint64_t seconds = OPTIONS_TIMEOUT + LINE_BYTES_OF_A_TEST * nanoseconds / 1000000000;

    if (!options->timeout_is_named && seconds > options->timeout)
        options->timeout = seconds;
}

bool options_parse(const char *line, struct options *out, char *error)
{
    char later[OPTIONS_ERROR_SIZE]; /* complaints after the first, which is kept */
    struct parser parser = {.out = out, .error = error};
    char *rest = out->text, *word;
    unsigned seen = 0;

    set_defaults(out);
    format_string(out->text, sizeof(out->text), "%s", line);
    if (strlen(line) >= OPTIONS_TEXT_SIZE) {
        *rest = '\0';
        complain(&parser, "the command line is longer than %u characters", OPTIONS_TEXT_SIZE - 1);
        parser.error = later;
    }
    while ((word = words_of_line(&rest)) != NULL) {
        if (!read_word(&parser, word, &seen))
            parser.error = later;
    }
    out->timeout_is_named = out->timeout != 0;
    options_allow_for_rate(out, out->serial.rate);
    return parser.error == error;
}
