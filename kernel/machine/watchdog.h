/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a test that hangs. The watchdog has two legs, of which none is a performance counter: the
 * real-time clock's alarm as an NMI, which reaches code with interrupts off, and the APIC timer.
 * Neither ticks before the time is up, so neither leaves records in a trace.
 */
#ifndef KERNEL_MACHINE_WATCHDOG_H
#define KERNEL_MACHINE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/traps/interrupts.h"

/*
 * Needs time_init(), apic_init() and interrupts_init(). Missing legs are left out. without_point()
 * is called when the time is up and no recovery point is set; it does not return.
 */
void watchdog_init(void (*without_point)(struct trap_frame *frame));

/* In a private image (arch/cpu/memory/private_image.h) another processor sends the NMI instead of
 * the clock's alarm; is_called() says whether it did. */
void watchdog_be_called(bool (*is_called)(void));

/* Names the legs, for the log's header. */
const char *watchdog_description(void);

/*
 * After so many seconds (up to a second later by the alarm's leg), execution continues at `point`,
 * where recovery_point_set() returns 1. If `point` is NULL, without_point() is called instead.
 */
void watchdog_arm(uint64_t seconds, const struct recovery_point *point);
void watchdog_disarm(void);

/*
 * Between these two calls a time-out is only noted, so that a group of log lines stays complete;
 * watchdog_release() then acts on it. A hold of more than some seconds is broken.
 */
void watchdog_hold(void);
void watchdog_release(void);

/*
 * Halts until an interrupt comes, from the APIC timer after so many microseconds at the latest; the
 * watchdog keeps its deadline. Works on any processor, by its own timer. Returns at once if that
 * timer is missing or may stop in HLT, or if interrupts are off.
 */
void watchdog_nap(uint64_t microseconds);

/* Where the processor was when the watchdog last fired: RIP, and ring 0 or 3. */
uint64_t watchdog_place(void);
unsigned watchdog_ring(void);

/* Disarms the watchdog, and restores the clock. */
void watchdog_shutdown(void);

#endif
