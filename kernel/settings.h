/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line asks for, as plain data. options.c fills it; every folder of kernel/ may
 * read it. */
#ifndef KERNEL_SETTINGS_H
#define KERNEL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/pci.h"
#include "arch/cpu/apic/smi.h"

#define OPTIONS_TEXT_SIZE  1024u /* bytes, the longest command line */
#define OPTIONS_ERROR_SIZE 256u
#define OPTIONS_GLOB_COUNT 32u

#define OPTIONS_SEED    0x2545f491u /* fixed, so that two runs are the same */
#define OPTIONS_TIMEOUT 10u         /* seconds; more on a slow serial line */
#define OPTIONS_RETEST  3u

/* Where the log goes: bits of a set of sinks (kernel/console/console.h). */
enum console_sinks {
    CONSOLE_SERIAL = 1,
    CONSOLE_SCREEN = 2,
    CONSOLE_DEBUGCON = 4,
    CONSOLE_UART = 8, /* another UART, besides the serial line or in its place */
    CONSOLE_LOG = 16, /* no sink: the screen shows the log instead of progress */
    CONSOLE_DEFAULT = CONSOLE_SERIAL | CONSOLE_SCREEN,
};

/* Their words in the command line and the log. */
#define CONSOLE_NAMES                                                                              \
    {                                                                                              \
        "serial", "screen", "debugcon", "uart", "log", NULL                                        \
    }

#define SERIAL_COM1         0x3f8u  /* port */
#define SERIAL_RATE         115200u /* baud, the fastest; every other divides it (F14.13) */
#define SERIAL_SLOWEST_RATE 9600u   /* at lower rates a long line takes longer than the watchdog */
#define SERIAL_TEXT_SIZE    160u

struct serial_line {
    uint16_t port;                     /* the first of its eight */
    uint32_t rate;                     /* baud */
    bool port_is_named, rate_is_named; /* on the command line */
};

/* A UART that is named by hand. */
enum uart_where { UART_IN_PORTS, UART_IN_MEMORY, UART_ON_PCI };

struct uart_choice {
    enum uart_where where;
    uint64_t address; /* a port, or physical */
    uint8_t width;    /* bytes of an access, and from one register to the next */
    struct pci_function pci;
    uint32_t rate; /* baud, or UART_KEEP_RATE */
    bool rate_is_named;
};

/* Processors that run tests (cpu=), besides the one that booted. */
enum places {
    PLACES_OF_KINDS, /* one of each other kind of core, after the one that booted */
    PLACES_BOOT,     /* none */
    PLACES_EACH,     /* all others, one after another */
    PLACES_ALL,      /* all others, at the same time */
    PLACES_PAIR,     /* the other threads of the boot processor's core, at the same time */
    PLACES_ONE,      /* none, and none is started */
    PLACES_LISTED,   /* those listed, one after another; the one that booted only if listed */
};
#define PLACES_MAX 512u /* processors that a list can name */

enum exit_method { EXIT_AUTO, EXIT_QEMU, EXIT_ACPI, EXIT_RESET, EXIT_HALT };

enum log_form { LOG_AUTO, LOG_COMPACT, LOG_FULL };

struct options {
    const char *globs[OPTIONS_GLOB_COUNT]; /* the globs of test=; they point into text */
    size_t glob_count;                     /* 0: a normal run */
    bool list, dry_run;
    uint64_t repeat;      /* 1 to 1,000,000 */
    uint64_t retest;      /* how often a test that failed runs again: 0 to 1000 */
    uint64_t duration;    /* seconds of a soak (kernel/run/soak.h); 0: no such soak */
    bool ends_at_failure; /* a soak that the first failure ends */
    uint64_t seed;
    uint64_t timeout; /* seconds a test, 1 to 3600 */
    bool timeout_is_named;
    unsigned consoles;         /* enum console_sinks */
    struct serial_line serial; /* of CONSOLE_SERIAL */
    struct uart_choice uart;   /* of CONSOLE_UART */
    enum log_form log;
    bool has_sums; /* a checksum at the end of each line */
    enum exit_method exit;
    bool want_x2apic;
    enum places places;
    uint64_t listed[PLACES_MAX / 64]; /* a bit for each processor of the list, by its number */
    enum smi_permission smi;
    bool leave_usb;               /* the firmware keeps the USB controllers */
    bool trace;                   /* branch records of every test, not only of failing ones */
    bool names_serials;           /* the board's serial numbers are printed */
    bool ignore_deviations;       /* errata excuse no failure */
    unsigned lab;                 /* enum lab_services that the lab offers */
    char text[OPTIONS_TEXT_SIZE]; /* the words, each ended by a zero */
};

static inline bool options_lists_place(const struct options *options, unsigned number)
{
    return number < PLACES_MAX && options->listed[number / 64] >> number % 64 & 1;
}

#endif
