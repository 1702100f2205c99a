/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes each line of the log to every open sink. A sink that is missing or stops taking bytes is
 * dropped; every wait is bounded. */
#ifndef KERNEL_CONSOLE_CONSOLE_H
#define KERNEL_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/settings.h"

/* The log uses only the first five. */
enum console_colour {
    COLOUR_PLAIN,
    COLOUR_QUIET,
    COLOUR_GOOD,
    COLOUR_BAD,
    COLOUR_WARNING,
    COLOUR_BRIGHT,
    COLOUR_ON_BAR, /* this and the following are backgrounds */
    COLOUR_ON_GOOD,
    COLOUR_ON_BAD,
    COLOUR_ON_WARNING,
    COLOUR_COUNT,
};

struct console_sink {
    const char *(*open)(void); /* returns NULL, or why it is unusable */
    bool (*write)(const char *text, size_t length, enum console_colour colour); /* false: it died */
    void (*leave)(void); /* of a screen only: it shows nothing from now on */
};

extern const struct console_sink console_serial, console_debugcon, console_uart;

/* Registers the screen's sink, before it is opened. */
void console_add_screen(const struct console_sink *screen);

struct uart; /* kernel/console/uart.h */

/* Sets the line that console_serial opens; the default is COM1 at SERIAL_RATE. */
void console_serial_choose(const struct serial_line *line);

/* Sets the UART that console_uart opens; source: who named it, for the log. */
void console_uart_choose(const struct uart *uart, const char *source);

/* Announces the new rate, in baud, on the serial line, and changes to it. Does nothing if the line
 * has that rate already or cannot make it. source: who named the rate, for the log. */
void console_serial_follow(uint32_t rate, const char *source);

/* Describes the UART of CONSOLE_SERIAL or CONSOLE_UART, which must be open: "16550 at port 0x3f8
 * (SPCR), 57600 baud". Returns text, of SERIAL_TEXT_SIZE bytes. */
char *console_serial_describe(unsigned sink, char *text);

/* Baud of the slowest open UART; 0 if none is open or no rate is known. */
uint32_t console_slowest_rate(void);

/* TSC ticks that a byte takes on the slowest open UART, measured by loopback. UINT64_MAX if the
 * loopback of an open UART does not work; 0 if no UART is open. */
uint64_t console_byte_ticks(void);

/* Does the serial line use this port? */
bool console_serial_is_port(uint64_t port);

/* Opens the sinks of the set that are not open yet. Each first gets the start of the log. */
void console_open(unsigned sinks);

/* Is any sink open? */
bool console_is_open(void);

/* Is this sink (one bit) open? */
bool console_is_in_use(unsigned sink);

/* length in bytes; lines end in "\n". Sinks without colours ignore the colour. */
void console_write(const char *text, size_t length, enum console_colour colour);

/* Writes only to the open sinks of the set. */
void console_write_to(unsigned sinks, const char *text, size_t length, enum console_colour colour);

/* Ends an incomplete line, so that the next starts at its beginning. */
void console_fresh_line(void);

/* Writes nothing from now on, because another processor writes the log. */
void console_leave(void);

/* Why this sink (one bit) is not in use; NULL if it is in use or was never opened. */
const char *console_problem(unsigned sink);

/*
 * Finds the UART for the log, if none is named, and locates one that is named by hand.
 *
 * The log goes to COM1, if it answers, and to the UART that the table SPCR, or else DBG2, names. On
 * a server the firmware's console, with the management controller's serial-over-LAN, may be another
 * port than the one with the cable (F26.6), so both get the log. If neither exists, the first PCI
 * UART is used, or last the first of Intel's LPSS, which may serve anything. The keys of super-I/O
 * chips (F26.14) are never tried, because to another chip they are commands.
 */

/* Opens what it finds. Needs paging_init(), time_init() and the named sinks open. */
void console_find(const struct options *options);

/* Line `i` for the log, which says why a UART that was found is not used; NULL past the last. */
const char *console_find_note(unsigned i);

/* Parses the value of console=: sinks and their lines. Pure. */

/*
 * `value` is a comma list, "serial:com2,57600,screen"; it is modified. Fills consoles, serial and
 * uart of *out and returns true; or leaves them unchanged, writes a sentence to `error`
 * (OPTIONS_ERROR_SIZE bytes) and returns false.
 */
bool console_option_read(struct options *out, char *value, char *error);

#endif
