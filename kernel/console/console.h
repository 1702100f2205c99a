/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the log goes: every line to each sink that is open. A sink that is not there, or that
 * stops taking bytes, is dropped; nothing here waits for ever.
 */
#ifndef KERNEL_CONSOLE_CONSOLE_H
#define KERNEL_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"

/* The log has the first five alone. */
enum console_colour {
    COLOUR_PLAIN,
    COLOUR_QUIET,
    COLOUR_GOOD,
    COLOUR_BAD,
    COLOUR_WARNING,
    COLOUR_BRIGHT,
    COLOUR_ON_BAR, /* the ground has the colour, here and below */
    COLOUR_ON_GOOD,
    COLOUR_ON_BAD,
    COLOUR_ON_WARNING,
    COLOUR_COUNT,
};

struct console_sink {
    const char *(*open)(void); /* NULL, or why it cannot be used */
    bool (*write)(const char *text, size_t length, enum console_colour colour); /* false: it died */
    void (*leave)(void); /* of a screen: from now on nothing is shown on it */
};

extern const struct console_sink console_serial, console_debugcon, console_uart;

/* What shows lines, before it is opened. */
void console_add_screen(const struct console_sink *screen);

struct uart; /* kernel/console/uart.h */

/* The line that console_serial opens; before the first call COM1 at SERIAL_RATE. */
void console_serial_choose(const struct serial_line *line);

/* What console_uart opens; source: who named it, for the log. */
void console_uart_choose(const struct uart *uart, const char *source);

/*
 * Somebody knows the serial line's rate: says so on it, where that is not the one it has, and
 * changes it. source: who, for the log.
 */
void console_serial_follow(uint32_t rate, const char *source);

/* "16550 at port 0x3f8 (SPCR), 57600 baud" into text of SERIAL_TEXT_SIZE bytes, of one of the two
 * UARTs that is open; returns text. */
char *console_serial_describe(unsigned sink, char *text);

/* Baud of the slowest UART that is open; 0 where there is none, or none is known. */
uint32_t console_slowest_rate(void);

/* TSC ticks that a byte takes on the slowest UART that is open, by its loopback; UINT64_MAX where
 * it has none that works, 0 where no UART is open. */
uint64_t console_byte_ticks(void);

/* Whether this port is the serial line's. */
bool console_serial_is_port(uint64_t port);

/* Opens those of the set that are not open yet; each says first what was written before. May be
 * called again with more. */
void console_open(unsigned sinks);

/* Whether anybody can read the log. */
bool console_is_open(void);

/* Whether this one of them is (one bit of the set only). */
bool console_is_in_use(unsigned sink);

/* Length in bytes; lines end in "\n". The colour is for sinks that have colours. */
void console_write(const char *text, size_t length, enum console_colour colour);

/* … to those sinks of the set that are open. */
void console_write_to(unsigned sinks, const char *text, size_t length, enum console_colour colour);

/* Ends a line that was cut off in the middle, so that the next one starts at its beginning. */
void console_fresh_line(void);

/* From now on nothing is written anywhere: another processor has the log. */
void console_leave(void);

/* Why a sink of the set is not in use, or NULL when it is (one bit of the set only). */
const char *console_problem(unsigned sink);

#endif
