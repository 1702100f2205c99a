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
    /* The rest describes the first: */
    uint64_t rip;
    unsigned ring, processor;
    uint8_t reason;           /* of an NMI: NMI_REASON_… */
    bool is_performance_only; /* all replaced performance interrupts */
};

/* The common entry calls this last, for interrupts only. */
void unclaimed_take(struct trap_frame *frame);

/* What arrived at this vector, on all processors together. */
const struct unclaimed *unclaimed_of(uint8_t vector);

/* Number of all unclaimed interrupts. Disturbances are those of them that did not come in place of
 * a performance interrupt, and those of unclaimed_suspect(). */
uint32_t unclaimed_count(void);
uint32_t unclaimed_disturbances(void);

/* Have any arrived at this vector that the processor did not send itself? */
bool unclaimed_come_at(uint8_t vector);

/* Call it for an interrupt that was handled. If unclaimed interrupts have arrived at its vector
 * before, it may come from the same source, and counts as a disturbance. */
void unclaimed_suspect(uint8_t vector);

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

/* Was an interrupt with this vector among them? */
bool stale_interrupts_had(uint8_t vector);

#endif
