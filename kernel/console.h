/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the log goes: every line to each sink that is open. A sink that is not there, or that
 * stops taking bytes, is dropped; nothing here waits for ever.
 */
#ifndef KERNEL_CONSOLE_H
#define KERNEL_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of a set of sinks. */
enum console_sinks {
    CONSOLE_SERIAL = 1,
    CONSOLE_SCREEN = 2,
    CONSOLE_DEBUGCON = 4,
    CONSOLE_DEFAULT = CONSOLE_SERIAL | CONSOLE_SCREEN,
};

/* Their words, as the command line and the log say them. */
#define CONSOLE_NAMES                                                                              \
    {                                                                                              \
        "serial", "screen", "debugcon", NULL                                                       \
    }

enum console_colour { COLOUR_PLAIN, COLOUR_QUIET, COLOUR_GOOD, COLOUR_BAD, COLOUR_WARNING };

struct console_sink {
    const char *(*open)(void); /* NULL, or why it cannot be used */
    bool (*write)(const char *text, size_t length, enum console_colour colour); /* false: it died */
};

extern const struct console_sink console_serial, console_screen, console_debugcon;

#define SERIAL_COM1         0x3f8u  /* port */
#define SERIAL_RATE         115200u /* baud, the fastest; every other divides it (F14.13) */
#define SERIAL_SLOWEST_RATE 9600u   /* slower, a long line takes as long as the watchdog waits */

struct serial_line {
    uint16_t port; /* the first of its eight */
    uint32_t rate; /* baud */
};

/* The line that console_serial opens; before the first call COM1 at SERIAL_RATE. */
void console_serial_choose(const struct serial_line *line);

/* Opens those of the set that are not open yet. May be called again with more. */
void console_open(unsigned sinks);

/* Whether anybody can read the log. */
bool console_is_open(void);

/* Length in bytes; lines end in "\n". The colour is for sinks that have colours. */
void console_write(const char *text, size_t length, enum console_colour colour);

/* Ends a line that was cut off in the middle, so that the next one starts at its beginning. */
void console_fresh_line(void);

/* Why a sink of the set is not in use, or NULL when it is (one bit of the set only). */
const char *console_problem(unsigned sink);

#endif
