/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a run that cannot go on: cause, registers, backtrace, the running test, and the
 * verdict CRASH, in the log and on the screen. Usable from the first C line on. A second one inside
 * the first gives the last lines and ends.
 */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include "arch/cpu/traps/trap_frame.h"

/* An event that no handler dealt with. */
void panic_trap(struct trap_frame *frame) __attribute__((noreturn));

/* An event that is no crash, but after which nothing can go on. */
void panic_because(struct trap_frame *frame, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The watchdog's time was up where nothing is left to go on with. */
void panic_without_way_back(struct trap_frame *frame) __attribute__((noreturn));

/* The kernel itself gives up. */
void panic(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
