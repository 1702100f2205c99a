/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/apic/apic.h"
#include <stddef.h>
#include "arch/cpu/apic/apic_registers.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/trap_frame.h"

#define BOTH (APIC_BASE_EN | APIC_BASE_EXTD)

/* Switching the APIC off masks these. Its version tells which of them a processor lacks. */
static const uint16_t entries[] = {APIC_TIMER, APIC_LINT0,   APIC_LINT1,
                                   APIC_ERROR, APIC_THERMAL, APIC_CMCI};
#define ENTRIES_ALWAYS   4u
#define PERFORMANCE_LAST 4u /* of the version register, with the performance entry */

static uint32_t kept[sizeof entries / sizeof *entries], kept_ticks;
static uint64_t kept_base;

static unsigned entries_there(void)
{
    unsigned last = apic_read(APIC_VERSION) >> 16 & 0xff;
    unsigned more = last > PERFORMANCE_LAST ? last - PERFORMANCE_LAST : 0;
    unsigned most = sizeof entries / sizeof *entries;

    return ENTRIES_ALWAYS + more < most ? ENTRIES_ALWAYS + more : most;
}

static void keep(void)
{
    for (unsigned i = 0; i < entries_there(); i++)
        kept[i] = apic_read(entries[i]);
    kept_ticks = apic_timer_remaining();
}

static void restore(void)
{
    for (unsigned i = 1; i < entries_there(); i++)
        apic_write(entries[i], kept[i]);
    if (!(kept[0] & APIC_LVT_MASKED))
        apic_timer_start(kept_ticks + !kept_ticks);
}

void apic_software_off(void)
{
    keep();
    apic_write(APIC_SVR, VECTOR_SPURIOUS);
}

void apic_software_on(void)
{
    apic_write(APIC_SVR, APIC_SVR_ENABLE | VECTOR_SPURIOUS);
    restore();
}

const char *apic_power_off(void)
{
    if (apic_mode_is_locked())
        return APIC_LOCKED;
    keep();
    kept_base = rdmsr(IA32_APIC_BASE);
    if (exception_happened(wrmsr_safe(IA32_APIC_BASE, kept_base & ~BOTH)))
        return "IA32_APIC_BASE refuses to switch the local APIC off";
    return NULL;
}

bool apic_has_power(void)
{
    return rdmsr(IA32_APIC_BASE) & APIC_BASE_EN;
}

const char *apic_power_on(struct apic_found *found)
{
    uint64_t moves[APIC_MOVES_MOST];
    unsigned count = apic_mode_moves(kept_base & ~BOTH, apic_mode(), moves);

    for (unsigned i = 0; i < count; i++)
        if (exception_happened(wrmsr_safe(IA32_APIC_BASE, moves[i])))
            return "IA32_APIC_BASE refuses to switch the local APIC on again";
    found->enabled = apic_read(APIC_SVR) & APIC_SVR_ENABLE;
    found->pmi = apic_pmi_raw();
    const char *wrong = apic_init_other();
    if (wrong == NULL)
        restore();
    return wrong;
}

bool apic_base_write_again(void)
{
    return !exception_happened(wrmsr_safe(IA32_APIC_BASE, rdmsr(IA32_APIC_BASE)));
}
