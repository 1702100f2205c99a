/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts and NMIs that no handler wanted: a button, a watchdog of the board, a device that the
 * firmware left on. Each is given the end that it wants, and counted; none is an end of the run.
 */
#ifndef ARCH_CPU_APIC_UNCLAIMED_H
#define ARCH_CPU_APIC_UNCLAIMED_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/traps/trap_frame.h"

#define NMI_REASON_SERR  0x80u /* of port 61H: a system error, SERR# */
#define NMI_REASON_IOCHK 0x40u /* a device asked for it, IOCHK# */

struct unclaimed {
    uint32_t count;
    /* Of the first: */
    uint64_t rip;
    unsigned ring, processor;
    uint8_t reason;           /* of an NMI: NMI_REASON_… */
    bool is_performance_only; /* each came in the place of a performance interrupt */
};

/* The common entry's last resort for what is no exception. */
void unclaimed_take(struct trap_frame *frame);

/* What came at that vector, on all processors together. */
const struct unclaimed *unclaimed_of(uint8_t vector);

/* All of them; and those of which nothing speaks for the processor itself as their source. */
uint32_t unclaimed_count(void);
uint32_t unclaimed_disturbances(void);

/* Have some come at that vector that the processor itself did not send? */
bool unclaimed_come_at(uint8_t vector);

/* One that had a handler may have been nobody's all the same: a disturbance, where such come. */
void unclaimed_suspect(uint8_t vector);

/* Is told of each, with the count up to date; may not return. */
void unclaimed_watch(void (*watch)(struct trap_frame *frame));

#endif
