/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a run that cannot go on: cause, registers, backtrace, the running test, and the
 * verdict CRASH, in the log and on the screen. Usable from the first C line on. A second one inside
 * the first gives the last lines and ends.
 */
#ifndef KERNEL_PANIC_H
#define KERNEL_PANIC_H

#include "arch/cpu/interrupts.h"
#include "kernel/event.h"

#define CRASH_DEPTH 25u

/* What is told about it, in the log and on the screen. */
struct crash {
    char reason[EVENT_TEXT_SIZE];
    const char *test; /* that was running, or NULL */
    bool has_frame;   /* else frame and control registers mean nothing */
    struct trap_frame frame;
    uint64_t cr0, cr2, cr3, cr4;
    uint64_t backtrace[CRASH_DEPTH]; /* where it happened first */
    unsigned depth;
};

/* An event that nobody handled. */
void panic_trap(struct trap_frame *frame) __attribute__((noreturn));

/* The kernel itself gives up. */
void panic(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
