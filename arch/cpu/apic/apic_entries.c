/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The local vector table: which entries are masked, and which stay the firmware's. */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/apic/apic_registers.h"
#include "arch/cpu/traps/trap_frame.h"

static const uint16_t entries[] = {APIC_TIMER, APIC_LINT0,   APIC_LINT1, APIC_ERROR,
                                   APIC_PMI,   APIC_THERMAL, APIC_CMCI}; /* as they were added */

static bool pmi_is_left_alone;
static bool boot_is_known;
static uint32_t thermal_of_boot; /* 0 where it raises no SMI */

void apic_leave_pmi_alone(void)
{
    pmi_is_left_alone = true;
}

static void leave(uint16_t offset, uint32_t entry)
{
    if (boot_is_known)
        return;
    firmware_lvt_note("local APIC entry", offset, entry);
    if (offset == APIC_THERMAL)
        thermal_of_boot = entry;
}

/* INIT, or switching the APIC off, has masked the firmware's thermal entry. */
static uint32_t ours(uint16_t offset)
{
    return offset == APIC_THERMAL && thermal_of_boot != 0 ? thermal_of_boot
                                                          : APIC_LVT_MASKED | VECTOR_SPURIOUS;
}

/* The performance entry is under test, so it is masked whatever it delivers. */
static void put_right(uint16_t offset)
{
    uint32_t entry = apic_read(offset) & ~APIC_LVT_STATUS;

    if (offset == APIC_PMI && pmi_is_left_alone)
        return;
    if (offset != APIC_PMI && entry_raises_smi(entry))
        leave(offset, entry);
    else
        apic_write(offset, ours(offset));
}

void apic_put_entries_right(void)
{
    unsigned last = apic_read(APIC_VERSION) >> 16 & 0xff;

    for (unsigned i = 0; i <= last && i < sizeof(entries) / sizeof(entries[0]); i++)
        put_right(entries[i]);
    boot_is_known = true;
}
