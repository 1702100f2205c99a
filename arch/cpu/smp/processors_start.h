/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What processors_choose.c needs of processors.c: which come at all, and who gets a number. */
#ifndef ARCH_CPU_SMP_PROCESSORS_START_H
#define ARCH_CPU_SMP_PROCESSORS_START_H

#include "arch/cpu/smp/processor_list.h"
#include "arch/cpu/smp/processors.h"

/* Finds the memory to start them from. NULL, or why there is none. */
const char *processors_prepare(uint64_t tsc_per_microsecond);

/* How one goes on from the boot's tables, and its own stack: boot/ap_trampoline.S. */
struct processor_entering {
    uint64_t root; /* CR3 of its world; 0: it stays with the boot's tables */
    uint64_t efer; /* bits of IA32_EFER to set before that */
    uint64_t stack;
    void (*main)(void *argument);
    void *argument;
    uint64_t tsc; /* it says when it came */
};

/* Sends one that is in INIT there, by way of first, which may be NULL. NULL: it has begun; or why
 * not. The next one may be launched when this one has come to its C. */
const char *processor_launch(uint32_t apic_id, const struct processor_entering *entering,
                             const struct real_mode_code *first);

/* INIT to so many, by APIC id, and the time that they need for it. */
void processors_send_init(const uint32_t *ids, unsigned number);

/*
 * Starts one that is in INIT and sends it back to it. The next one, or the same, may be called at
 * once; before anything else is started processors_settle() lets the last INIT be done, and parks
 * all that have come to INIT so: so many, by APIC id, those that did not come too.
 */
void processor_call(uint32_t apic_id, struct processor_call *call);
void processors_settle(const uint32_t *ids, unsigned number);

/* Those that are sent back stand still outside INIT: on a real board. */
bool processors_are_parked(void);

/* From INIT, and long enough after it, to there. One that does not come is in INIT on. */
void processors_park(const uint32_t *ids, unsigned number, uint64_t tsc_per_microsecond);

/* From now on these are all that there are. */
void processors_use(const struct processor_list *list);

#endif
