/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ends a test that hangs. Two legs, neither of them a performance counter: the real-time clock's
 * alarm as an NMI, which reaches code that has interrupts off, and the APIC timer. Both are silent
 * until the time is up, so that no tick of theirs can be a record in the trace.
 */
#ifndef KERNEL_MACHINE_WATCHDOG_H
#define KERNEL_MACHINE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/traps/recovery.h"

/*
 * Needs time, APIC and interrupts. Legs that are not there are left out. without_point does not
 * return: it is called when the time is up and there is no point to go on at.
 */
void watchdog_init(void (*without_point)(struct trap_frame *frame));

/* In a world of its own (arch/cpu/memory/world.h): instead of the clock's alarm another processor
 * sends the NMI, of which it lets the function know. */
void watchdog_be_called(bool (*is_called)(void));

/* Which legs there are, in words, for the log's header. */
const char *watchdog_description(void);

/*
 * From now on, after so many seconds (the alarm's leg up to a second later), execution goes on at
 * the point with value 1. Without a point the
 * handler of watchdog_init() is called.
 */
void watchdog_arm(uint64_t seconds, const struct recovery_point *point);
void watchdog_disarm(void);

/*
 * Between the two a time that is up is only noted, so that lines of the log that belong together
 * all come: the release then leads to the point. Not for ever: after some seconds it is done.
 */
void watchdog_hold(void);
void watchdog_release(void);

/*
 * Halts until any interrupt comes; the timer's leg sends one after so many microseconds, and goes
 * on with what it was set to. On any processor, each by its own timer. Without that leg, or with
 * interrupts off, it returns at once.
 */
void watchdog_nap(uint64_t microseconds);

/* Where the processor was when the watchdog last fired: RIP, and ring 0 or 3. */
uint64_t watchdog_place(void);
unsigned watchdog_ring(void);

/* Leaves the clock as it was found. */
void watchdog_shutdown(void);

#endif
