/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a run that cannot go on, with cause, registers, backtrace, running test and the verdict
 * CRASH, in the log and on the screen. Usable from the first line of C on. A panic within a panic
 * prints the last lines and ends.
 */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include "arch/cpu/traps/trap_frame.h"

/* An event that no handler took. */
void panic_trap(struct trap_frame *frame) __attribute__((noreturn));

/* An event that is no crash, but ends the run. */
void panic_because(struct trap_frame *frame, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The watchdog's time is up, and there is no recovery point. */
void panic_without_way_back(struct trap_frame *frame) __attribute__((noreturn));

/* The kernel itself gives up. */
void panic(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
