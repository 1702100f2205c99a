/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/options.c kernel/printf.c kernel/lab.c */
/* The command line is read to the letter, and every complaint says what is wrong. */
#include "kernel/options.h"

#include "kernel/console.h"
#include "kernel/lab.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

static struct options options;
static char error[OPTIONS_ERROR_SIZE];

static bool parse(const char *line)
{
    memset(&options, 0xa5, sizeof(options));
    memset(error, 0, sizeof(error));
    return options_parse(line, &options, error);
}

static void check_defaults(void)
{
    static const char *const empty[] = {"", " ", "\t \r\n "};

    for (size_t i = 0; i < 3; i++) {
        CHECK(parse(empty[i]), "%s", error);
        CHECK(options.glob_count == 0 && !options.list && options.repeat == 1, "defaults");
        CHECK(options.seed == OPTIONS_SEED && options.timeout == OPTIONS_TIMEOUT, "defaults");
        CHECK(options.consoles == CONSOLE_DEFAULT && options.exit == EXIT_AUTO, "defaults");
        CHECK(!options.want_x2apic && options.smi == SMI_AUTO && options.lab == 0, "defaults");
    }
}

static void check_all_options(void)
{
    CHECK(parse("test=ring3.*,probe list repeat=20 seed=0xFfFfFfFfFfFfFfFf timeout=3 "
                "console=debugcon,serial  exit=halt\tapic=x2apic smi=allow deviations=ignore "
                "lab=machine-check"),
          "%s", error);
    CHECK(options.glob_count == 2, "%zu globs", options.glob_count);
    CHECK_TEXT(options.globs[0], "ring3.*");
    CHECK_TEXT(options.globs[1], "probe");
    CHECK(options.list && options.repeat == 20 && options.timeout == 3, "numbers");
    CHECK(options.seed == UINT64_MAX, "seed");
    CHECK(options.consoles == (CONSOLE_SERIAL | CONSOLE_DEBUGCON), "%u", options.consoles);
    CHECK(options.exit == EXIT_HALT && options.want_x2apic && options.ignore_deviations, "words");
    CHECK(options.lab == LAB_MACHINE_CHECK, "%u", options.lab);
    CHECK(options.smi == SMI_ALLOW, "smi");
    CHECK(parse("lab=none") && options.lab == 0, "%s", error);
    CHECK(parse("smi=never") && options.smi == SMI_NEVER, "smi");
    CHECK(parse("smi=auto") && options.smi == SMI_AUTO, "smi");
}

static void check_complaints(void)
{
    static const struct {
        const char *line, *complaint;
    } rows[] = {
        {"tset=x", "unknown option 'tset'"},
        {"quiet", "unknown option 'quiet'"},
        {"=", "unknown option ''"},
        {"test", "test= wants a value"},
        {"test=", "test= wants a value"},
        {"test=a,", "test=: an empty name"},
        {"test=,a", "test=: an empty name"},
        {"test=a test=b", "test is given twice"},
        {"list list", "list is given twice"},
        {"list=yes", "list takes no value"},
        {"repeat=0", "wants a number from 1 to 1000000"},
        {"repeat=1000001", "wants a number"},
        {"repeat=-1", "wants a number"},
        {"repeat=5x", "wants a number"},
        {"repeat=0x", "wants a number"},
        {"repeat=1a", "wants a number"},
        {"seed=0x1g", "wants a number"},
        {"seed=18446744073709551616", "wants a number from 0 to 18446744073709551615"},
        {"timeout=0", "wants a number from 1 to 3600"},
        {"timeout=1e3", "wants a number"},
        {"console=serial,", "wants a list of serial, screen, debugcon"},
        {"console=vga", "console=vga: wants a list"},
        {"exit=now", "wants auto, qemu, acpi, reset or halt"},
        {"apic=xapic", "wants auto or x2apic"},
        {"smi=yes", "wants auto, allow or never"},
        {"smi", "smi= wants a value"},
        {"deviations=none", "wants known or ignore"},
        {"lab=coffee", "lab=coffee: wants a list of machine-check, or none"},
        {"lab=machine-check,", "wants a list of machine-check"},
        {"lab=none lab=none", "lab is given twice"},
        {"list bad worse", "unknown option 'bad'"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK(!parse(rows[i].line), "'%s' is accepted", rows[i].line);
        CHECK(strstr(error, rows[i].complaint) != NULL, "'%s' gives '%s'", rows[i].line, error);
    }
}

/* The complaint must reach the console that was asked for, on whichever side of the mistake. */
static void check_good_words_count_beside_bad_ones(void)
{
    CHECK(!parse("bogus console=debugcon repeat=x exit=halt"), "accepted");
    CHECK(options.consoles == CONSOLE_DEBUGCON && options.exit == EXIT_HALT, "lost");
    CHECK(strstr(error, "bogus") != NULL, "'%s'", error);
}

static void check_limits(void)
{
    char line[OPTIONS_TEXT_SIZE + 200];

    memset(line, ' ', sizeof(line));
    line[OPTIONS_TEXT_SIZE - 1] = '\0';
    CHECK(parse(line), "%s", error);
    line[OPTIONS_TEXT_SIZE - 1] = ' ';
    line[OPTIONS_TEXT_SIZE] = '\0';
    CHECK(!parse(line), "an overlong line is accepted");
    CHECK(options.consoles == CONSOLE_DEFAULT, "no defaults after an overlong line");

    strcpy(line, "test=a");
    for (unsigned i = 1; i < OPTIONS_GLOB_COUNT; i++)
        strcat(line, ",a");
    CHECK(parse(line), "%s", error);
    strcat(line, ",a");
    CHECK(!parse(line) && strstr(error, "more than 32") != NULL, "'%s'", error);

    memset(line, 'x', 900);
    line[900] = '\0';
    CHECK(!parse(line) && strlen(error) < OPTIONS_ERROR_SIZE, "a long word");
}

static void check_help(void)
{
    size_t count = 0;

    while (options_help(count) != NULL)
        count++;
    CHECK(count == 11, "%zu options have help", count);
}

int main(void)
{
    check_defaults();
    check_all_options();
    check_complaints();
    check_good_words_count_beside_bad_ones();
    check_limits();
    check_help();
    return check_result();
}
