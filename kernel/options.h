/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, read strictly: what is not understood ends the run, because a run that did
 * something else than asked proves nothing. The table in options.c is the whole of it.
 */
#ifndef KERNEL_OPTIONS_H
#define KERNEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/pci.h"
#include "arch/cpu/apic/smi.h"
#include "kernel/console/console.h"
#include "kernel/report/log_form.h"

#define OPTIONS_TEXT_SIZE  1024u /* bytes, as long as a command line can be */
#define OPTIONS_ERROR_SIZE 256u
#define OPTIONS_GLOB_COUNT 32u

#define OPTIONS_SEED    0x2545f491u /* fixed, so that two runs do the same */
#define OPTIONS_TIMEOUT 10u         /* seconds; more where the serial line is slow */

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

/* Where tests run (cpu=): on the processor that booted, and on whom besides. */
enum places {
    PLACES_OF_KINDS, /* the first of each other kind, behind it */
    PLACES_BOOT,
    PLACES_EACH,   /* every other, one behind the other */
    PLACES_ALL,    /* … all at the same time */
    PLACES_PAIR,   /* the other threads of its core, at the same time */
    PLACES_LISTED, /* these alone, one behind the other */
};
#define PLACES_MAX 512u /* processors that a list can name */

enum exit_method { EXIT_AUTO, EXIT_QEMU, EXIT_ACPI, EXIT_RESET, EXIT_HALT };

struct options {
    const char *globs[OPTIONS_GLOB_COUNT]; /* of test=, in text */
    size_t glob_count;                     /* 0: a normal run */
    bool list, dry_run;
    uint64_t repeat;      /* 1 to 1,000,000 */
    uint64_t duration;    /* seconds of a soak (kernel/run/soak.h); 0: none that ends by itself */
    bool is_endless;      /* repeat=forever: a soak without an end */
    bool ends_at_failure; /* … which the first failure ends */
    uint64_t seed;
    uint64_t timeout; /* seconds a test, 1 to 3600 */
    bool timeout_is_named;
    unsigned consoles;         /* enum console_sinks */
    struct serial_line serial; /* of CONSOLE_SERIAL */
    struct uart_choice uart;   /* of CONSOLE_UART */
    enum log_form log;
    bool has_sums;      /* log=sum: a checksum behind each line */
    uint32_t line_test; /* line=: KiB that the test of the serial line sends; 0: none */
    enum exit_method exit;
    bool want_x2apic;
    bool want_one_processor; /* no other is started */
    enum places places;
    uint64_t listed[PLACES_MAX / 64]; /* a bit for each processor of the list, by its number */
    enum smi_permission smi;
    bool leave_usb;               /* its controllers stay the firmware's */
    bool trace;                   /* branch records of each test, not of failing ones alone */
    bool ignore_deviations;       /* every failure is a failure */
    unsigned lab;                 /* enum lab_services: what can be asked for */
    char text[OPTIONS_TEXT_SIZE]; /* the words, each ended by a zero */
};

/*
 * Reads the words of line into *out, which it fills with defaults first. Returns false and a
 * sentence in error (OPTIONS_ERROR_SIZE bytes) for an unknown or repeated option, a missing,
 * overlong or unreadable value; *out is then still complete, from what was understood.
 */
bool options_parse(const char *line, struct options *out, char *error);

bool options_lists_place(const struct options *options, unsigned number);

/* More time for a test, where none was named: the slowest line of the log has this rate, in baud;
 * 0: not known. */
void options_allow_for_rate(struct options *options, uint32_t rate);

/* Likewise: a byte takes so long on its way. */
void options_allow_for_line(struct options *options, uint64_t nanoseconds);

/* The form and meaning of option number i, or NULL beyond the last. */
const char *options_help(size_t i);

#endif
