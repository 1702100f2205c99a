/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts and NMIs that no handler claims. They come from a button, a board's watchdog, or a
 * device that the firmware left on. Each gets the EOI it needs and is counted; none ends the run.
 */
#ifndef ARCH_CPU_APIC_UNCLAIMED_H
#define ARCH_CPU_APIC_UNCLAIMED_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/trap_frame.h"

#define NMI_REASON_SERR  0x80u /* port 61H: a system error, SERR# */
#define NMI_REASON_IOCHK 0x40u /* raised by a device, IOCHK# */

struct unclaimed {
    uint32_t count;
    uint64_t rip; /* this and the next two: of the first of them */
    unsigned ring, processor;
    uint8_t reason;           /* NMI_REASON_… of all NMIs, ORed */
    bool is_performance_only; /* all of them came in place of performance interrupts */
};

/* interrupt_dispatch() calls this for an interrupt that no handler takes. */
void unclaimed_take(struct trap_frame *frame);

/* What arrived at this vector, on all processors together. */
const struct unclaimed *unclaimed_of(uint8_t vector);

/* unclaimed_count() is the number of all unclaimed interrupts. unclaimed_disturbances() counts
 * those that did not come in place of a performance interrupt, and those of unclaimed_suspect(). */
uint32_t unclaimed_count(void);
uint32_t unclaimed_disturbances(void);

/* Have any arrived at this vector that did not all come in place of performance interrupts? */
bool unclaimed_come_at(uint8_t vector);

/* Call it for an interrupt that was handled, though it may be somebody else's. If unclaimed
 * interrupts have arrived at its vector before, it counts as a disturbance, otherwise only as a
 * suspicion: it may be the first of a board, and is more often the processor's own.
 * unclaimed_suspicions() is the number of those. */
void unclaimed_suspect(uint8_t vector);
uint32_t unclaimed_suspicions(void);

/* Sets a function that is called for each unclaimed interrupt, after it was counted. The function
 * need not return. */
void unclaimed_watch(void (*watch)(struct trap_frame *frame));

/*
 * Stale interrupts, which devices sent under the firmware and nobody served. Masking their source
 * does not remove them from the local APIC's IRR (F11.3), so they arrive when IF is set.
 */

/*
 * Takes and ends pending interrupts that have no handler. Called with their sources masked, at boot
 * and after a test that left some pending. IF is clear before and after. Needs interrupts_init()
 * and apic_init().
 */
void stale_interrupts_end(void);

/* Did the last stale_interrupts_end() end an interrupt with this vector? */
bool stale_interrupts_had(uint8_t vector);

#endif
