/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On a real board a processor that is sent back must leave INIT, or the firmware's SMM code would
 * wait for it at every SMI, up to seconds (F10.13). Under a hypervisor it stays in INIT, which
 * saves an INIT at the next start.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/smp/processors_start.h"
#include "arch/cpu/ground/wait.h"

/* A needed message takes effect at once. A surplus one, delayed by a busy emulator until after the
 * next INIT, would undo that INIT. */
#define MESSAGES     2u
#define MICROSECONDS 10000u /* for all to arrive, between two messages */

extern const uint8_t ap_park[], ap_park_came[], ap_park_end[]; /* boot/ap_park.S */

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
    uint32_t before = __atomic_load_n(count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < MESSAGES; i++) {
        send(ids, number);
        if (come(count, before, number, tsc_per_microsecond))
            return;
    }
}
