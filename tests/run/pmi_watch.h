/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the counters' interrupts. If they are not served, delivery masks the LVT entry, and status
 * and counters stay as the interrupt found them. If they are served, the whole routine runs.
 */
#ifndef TESTS_RUN_PMI_WATCH_H
#define TESTS_RUN_PMI_WATCH_H

#include <stddef.h>
#include "arch/trace/pmi.h"

#define PMI_WATCH_EVENTS 64

/* Points the LVT performance entry at the routine, unmasked. Does not serve interrupts. */
void pmi_watch_start(enum apic_delivery delivery);
/* The same by fixed delivery, but serves each interrupt; `reload` gets the counters that
 * overflowed. */
void pmi_watch_serve(void (*reload)(uint64_t overflowed));
/* By fixed delivery. Does not serve interrupts, and calls `observe` for each. */
void pmi_watch_observe(void (*observe)(const struct pmi_event *event));
void pmi_watch_stop(void);

/*
 * Waits until `wanted` interrupts have come since the start, as long as run_wait() does. Returns
 * how many came.
 */
size_t pmi_watch_wait(size_t wanted);

/* Interrupt `number`, from 0, of the first PMI_WATCH_EVENTS that came. */
const struct pmi_event *pmi_watch_event(size_t number);

#endif
