/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sinks in ports: two UARTs, the serial line and another that was named or found, and the debug
 * console of emulators. */
#include "arch/cpu/ground/insn.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/console/console.h"
#include "kernel/console/uart.h"

#define LINE_SIZE 96u
#define LINES     2u

static struct serial {
    struct uart uart;
    const char *source; /* who named it, or NULL */
    const char *advice; /* where it is none */
    bool is_open;
    char why[2 * SERIAL_TEXT_SIZE]; /* it cannot be used */
} serial = {.uart = {.registers = {.address = SERIAL_COM1, .shape = {1, 1}},
                     .clock = UART_CLOCK,
                     .rate = SERIAL_RATE},
            .advice = "; console=serial:PORT names another"},
  other;

static struct serial *const lines[LINES] = {&serial, &other};

void console_serial_choose(const struct serial_line *chosen)
{
    serial.uart.registers.address = chosen->port;
    serial.uart.rate = chosen->rate;
}

void console_uart_choose(const struct uart *uart, const char *source)
{
    other = (struct serial){.uart = *uart, .source = source};
}

bool console_serial_is_port(uint64_t port)
{
    return serial.uart.registers.address == port;
}

void console_serial_follow(uint32_t rate, const char *source)
{
    char line[LINE_SIZE];

    serial.source = source;
    if (!serial.is_open || rate == serial.uart.rate || !uart_can(&serial.uart, rate))
        return;
    format_string(line, sizeof(line), "\n# console: %u baud from here on (%s)\n", rate, source);
    uart_write(&serial.uart, line, strlen(line));
    uart_set_rate(&serial.uart, rate);
}

char *console_serial_describe(unsigned sink, char *text)
{
    const struct serial *line = sink == CONSOLE_SERIAL ? &serial : &other;
    char place[UART_TEXT_SIZE];

    format_string(text, SERIAL_TEXT_SIZE, "16550 at %s", uart_format_place(&line->uart, place));
    if (line->source != NULL)
        format_append(text, SERIAL_TEXT_SIZE, " (%s)", line->source);
    if (line->uart.rate != 0)
        format_append(text, SERIAL_TEXT_SIZE, ", %u baud", line->uart.rate);
    else if (line->uart.said_rate != 0)
        format_append(text, SERIAL_TEXT_SIZE, ", %u baud as the firmware left it",
                      line->uart.said_rate);
    else
        format_append(text, SERIAL_TEXT_SIZE, ", its rate as the firmware left it");
    if (!line->uart.has_loopback)
        format_append(text, SERIAL_TEXT_SIZE, ", fails its loopback");
    return text;
}

uint32_t console_slowest_rate(void)
{
    uint32_t slowest = 0;

    for (unsigned i = 0; i < LINES; i++) {
        const struct uart *uart = &lines[i]->uart;
        uint32_t rate = uart->rate != 0 ? uart->rate : uart->said_rate;

        if (lines[i]->is_open && rate != 0 && (slowest == 0 || rate < slowest))
            slowest = rate;
    }
    return slowest;
}

uint64_t console_byte_ticks(void)
{
    uint64_t slowest = 0;

    for (unsigned i = 0; i < LINES; i++) {
        const struct uart *uart = &lines[i]->uart;
        uint64_t ticks = uart->has_loopback ? uart->byte_ticks : UINT64_MAX;

        if (lines[i]->is_open && ticks > slowest)
            slowest = ticks;
    }
    return slowest;
}

static const char *open_line(struct serial *line)
{
    const char *wrong = uart_open(&line->uart);
    bool is_none = wrong != NULL && strncmp(wrong, "no ", 3) == 0;

    line->is_open = wrong == NULL;
    if (wrong == NULL)
        return NULL;
    format_string(line->why, sizeof(line->why), "%s%s", wrong,
                  is_none && line->advice != NULL ? line->advice : "");
    return line->why;
}

static bool write_line(struct serial *line, const char *text, size_t length)
{
    line->is_open = uart_write(&line->uart, text, length);
    return line->is_open;
}

static const char *serial_open(void)
{
    return open_line(&serial);
}

static bool serial_write(const char *text, size_t length, enum console_colour colour)
{
    (void)colour;
    return write_line(&serial, text, length);
}

static const char *other_open(void)
{
    return open_line(&other);
}

static bool other_write(const char *text, size_t length, enum console_colour colour)
{
    (void)colour;
    return write_line(&other, text, length);
}

const struct console_sink console_serial = {.open = serial_open, .write = serial_write};
const struct console_sink console_uart = {.open = other_open, .write = other_write};

/* Port E9H of emulators: a read returns E9H, a write sends one byte of the log. */

#define DEBUGCON 0xe9u

static const char *debugcon_open(void)
{
    return insn_in8(DEBUGCON) == DEBUGCON ? NULL : "no debug console at port E9H";
}

static bool debugcon_write(const char *text, size_t length, enum console_colour colour)
{
    (void)colour;
    for (size_t i = 0; i < length; i++)
        insn_out8(DEBUGCON, (uint8_t)text[i]);
    return true;
}

const struct console_sink console_debugcon = {.open = debugcon_open, .write = debugcon_write};
