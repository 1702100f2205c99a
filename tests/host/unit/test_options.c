/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line is read to the letter, and every complaint says what is wrong. */
#include "kernel/options.h"

#include "kernel/console/console.h"
#include "kernel/console/lab.h"
#include "tests/host/unit/check.h"

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
        CHECK(!options.dry_run && !options.trace && !options.names_serials, "defaults");
        CHECK(options.retest == 3, "defaults");
        CHECK(options.seed == OPTIONS_SEED && options.timeout == OPTIONS_TIMEOUT, "defaults");
        CHECK(options.consoles == CONSOLE_DEFAULT && options.exit == EXIT_AUTO, "defaults");
        CHECK(options.serial.port == 0x3f8 && options.serial.rate == 115200, "defaults");
        CHECK(options.log == LOG_AUTO && !options.has_sums, "defaults");
        CHECK(!options.leave_usb && options.duration == 0, "defaults");
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
    CHECK(parse("dry-run") && options.dry_run, "%s", error);
    CHECK(parse("lab=none") && options.lab == 0, "%s", error);
    CHECK(parse("usb=leave") && options.leave_usb, "%s", error);
    CHECK(parse("usb=take") && !options.leave_usb, "%s", error);
    CHECK(parse("log=compact") && options.log == LOG_COMPACT, "%s", error);
    CHECK(parse("log=full") && options.log == LOG_FULL, "%s", error);
    CHECK(parse("log=auto") && options.log == LOG_AUTO && !options.has_sums, "%s", error);
    CHECK(parse("log=sum") && options.log == LOG_AUTO && options.has_sums, "%s", error);
    CHECK(parse("log=full,sum") && options.log == LOG_FULL && options.has_sums, "%s", error);
    CHECK(parse("log=sum,compact") && options.log == LOG_COMPACT && options.has_sums, "%s", error);
    CHECK(parse("log=trace") && options.log == LOG_AUTO && options.trace, "%s", error);
    CHECK(!options.has_sums && !options.names_serials, "more than was asked for");
    CHECK(parse("log=serials,compact") && options.log == LOG_COMPACT, "%s", error);
    CHECK(options.names_serials && !options.has_sums && !options.trace, "serials");
    CHECK(parse("log=full,trace,sum,serials") && options.log == LOG_FULL, "%s", error);
    CHECK(options.names_serials && options.has_sums && options.trace, "all");
    CHECK(parse("retest=0") && options.retest == 0, "%s", error);
    CHECK(parse("retest=1000") && options.retest == 1000, "%s", error);
    CHECK(parse("smi=never") && options.smi == SMI_NEVER, "smi");
    CHECK(parse("smi=auto") && options.smi == SMI_AUTO, "smi");
}

/* Which processors run tests. */
static void check_places(void)
{
    CHECK(parse("") && options.places == PLACES_OF_KINDS, "default");
    CHECK(parse("cpu=boot") && options.places == PLACES_BOOT, "boot");
    CHECK(parse("cpu=each") && options.places == PLACES_EACH, "each");
    CHECK(parse("cpu=all") && options.places == PLACES_ALL, "all");
    CHECK(parse("cpu=pair") && options.places == PLACES_PAIR, "pair");
    CHECK(parse("cpu=one") && options.places == PLACES_ONE, "one");
    CHECK(parse("cpu=3,0-1,511") && options.places == PLACES_LISTED, "%s", error);
    for (unsigned i = 0; i < 512; i++)
        CHECK(options_lists_place(&options, i) == (i <= 1 || i == 3 || i == 511), "number %u", i);
    CHECK(!options_lists_place(&options, 512) && !options_lists_place(&options, 4096), "past");
}

static void check_soak(void)
{
    static const struct {
        const char *line;
        uint64_t seconds;
    } rows[] = {{"repeat=90s", 90},    {"repeat=20m", 1200},      {"repeat=8h", 28800},
                {"repeat=3d", 259200}, {"repeat=365d", 31536000}, {"repeat=8", 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CHECK(parse(rows[i].line) && options.duration == rows[i].seconds &&
                  options.repeat == (i == 5 ? 8 : 1) && !options.ends_at_failure,
              "%s: %s", rows[i].line, error);
    CHECK(parse("repeat=1h,first-failure") && options.ends_at_failure && options.repeat == 1 &&
              options.duration == 3600,
          "%s", error);
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
        {"dry-run=yes", "dry-run takes no value"},
        {"repeat=0", "wants a number from 1 to 1000000"},
        {"repeat=1000001", "wants a number"},
        {"repeat=-1", "wants a number"},
        {"repeat=5x", "wants a number"},
        {"repeat=0x", "wants a number"},
        {"repeat=1a", "wants a number"},
        {"seed=0x1g", "wants a number"},
        {"seed=18446744073709551616", "wants a number from 0 to 18446744073709551615"},
        {"retest=1001", "retest=1001: wants a number from 0 to 1000"},
        {"retest=-1", "retest=-1: wants a number"},
        {"timeout=0", "wants a number from 1 to 3600"},
        {"timeout=1e3", "wants a number"},
        {"repeat=8w", "repeat=8w: wants a number from 1 to 1000000, or a time as 90s"},
        {"repeat=s", "repeat=s: wants a number"},
        {"repeat=0h", "repeat=0h: wants a number"},
        {"repeat=366d", "repeat=366d: wants a number"},
        {"repeat=18446744073709551615d", "or a time"},
        {"repeat=-1s", "or a time"},
        {"repeat=1h30m", "or a time"},
        {"repeat=forever", "repeat=forever: wants a number"},
        {"repeat=5,first-failure", "repeat=5,first-failure: wants a number"},
        {"repeat=1h,failure", "repeat=1h,failure: wants a number"},
        {"repeat=1h,first-failure,x", "and first-failure behind it"},
        {"repeat=,first-failure", "repeat=,first-failure: wants a number"},
        {"repeat=1h,", "and first-failure behind it"},
        {"duration=8h", "there is no duration= any more: write repeat=8h"},
        {"until=end", "there is no until= any more: write repeat=8h,first-failure"},
        {"line=test", "there is no line= any more: write log=sum"},
        {"trace=1", "there is no trace= any more: write log=trace"},
        {"identity=full", "there is no identity= any more: write log=serials"},
        {"processors=one", "there is no processors= any more: write cpu=one"},
        {"cpu=", "cpu= wants a value"},
        {"cpu=512", "cpu=512: wants"},
        {"cpu=3-1", "cpu=3-1: wants"},
        {"cpu=1,", "cpu=: wants"},
        {"cpu=all,1", "cpu=all: wants"},
        {"cpu=-1", "cpu=-1: wants"},
        {"cpu=1-", "cpu=1-: wants"},
        {"console=serial,", "wants a list of serial, screen, debugcon, uart, log"},
        {"console=log,log", "console=log is named twice"},
        {"console=log:com1", "console=log:com1: only serial has a port"},
        {"console=vga", "console=vga: wants a list"},
        {"console=screen,screen", "console=screen is named twice"},
        {"console=serial:com1,serial:com2", "console=serial is named twice"},
        {"console=screen:com1", "console=screen:com1: only serial has a port"},
        {"console=serial:", "console=serial:: wants com1, com2, com3, com4 or a port"},
        {"console=serial:com5", "console=serial:com5: wants com1, com2, com3, com4 or a port"},
        {"console=serial:ttyS0", "wants com1, com2, com3, com4 or a port"},
        {"console=serial:9600", "the rate comes after a comma"},
        {"console=serial:0760", "the rate comes after a comma"},
        {"console=serial:0x3f9", "0x100 to 0xfff8, a multiple of 8"},
        {"console=serial:0x60", "0x100 to 0xfff8, a multiple of 8"},
        {"console=serial:0x10000", "0x100 to 0xfff8, a multiple of 8"},
        {"console=serial:0x2f8:9600", "wants com1, com2, com3, com4 or a port"},
        {"console=serial,57601", "console=serial,57601: wants a rate from 9600 to 115200 that"},
        {"console=serial,0", "wants a rate from 9600"},
        {"console=serial,230400", "wants a rate from 9600"},
        {"console=serial,115200n8", "wants a rate from 9600"},
        {"console=serial:com2,4800", "wants a rate from 9600"},
        {"console=serial,9600,9600", "console=9600: a rate stands right behind serial"},
        {"console=serial,screen,9600", "console=9600: a rate stands right behind serial"},
        {"console=57600", "console=57600: a rate stands right behind serial"},
        {"console=serial,keep", "wants a rate from 9600"},
        {"console=screen,keep", "console=keep: a rate stands right behind serial"},
        {"console=uart", "console=uart: wants uart:io:0x2f8, uart:mmio:ADDRESS"},
        {"console=uart,115200", "console=uart: wants uart:io:0x2f8"},
        {"console=uart:", "console=uart: wants"},
        {"console=uart:0x2f8", "console=uart: wants"},
        {"console=uart:io", "console=uart: wants"},
        {"console=uart:io:", "console=uart: wants"},
        {"console=uart:io:760", "console=uart: wants"},
        {"console=uart:io:0x2f9", "console=uart: wants"},
        {"console=uart:io:0x60", "console=uart: wants"},
        {"console=uart:io:0x10000", "console=uart: wants"},
        {"console=uart:io:0x2f8:9600", "console=uart: wants"},
        {"console=uart:mmio:0x0", "console=uart: wants"},
        {"console=uart:mmio:0xfe030004", "(a multiple of 8)"},
        {"console=uart:mmio8:0xfe030000", "console=uart: wants"},
        {"console=uart:mmio32:fe030000", "console=uart: wants"},
        {"console=uart:mmio32:0x10000000000000000", "console=uart: wants"},
        {"console=uart:pci:", "console=uart: wants"},
        {"console=uart:pci:00:16", "console=uart: wants"},
        {"console=uart:pci:0:16.3", "console=uart: wants"},
        {"console=uart:pci:00:20.0", "console=uart: wants"},
        {"console=uart:pci:00:16.8", "console=uart: wants"},
        {"console=uart:pci:00-16.3", "console=uart: wants"},
        {"console=uart:pci:0g:16.3", "console=uart: wants"},
        {"console=uart:pci:00:16.34", "console=uart: wants"},
        {"console=uart:io:0x2f8,9599", "console=uart,9599: wants a rate from 9600 to 4000000, or"},
        {"console=uart:io:0x2f8,4000001", "wants a rate from 9600 to 4000000, or keep"},
        {"console=uart:io:0x2f8,9600,keep", "console=keep: a rate stands right behind"},
        {"console=uart:io:0x2f8,uart:io:0x3e8", "console=uart is named twice"},
        {"log=short", "log=short: wants auto, compact or full, and sum, trace and serials"},
        {"log=sum,full,x",
         "log=sum,full,x: wants auto, compact or full, and sum, trace and serials"},
        {"log=full,", "log=full,: wants auto, compact or full, and sum, trace and serials"},
        {"log=sum,sum", "log=sum,sum: wants auto, compact or full, and sum, trace and serials"},
        {"log=trace,trace", "log=trace,trace: wants auto, compact or full, and sum"},
        {"log=full,auto", "log=full,auto: wants auto, compact or full, and sum, trace and serials"},
        {"log=", "log= wants a value"},
        {"log", "log= wants a value"},
        {"log=full log=compact", "log is given twice"},
        {"exit=now", "wants auto, qemu, acpi, reset or halt"},
        {"apic=xapic", "wants auto or x2apic"},
        {"smi=yes", "wants auto, allow or never"},
        {"smi", "smi= wants a value"},
        {"usb=give", "usb=give: wants take or leave"},
        {"deviations=none", "wants known or ignore"},
        {"lab=coffee", "lab=coffee: wants a list of machine-check, machine-check-other, or none"},
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

static void check_line(const char *line, unsigned sinks, unsigned port, unsigned rate)
{
    CHECK(parse(line), "%s", error);
    CHECK(options.consoles == sinks, "'%s': sinks %u", line, options.consoles);
    CHECK(options.serial.port == port && options.serial.rate == rate, "'%s': %#x at %u", line,
          options.serial.port, options.serial.rate);
}

static void check_serial_lines(void)
{
    check_line("console=serial", CONSOLE_SERIAL, 0x3f8, 115200);
    check_line("console=serial:0x2f8,57600", CONSOLE_SERIAL, 0x2f8, 57600);
    check_line("console=serial:com2,screen", CONSOLE_DEFAULT, 0x2f8, 115200);
    check_line("console=serial:0x3e8,9600,screen", CONSOLE_DEFAULT, 0x3e8, 9600);
    check_line("console=screen,serial,9600", CONSOLE_DEFAULT, 0x3f8, 9600);
    check_line("console=debugcon,serial:com3", CONSOLE_SERIAL | CONSOLE_DEBUGCON, 0x3e8, 115200);
    check_line("console=log", CONSOLE_SCREEN | CONSOLE_LOG, 0x3f8, 115200);
    check_line("console=log,screen", CONSOLE_SCREEN | CONSOLE_LOG, 0x3f8, 115200);
    check_line("console=serial,9600,log", CONSOLE_DEFAULT | CONSOLE_LOG, 0x3f8, 9600);
    check_line("console=serial:com4", CONSOLE_SERIAL, 0x2e8, 115200);
    check_line("console=serial:com1", CONSOLE_SERIAL, 0x3f8, 115200);
    check_line("console=serial:0x100", CONSOLE_SERIAL, 0x100, 115200);
    check_line("console=serial:0xFFF8", CONSOLE_SERIAL, 0xfff8, 115200);
    check_line("console=screen", CONSOLE_SCREEN, 0x3f8, 115200);
}

/* Exactly those are taken that a UART's divisor can make. */
static void check_every_rate(void)
{
    char line[64];

    for (unsigned rate = 9600; rate <= 115200; rate++) {
        snprintf(line, sizeof(line), "console=serial,%u", rate);
        CHECK(parse(line) == (115200 % rate == 0), "%u: '%s'", rate, error);
        CHECK(options.serial.rate == (115200 % rate == 0 ? rate : 115200), "%u", rate);
    }
}

static void check_uart(const char *line, unsigned sinks, struct uart_choice expected)
{
    const struct uart_choice *got = &options.uart;

    CHECK(parse(line), "%s", error);
    CHECK(options.consoles == sinks, "'%s': sinks %u", line, options.consoles);
    CHECK(got->where == expected.where && got->address == expected.address &&
              got->width == expected.width && got->rate == expected.rate &&
              got->rate_is_named == expected.rate_is_named,
          "'%s': %d %#lx, %u bytes, %u baud", line, got->where, got->address, got->width,
          got->rate);
    CHECK(memcmp(&got->pci, &expected.pci, sizeof(got->pci)) == 0, "'%s': %02x:%02x.%x", line,
          got->pci.bus, got->pci.device, got->pci.function);
    CHECK(options.serial.port == 0x3f8 && !options.serial.port_is_named, "the serial line changed");
}

static void check_uarts(void)
{
    check_uart("console=uart:io:0x2f8", CONSOLE_UART,
               (struct uart_choice){.where = UART_IN_PORTS, .address = 0x2f8, .width = 1});
    check_uart("console=uart:io:0x2F8,115200,screen", CONSOLE_UART | CONSOLE_SCREEN,
               (struct uart_choice){.where = UART_IN_PORTS,
                                    .address = 0x2f8,
                                    .width = 1,
                                    .rate = 115200,
                                    .rate_is_named = true});
    check_uart(
        "console=serial,uart:mmio:0xfe030000,0", CONSOLE_UART | CONSOLE_SERIAL,
        (struct uart_choice){
            .where = UART_IN_MEMORY, .address = 0xfe030000, .width = 1, .rate_is_named = true});
    check_uart("console=uart:mmio16:0x4000000000", CONSOLE_UART,
               (struct uart_choice){.where = UART_IN_MEMORY, .address = 0x4000000000, .width = 2});
    check_uart("console=uart:mmio32:0xfe030000,921600", CONSOLE_UART,
               (struct uart_choice){.where = UART_IN_MEMORY,
                                    .address = 0xfe030000,
                                    .width = 4,
                                    .rate = 921600,
                                    .rate_is_named = true});
    check_uart(
        "console=screen,uart:pci:ff:1f.7,keep", CONSOLE_UART | CONSOLE_SCREEN,
        (struct uart_choice){.where = UART_ON_PCI, .pci = {0xff, 0x1f, 7}, .rate_is_named = true});
}

/* Two lines, each with a rate of its own. */
static void check_both_lines(void)
{
    CHECK(parse("console=serial:com2,9600,uart:io:0x3e8,57600"), "%s", error);
    CHECK(options.serial.port == 0x2f8 && options.serial.rate == 9600, "the serial line");
    CHECK(options.serial.port_is_named && options.serial.rate_is_named, "named");
    CHECK(options.uart.address == 0x3e8 && options.uart.rate == 57600, "the other");
    CHECK(parse("console=serial,screen") && !options.serial.port_is_named &&
              !options.serial.rate_is_named,
          "nothing was named");
}

/* A line that is found later may be slower than the one that was named. */
static void check_later_rate(void)
{
    CHECK(parse("") && options.timeout == 10, "%lu", options.timeout);
    options_allow_for_rate(&options, 9600);
    CHECK(options.timeout == 10 + 93, "%lu", options.timeout);
    options_allow_for_rate(&options, 0);
    CHECK(options.timeout == 10, "%lu", options.timeout);
    CHECK(parse("timeout=7"), "%s", error);
    options_allow_for_rate(&options, 9600);
    CHECK(options.timeout == 7, "%lu", options.timeout);
}

/* A real line of 115200 baud takes its time, too; of two times the longer one stands. */
static void check_real_line(void)
{
    CHECK(parse(""), "%s", error);
    options_allow_for_line(&options, 0);
    CHECK(options.timeout == 10, "%lu", options.timeout);
    options_allow_for_line(&options, 86806);
    CHECK(options.timeout == 10 + 7, "%lu", options.timeout);
    CHECK(parse("console=serial,9600"), "%s", error);
    options_allow_for_line(&options, 86806);
    CHECK(options.timeout == 10 + 93, "%lu", options.timeout);
    CHECK(parse("timeout=7"), "%s", error);
    options_allow_for_line(&options, 86806);
    CHECK(options.timeout == 7, "%lu", options.timeout);
}

/* What a test says goes out while its time runs; a time that was asked for stands. */
static void check_slow_line_gets_more_time(void)
{
    CHECK(parse("console=serial,9600") && options.timeout == 10 + 93, "%lu", options.timeout);
    CHECK(parse("console=serial,57600") && options.timeout == 10 + 15, "%lu", options.timeout);
    CHECK(parse("console=serial,115200") && options.timeout == 10, "%lu", options.timeout);
    CHECK(parse("timeout=10 console=serial,9600") && options.timeout == 10, "asked for");
    CHECK(parse("console=serial,9600 timeout=3") && options.timeout == 3, "asked for");
}

/* The complaint goes to the usual serial line. */
static void check_bad_line_leaves_the_usual_one(void)
{
    CHECK(!parse("console=serial:com2,57601"), "accepted");
    CHECK(options.consoles == CONSOLE_DEFAULT, "sinks %u", options.consoles);
    CHECK(options.serial.port == 0x3f8 && options.serial.rate == 115200, "the line is changed");
    CHECK(!parse("console=serial:com2,uart:io:0x2f8,57601x"), "accepted");
    CHECK(options.consoles == CONSOLE_DEFAULT && options.uart.address == 0, "the UART is changed");
    CHECK(options.serial.port == 0x3f8 && !options.serial.port_is_named, "the line is changed");
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
    CHECK(count == 16, "%zu options have help", count);
}

int main(void)
{
    check_defaults();
    check_all_options();
    check_places();
    check_soak();
    check_complaints();
    check_good_words_count_beside_bad_ones();
    check_serial_lines();
    check_every_rate();
    check_slow_line_gets_more_time();
    check_bad_line_leaves_the_usual_one();
    check_uarts();
    check_both_lines();
    check_later_rate();
    check_real_line();
    check_limits();
    check_help();
    return check_result();
}
