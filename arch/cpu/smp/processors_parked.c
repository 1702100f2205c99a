/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where other processors wait on a real board. */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/wait.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/memory/page_tables.h"
#include "arch/cpu/smp/processors_start.h"

/*
 * On a real board a processor that is sent back must leave INIT, or the firmware's SMM code would
 * wait for it at every SMI, up to seconds (F10.13). Under a hypervisor it stays in INIT, which
 * saves an INIT at the next start.
 */

/* A busy emulator may deliver a surplus start-up message after the next INIT, which undoes that
 * INIT: the processor starts once more, and ignores the message that would park it. */
#define ATTEMPTS     2u
#define MICROSECONDS 10000u /* for all to arrive, in an attempt */

extern const uint8_t ap_park[], ap_park_came[], ap_park_end[]; /* boot/ap_trampoline.S */

bool processors_are_parked(void)
{
    return !feature_present(FEATURE_HYPERVISOR);
}

/* Copied once, because parked processors execute it. */
static uint8_t *lay_out(void)
{
    static bool is_laid_out;
    uint8_t *park = (uint8_t *)processor_low_memory() + LOW_PARK;
    if (!is_laid_out)
        __builtin_memcpy(park, ap_park, (size_t)(ap_park_end - ap_park));
    is_laid_out = true;
    return park;
}

static void send(const uint32_t *ids, unsigned number)
{
    uint8_t page = (uint8_t)((processor_low_address() + LOW_PARK) / PAGE_SIZE);
    for (unsigned i = 0; i < number; i++)
        apic_send_startup(ids[i], page);
}

/* Have number more arrived? */
static bool come(const uint32_t *count, uint32_t before, unsigned number, uint64_t ticks)
{
    struct wait wait = wait_begin(MICROSECONDS, ticks);
    while (__atomic_load_n(count, __ATOMIC_ACQUIRE) - before < number && wait_goes_on(&wait))
        insn_pause();
    return __atomic_load_n(count, __ATOMIC_ACQUIRE) - before >= number;
}

void processors_park(const uint32_t *ids, unsigned number, uint64_t tsc_per_microsecond)
{
    const uint32_t *count = (const uint32_t *)(lay_out() + (ap_park_came - ap_park));
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        if (i > 0)
            processors_send_init(ids, number);
        uint32_t before = __atomic_load_n(count, __ATOMIC_ACQUIRE);
        send(ids, number);
        if (come(count, before, number, tsc_per_microsecond))
            return;
    }
}
