/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/console/console.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/console/uart.h"
#include "arch/lib/words.h"

/* Lower ports are the mainboard's own; a UART has eight, on a boundary of eight. */
#define PORT_LOWEST  0x100u
#define PORT_HIGHEST 0xfff8u
#define PORT_COUNT   8u

#define UART_FASTEST_RATE 4000000u
#define HEXADECIMAL       16u

static const char *const console_names[] = CONSOLE_NAMES;

struct reader {
    struct options *out;
    char *error;
    unsigned rate_follows; /* the previous sink, if it takes a rate */
};

static bool complain(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct reader *reader, const char *format, ...)
{
    FORMAT_ARGUMENTS(reader->error, OPTIONS_ERROR_SIZE, format);
    return false;
}

/* Requires 0x, because a decimal number is a rate. */
static bool read_hexadecimal(const char *text, uint64_t *number)
{
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && words_number(text, number);
}

static bool is_port(uint64_t number)
{
    return number >= PORT_LOWEST && number <= PORT_HIGHEST && number % PORT_COUNT == 0;
}

static bool read_port(struct reader *reader, const char *text)
{
    static const char *const words[] = {"com1", "com2", "com3", "com4", NULL};
    static const uint16_t ports[] = {SERIAL_COM1, 0x2f8, 0x3e8, 0x2e8};
    size_t i = words_index(text, words);
    uint64_t number = words[i] != NULL ? ports[i] : 0;

    if (words[i] == NULL && (!read_hexadecimal(text, &number) || !is_port(number)))
        return complain(
            reader,
            "console=serial:%.60s: wants com1, com2, com3, com4 or a port such as 0x2f8 (%#x to "
            "%#x, a multiple of %u); the rate comes after a comma",
            text, PORT_LOWEST, PORT_HIGHEST, PORT_COUNT);
    reader->out->serial.port = (uint16_t)number;
    reader->out->serial.port_is_named = true;
    return true;
}

/* The form of lspci: 00:14.0, all digits hexadecimal. */
static bool read_function(const char *text, struct uart_choice *out)
{
    char digits[] = "0x00:0x00.0x0";
    char *bus = digits, *device = digits + 5, *function = digits + 10;
    uint64_t numbers[3];

    if (strlen(text) != 7 || text[2] != ':' || text[5] != '.')
        return false;
    memcpy(bus + 2, text, 2);
    memcpy(device + 2, text + 3, 2);
    function[2] = text[6];
    bus[4] = device[4] = '\0';
    if (!words_number(bus, &numbers[0]) || !words_number(device, &numbers[1]) ||
        !words_number(function, &numbers[2]) || numbers[1] >= PCI_DEVICES ||
        numbers[2] >= PCI_FUNCTIONS)
        return false;
    out->pci = (struct pci_function){
        .bus = (uint8_t)numbers[0], .device = (uint8_t)numbers[1], .function = (uint8_t)numbers[2]};
    return true;
}

/* "io:0x2f8", "mmio32:0xfe030000", "pci:00:16.3" */
static bool read_uart_place(char *text, struct uart_choice *out)
{
    static const char *const words[] = {"io", "mmio", "mmio16", "mmio32", "pci", NULL};
    static const uint8_t widths[] = {1, 1, 2, 4, 0};
    char *place = words_cut(text, ':');
    size_t i = words_index(text, words);

    if (words[i] == NULL || place == NULL)
        return false;
    out->where = i == 0 ? UART_IN_PORTS : i == 4 ? UART_ON_PCI : UART_IN_MEMORY;
    out->width = widths[i];
    if (out->where == UART_ON_PCI)
        return read_function(place, out);
    if (!read_hexadecimal(place, &out->address))
        return false;
    return out->where == UART_IN_PORTS ? is_port(out->address)
                                       : out->address != 0 && out->address % PORT_COUNT == 0;
}

static bool read_uart(struct reader *reader, char *text)
{
    if (text != NULL && read_uart_place(text, &reader->out->uart))
        return true;
    return complain(reader,
                    "console=uart: wants uart:io:0x2f8, uart:mmio:ADDRESS, uart:mmio16:ADDRESS, "
                    "uart:mmio32:0xfe030000 (a multiple of %u) or uart:pci:00:16.3; the rate, or "
                    "keep, comes after a comma",
                    PORT_COUNT);
}

static bool read_serial_rate(struct reader *reader, const char *text)
{
    uint64_t rate;

    if (!words_number(text, &rate) || rate < SERIAL_SLOWEST_RATE || rate > SERIAL_RATE ||
        SERIAL_RATE % rate != 0)
        return complain(reader,
                        "console=serial,%.60s: wants a rate from %u to %u that divides %u: "
                        "115200, 57600, 38400, 19200 or 9600",
                        text, SERIAL_SLOWEST_RATE, SERIAL_RATE, SERIAL_RATE);
    reader->out->serial.rate = (uint32_t)rate;
    reader->out->serial.rate_is_named = true;
    return true;
}

static bool read_uart_rate(struct reader *reader, const char *text)
{
    uint64_t rate = UART_KEEP_RATE;

    if (strcmp(text, "keep") != 0 &&
        (!words_number(text, &rate) ||
         (rate != UART_KEEP_RATE && (rate < SERIAL_SLOWEST_RATE || rate > UART_FASTEST_RATE))))
        return complain(reader, "console=uart,%.60s: wants a rate from %u to %u, or keep", text,
                        SERIAL_SLOWEST_RATE, UART_FASTEST_RATE);
    reader->out->uart.rate = (uint32_t)rate;
    reader->out->uart.rate_is_named = true;
    return true;
}

static bool read_rate(struct reader *reader, const char *text)
{
    unsigned sink = reader->rate_follows;

    reader->rate_follows = 0;
    if (sink == CONSOLE_SERIAL)
        return read_serial_rate(reader, text);
    if (sink == CONSOLE_UART)
        return read_uart_rate(reader, text);
    return complain(reader, "console=%.60s: a rate stands right behind serial or serial:PORT",
                    text);
}

static bool read_sink(struct reader *reader, char *item)
{
    char *place = words_cut(item, ':');
    size_t i = words_index(item, console_names);
    unsigned sink = 1u << i;

    if (console_names[i] == NULL)
        return complain(reader,
                        "console=%.60s: wants a list of serial, screen, debugcon, uart, log", item);
    if (place != NULL && sink != CONSOLE_SERIAL && sink != CONSOLE_UART)
        return complain(reader, "console=%s:%.60s: only serial has a port", item, place);
    if ((reader->out->consoles & sink) != 0)
        return complain(reader, "console=%s is named twice, and there is only one", item);
    reader->out->consoles |= sink;
    reader->rate_follows = sink;
    if (sink == CONSOLE_UART)
        return read_uart(reader, place);
    return place == NULL || read_port(reader, place);
}

/* No sink begins with a digit, so a number is the rate of the previous sink. */
static bool is_rate(const char *item)
{
    return (item[0] >= '0' && item[0] <= '9') || strcmp(item, "keep") == 0;
}

bool console_option_read(struct options *out, char *value, char *error)
{
    struct reader reader = {.out = out, .error = error};
    unsigned consoles = out->consoles;
    struct serial_line serial = out->serial;
    struct uart_choice uart = out->uart;
    char *item;

    out->consoles = 0;
    while ((item = words_next(&value)) != NULL) {
        if (is_rate(item) ? read_rate(&reader, item) : read_sink(&reader, item))
            continue;
        out->consoles = consoles;
        out->serial = serial;
        out->uart = uart;
        return false;
    }
    if ((out->consoles & CONSOLE_LOG) != 0)
        out->consoles |= CONSOLE_SCREEN;
    return true;
}
