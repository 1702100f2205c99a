/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What processors.c provides to processors_choose.c. */
#ifndef ARCH_CPU_SMP_PROCESSORS_START_H
#define ARCH_CPU_SMP_PROCESSORS_START_H

#include "arch/cpu/smp/processor_list.h"
#include "arch/cpu/smp/processors.h"

/* Finds the memory to start processors from. Returns NULL, or the reason it failed. */
const char *processors_prepare(uint64_t tsc_per_microsecond);

/* How a starting processor continues from the boot's page tables: boot/ap_trampoline.S. */
struct processor_entering {
    uint64_t root; /* CR3 of its private image; 0: keeps the boot's tables */
    uint64_t efer; /* bits of IA32_EFER to set before CR3 is loaded */
    uint64_t stack;
    void (*main)(void *argument);
    void *argument;
    uint64_t tsc; /* at its arrival; the processor writes it */
};

/* Starts a processor that is in INIT. It runs *first, unless `first` is NULL, and goes on as
 * `entering` says. Returns NULL once it has begun, or the reason it did not. Launch the next
 * processor only when this one has reached C. */
const char *processor_launch(uint32_t apic_id, const struct processor_entering *entering,
                             const struct real_mode_code *first);

/* Sends INIT to the processors with these APIC ids, and waits as long as they need for it. */
void processors_send_init(const uint32_t *ids, unsigned number);

/*
 * processor_call() starts a processor that is in INIT, fills *call, and sends the processor back by
 * INIT. The next processor_call(), for the same or another processor, may follow immediately.
 * Before any other start, call processors_settle() with the APIC ids of all that were called,
 * including those that did not start: it waits for the last INIT and, on a real board, parks them.
 */
void processor_call(uint32_t apic_id, struct processor_call *call);
void processors_settle(const uint32_t *ids, unsigned number);

/* Are processors parked outside INIT after they are sent back? True on a real board. */
bool processors_are_parked(void);

/* Parks processors that were sent INIT long enough before. If fewer arrive, sends all of them INIT
 * and starts them once more. One that does not start then stays in INIT. */
void processors_park(const uint32_t *ids, unsigned number, uint64_t tsc_per_microsecond);

/* From now on only these processors are used. */
void processors_use(const struct processor_list *list);

#endif
