/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends a run, whole or not: reports the verdict to the host as far as the machine can, and stops.
 */
#ifndef KERNEL_EXIT_H
#define KERNEL_EXIT_H

#include <stdbool.h>
#include "kernel/machine/event.h"
#include "kernel/report/ktap.h"
#include "kernel/settings.h"

/* Sets how run_exit() ends the machine; the default is EXIT_AUTO. */
void exit_choose(enum exit_method method);

/*
 * Prints the last lines of the log, replaces the log on the screen by the final pages, then calls
 * run_exit(). crash is NULL unless a crash ended the run. If no test was to run, the log stays on
 * the screen.
 */
void run_end(const struct ktap_totals *totals, enum verdict verdict, const struct crash *crash)
    __attribute__((noreturn));

/* Call it after the verdict was printed. If the machine cannot be ended, turns the final pages or
 * halts. On a worker (kernel/run/worker.h) ends only the worker. */
void run_exit(enum verdict verdict) __attribute__((noreturn));

/* Was run_exit() called, so that the log is complete? */
bool run_is_over(void);

/*
 * The following end a run that cannot go on, with cause, registers, backtrace, running test and the
 * verdict CRASH, in the log and on the screen. Usable from the first line of C on. A panic within a
 * panic prints the last lines and ends.
 */

/* An event that no handler took. */
void panic_trap(struct trap_frame *frame) __attribute__((noreturn));

/* The same for an event that is no crash, with the formatted reason. */
void panic_because(struct trap_frame *frame, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The watchdog's time is up, and there is no recovery point. */
void panic_without_way_back(struct trap_frame *frame) __attribute__((noreturn));

/* The kernel itself gives up. */
void panic(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
