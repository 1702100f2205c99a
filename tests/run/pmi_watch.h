/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the counters' interrupts: either without serving them, so that delivery masks the LVT
 * entry and the status and the counters stay as the interrupt found them, or with the whole
 * routine.
 */
#ifndef TESTS_RUN_PMI_WATCH_H
#define TESTS_RUN_PMI_WATCH_H

#include <stddef.h>
#include "arch/trace/pmi.h"

#define PMI_WATCH_EVENTS 64

/* The LVT performance entry leads to the routine and is not masked. */
void pmi_watch_start(enum apic_delivery delivery);
/* The same, and each is served, by fixed delivery: reload gets the counters that overflowed. */
void pmi_watch_serve(void (*reload)(uint64_t overflowed));
/* Not served but seen: observe does what it likes. */
void pmi_watch_observe(void (*observe)(const struct pmi_event *event));
void pmi_watch_stop(void);

/*
 * Waits until so many came since the start, as long as run_wait() does. Returns how many came.
 */
size_t pmi_watch_wait(size_t wanted);

/* The first PMI_WATCH_EVENTS of them, in order. */
const struct pmi_event *pmi_watch_event(size_t number);

#endif
