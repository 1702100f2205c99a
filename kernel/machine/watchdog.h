/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a test that hangs. It has two legs and uses no performance counter: the real-time clock's
 * alarm as an NMI, which reaches code with interrupts off, and the APIC timer. Neither ticks before
 * the time is up, so neither leaves records in a trace.
 */
#ifndef KERNEL_MACHINE_WATCHDOG_H
#define KERNEL_MACHINE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/traps/interrupts.h"

/*
 * Needs time, APIC and interrupts. Missing legs are left out. without_point is called when the time
 * is up and no recovery point is set; it does not return.
 */
void watchdog_init(void (*without_point)(struct trap_frame *frame));

/* In a private image (arch/cpu/memory/private_image.h) another processor sends the NMI instead of
 * the clock's alarm; is_called says whether it did. */
void watchdog_be_called(bool (*is_called)(void));

/* Names the legs, for the log's header. */
const char *watchdog_description(void);

/*
 * After so many seconds (up to a second later by the alarm's leg), execution continues at the point
 * with value 1. If point is NULL, without_point of watchdog_init() is called.
 */
void watchdog_arm(uint64_t seconds, const struct recovery_point *point);
void watchdog_disarm(void);

/*
 * Between these two calls a time-out is only noted, so that a group of log lines stays complete;
 * the release then goes to the point. A hold of more than some seconds is broken.
 */
void watchdog_hold(void);
void watchdog_release(void);

/*
 * Halts until an interrupt comes, from the APIC timer after so many microseconds at the latest; the
 * timer keeps its deadline. Works on any processor, by its own timer. Returns at once if that leg
 * is missing or interrupts are off.
 */
void watchdog_nap(uint64_t microseconds);

/* Where the processor was when the watchdog last fired: RIP, and ring 0 or 3. */
uint64_t watchdog_place(void);
unsigned watchdog_ring(void);

/* Restores the clock. */
void watchdog_shutdown(void);

#endif
