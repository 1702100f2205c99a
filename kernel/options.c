/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/options.h"

#include "kernel/console_list.h"
#include "kernel/lab.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/words.h"

/* What a test may say, 24 KiB of lines, at ten bits a byte. */
#define LINE_BITS_OF_A_TEST (24u * 1024u * 10u)

struct parser {
    struct options *out;
    char *error;
    bool has_timeout;
    char complaint[OPTIONS_ERROR_SIZE]; /* of what reads one value */
};

/* Each reads one value into the options; false when it complained. */
typedef bool (*read_value)(struct parser *parser, const char *name, char *value);

static bool complain(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct parser *parser, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    format_string_v(parser->error, OPTIONS_ERROR_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_number(struct parser *parser, const char *name, const char *value, uint64_t low,
                        uint64_t high, uint64_t *number)
{
    uint64_t parsed;

    if (!words_number(value, &parsed) || parsed < low || parsed > high)
        return complain(parser, "%s=%.60s: wants a number from %lu to %lu", name, value, low, high);
    *number = parsed;
    return true;
}

static bool read_repeat(struct parser *parser, const char *name, char *value)
{
    return read_number(parser, name, value, 1, 1000000, &parser->out->repeat);
}

static bool read_seed(struct parser *parser, const char *name, char *value)
{
    return read_number(parser, name, value, 0, UINT64_MAX, &parser->out->seed);
}

static bool read_timeout(struct parser *parser, const char *name, char *value)
{
    parser->has_timeout = true;
    return read_number(parser, name, value, 1, 3600, &parser->out->timeout);
}

static bool read_test(struct parser *parser, const char *name, char *value)
{
    struct options *out = parser->out;
    char *item;

    while ((item = words_next(&value)) != NULL) {
        if (*item == '\0')
            return complain(parser, "%s=: an empty name in the list", name);
        if (out->glob_count == OPTIONS_GLOB_COUNT)
            return complain(parser, "%s=: more than %u names", name, OPTIONS_GLOB_COUNT);
        out->globs[out->glob_count++] = item;
    }
    return true;
}

static bool read_list(struct parser *parser, const char *name, char *value)
{
    (void)name;
    (void)value;
    parser->out->list = true;
    return true;
}

static bool read_console(struct parser *parser, const char *name, char *value)
{
    struct console_list list;

    if (!console_list_read(value, &list, parser->complaint, sizeof(parser->complaint)))
        return complain(parser, "%s=%s", name, parser->complaint);
    parser->out->consoles = list.sinks;
    parser->out->serial = list.serial;
    return true;
}

static bool read_exit(struct parser *parser, const char *name, char *value)
{
    static const char *const words[] = {"auto", "qemu", "acpi", "reset", "halt"};
    size_t i = words_index(value, words, 5);

    if (i == 5)
        return complain(parser, "%s=%.60s: wants auto, qemu, acpi, reset or halt", name, value);
    parser->out->exit = (enum exit_method)i;
    return true;
}

static bool read_apic(struct parser *parser, const char *name, char *value)
{
    static const char *const words[] = {"auto", "x2apic"};
    size_t i = words_index(value, words, 2);

    if (i == 2)
        return complain(parser, "%s=%.60s: wants auto or x2apic", name, value);
    parser->out->want_x2apic = i == 1;
    return true;
}

static bool read_smi(struct parser *parser, const char *name, char *value)
{
    static const char *const words[] = {"auto", "allow", "never"};
    size_t i = words_index(value, words, 3);

    if (i == 3)
        return complain(parser, "%s=%.60s: wants auto, allow or never", name, value);
    parser->out->smi = (enum smi_permission)i;
    return true;
}

static bool read_deviations(struct parser *parser, const char *name, char *value)
{
    static const char *const words[] = {"known", "ignore"};
    size_t i = words_index(value, words, 2);

    if (i == 2)
        return complain(parser, "%s=%.60s: wants known or ignore", name, value);
    parser->out->ignore_deviations = i == 1;
    return true;
}

static bool read_lab(struct parser *parser, const char *name, char *value)
{
    char *item;

    while ((item = words_next(&value)) != NULL) {
        size_t i = words_index(item, lab_words, LAB_SERVICE_COUNT);

        if (i == LAB_SERVICE_COUNT && strcmp(item, "none") != 0)
            return complain(parser, "%s=%.60s: wants a list of machine-check, or none", name, item);
        if (i < LAB_SERVICE_COUNT)
            parser->out->lab |= 1u << i;
    }
    return true;
}

static const struct option {
    const char *name;
    bool has_value;
    read_value read;
    const char *help;
} table[] = {
    {"test", true, read_test, "test=GLOB,GLOB    run what matches suite.name, or the whole suite"},
    {"list", false, read_list, "list              name the tests, run none"},
    {"repeat", true, read_repeat, "repeat=N          run each test N times"},
    {"seed", true, read_seed, "seed=N            where tests that choose at random begin"},
    {"timeout", true, read_timeout, "timeout=SECONDS   when a test counts as hung"},
    {"console", true, read_console,
     "console=SINK,SINK of serial, screen, debugcon; serial:com2,57600"},
    {"exit", true, read_exit, "exit=HOW          auto, qemu, acpi, reset or halt"},
    {"apic", true, read_apic, "apic=MODE         auto or x2apic"},
    {"smi", true, read_smi, "smi=WHEN          auto (not on bare metal), allow or never"},
    {"deviations", true, read_deviations, "deviations=WHICH  known (not failures) or ignore"},
    {"lab", true, read_lab,
     "lab=SERVICE       what the lab can do when asked: machine-check, none"},
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

const char *options_help(size_t i)
{
    return i < TABLE_SIZE ? table[i].help : NULL;
}

static bool unknown(struct parser *parser, const char *name)
{
    return complain(parser,
                    "unknown option '%.60s'; known: test= list repeat= seed= timeout= "
                    "console= exit= apic= smi= deviations= lab=",
                    name);
}

/* One word of the command line; seen has a bit for each row of the table that came before. */
static bool read_word(struct parser *parser, char *word, unsigned *seen)
{
    char *value = word;
    size_t i = 0;

    while (*value != '\0' && *value != '=')
        value++;
    if (*value == '=')
        *value++ = '\0';
    else
        value = NULL;
    while (i < TABLE_SIZE && strcmp(word, table[i].name) != 0)
        i++;
    if (i == TABLE_SIZE)
        return unknown(parser, word);
    if ((*seen & 1u << i) != 0)
        return complain(parser, "%s is given twice", word);
    *seen |= 1u << i;
    if (!table[i].has_value && value != NULL)
        return complain(parser, "%s takes no value", word);
    if (table[i].has_value && (value == NULL || *value == '\0'))
        return complain(parser, "%s= wants a value", word);
    return table[i].read(parser, word, value);
}

static void set_defaults(struct options *out)
{
    *out = (struct options){
        .repeat = 1,
        .seed = OPTIONS_SEED,
        .timeout = OPTIONS_TIMEOUT,
        .consoles = CONSOLE_DEFAULT,
        .serial = {SERIAL_COM1, SERIAL_RATE},
    };
}

/* The lines of a test that says much go out while its time runs. */
static void allow_for_slow_line(struct options *out)
{
    if (out->serial.rate < SERIAL_RATE)
        out->timeout += LINE_BITS_OF_A_TEST / out->serial.rate;
}

/* Ends the word that begins at text; returns where to look for the next one. */
static char *cut_word(char *text)
{
    while (*text != '\0' && !words_is_blank(*text))
        text++;
    if (*text != '\0')
        *text++ = '\0';
    return text;
}

bool options_parse(const char *line, struct options *out, char *error)
{
    char later[OPTIONS_ERROR_SIZE]; /* complaints after the first, which is the one that stands */
    struct parser parser = {.out = out, .error = error};
    size_t length = strlen(line);
    unsigned seen = 0;

    set_defaults(out);
    if (length >= OPTIONS_TEXT_SIZE)
        return complain(&parser, "the command line is longer than %u characters",
                        OPTIONS_TEXT_SIZE - 1);
    memcpy(out->text, line, length + 1);
    for (char *word = out->text; *word != '\0';) {
        char *next;

        if (words_is_blank(*word)) {
            word++;
            continue;
        }
        next = cut_word(word);
        if (!read_word(&parser, word, &seen))
            parser.error = later;
        word = next;
    }
    if (!parser.has_timeout)
        allow_for_slow_line(out);
    return parser.error == error;
}
