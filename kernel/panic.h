/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a run that cannot go on: cause, registers, backtrace, the running test, and the
 * verdict CRASH. Usable from the first C line on. A second one inside the first ends at once.
 */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include "arch/cpu/interrupts.h"

/* An event that nobody handled. */
void panic_trap(struct trap_frame *frame) __attribute__((noreturn));

/* The kernel itself gives up. */
void panic(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
