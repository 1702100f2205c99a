/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much the log says (log=). All of it takes a serial line of 115200 baud ten seconds and more,
 * longer than the tests: there it is compact (kernel/report/ktap_compact.h), unless one is asked
 * for.
 *
 * A line is a real one where no hypervisor says that it is there, no debug console takes the log as
 * well, and a byte takes its time: an emulated UART sends in none, and what it sends goes to a
 * file. Pure.
 */
#ifndef KERNEL_CONSOLE_LOG_FORM_H
#define KERNEL_CONSOLE_LOG_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"

/* Where a byte takes as long as at 230400 baud, or longer, the line is slow. */
#define LOG_SLOW_NANOSECONDS 43000u

/* At 115200 baud. */
#define LOG_USUAL_NANOSECONDS 86806u

struct log_line {
    bool has_hypervisor;  /* CPUID.01H:ECX[31] */
    bool has_debugcon;    /* the log goes there as well */
    bool is_there;        /* a UART takes the log */
    bool is_measured;     /* by its loopback: */
    uint64_t nanoseconds; /* that a byte takes */
};

/* Nanoseconds that a byte takes, as far as is known; 0: none. */
uint64_t log_line_takes(const struct log_line *line);

/* compact or full, and in words why: text that stands until the next call. */
enum log_form log_form_of(enum log_form asked, const struct log_line *line, const char **why);

/*
 * What stands behind each line of a log with log=sum, " ~1a2b": a checksum over the line and its
 * number in the log, so that a reader knows a line that the way has damaged, and sees that one was
 * lost or came twice.
 */
#define LINE_SUM_SIZE 6u /* bytes: " ~1a2b" */

/*
 * CRC-16 (polynomial 1021H, most significant bit first, from FFFFH) over the low two bytes of the
 * number, the lowest first, and over the text, its indentation included.
 */
uint16_t line_sum(uint32_t number, const char *text, size_t length);

#endif
