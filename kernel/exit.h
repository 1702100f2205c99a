/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a run: tells the host the verdict as far as the machine can, and stops. */
#ifndef KERNEL_EXIT_H
#define KERNEL_EXIT_H

#include <stdbool.h>

#include "kernel/machine/event.h"
#include "kernel/report/ktap.h"
#include "kernel/settings.h"
#include "kernel/report/verdict.h"

/* How run_exit() ends the machine from now on. Before the first call: EXIT_AUTO. */
void exit_choose(enum exit_method method);

/*
 * The last lines of the log, then the pages that stand on the screen in its place, then run_exit().
 * crash is NULL for a run that came to its end. Where no test ran the log stays on the screen.
 */
void run_end(const struct ktap_totals *totals, enum verdict verdict, const struct crash *crash)
    __attribute__((noreturn));

/* The verdict is printed already. Never returns; halts with interrupts off if nothing else works.
 */
void run_exit(enum verdict verdict) __attribute__((noreturn));

/* run_exit() was called before, and the log has its end. */
bool run_is_over(void);

#endif
