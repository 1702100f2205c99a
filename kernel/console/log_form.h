/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses whether the log is full or compact (kernel/report/ktap_write.h): what log= says,
 * otherwise compact on a slow line. A full log takes ten seconds or more at 115200 baud, longer
 * than the tests.
 *
 * An emulated UART is never slow, because it writes to a file. A line counts as emulated if there
 * is a hypervisor or a debug console, or if a byte takes no time. Pure.
 */
#ifndef KERNEL_CONSOLE_LOG_FORM_H
#define KERNEL_CONSOLE_LOG_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"

/* A line is slow if a byte takes as long as at 230400 baud, or longer. */
#define LOG_SLOW_NANOSECONDS 43000u

/* A byte at 115200 baud. */
#define LOG_USUAL_NANOSECONDS 86806u

struct log_line {
    bool has_hypervisor;  /* CPUID.01H:ECX[31] */
    bool has_debugcon;    /* the log goes there too */
    bool is_there;        /* a UART takes the log */
    bool is_measured;     /* by its loopback */
    uint64_t nanoseconds; /* for a byte, if is_measured */
};

/*
 * Nanoseconds that a byte takes; 0 if there is no UART, or if the line is not slow. If the time
 * could not be measured: 0 under a hypervisor, otherwise LOG_USUAL_NANOSECONDS.
 */
uint64_t log_line_takes(const struct log_line *line);

/* Returns compact or full, and the reason in *why, valid until the next call. */
enum log_form log_form_of(enum log_form asked, const struct log_line *line, const char **why);

/*
 * With log=sum each line of the log ends in a checksum, such as " ~1a2b", over the line and its
 * number in the log. So a reader recognises a line that was damaged, lost or repeated on the way.
 */
#define LINE_SUM_SIZE 6u /* bytes: " ~1a2b" */

/* CRC-16 (polynomial 1021H, most significant bit first, from FFFFH) over the two low bytes of the
 * number, the lowest first, and over the text with its indentation. */
uint16_t line_sum(uint32_t number, const char *text, size_t length);

#endif
