// SPDX-License-Identifier: GPL-2.0-or-later
#include "slots.h"

#include "global_status.h"

#define SLOTS_USUAL 4
#define WHOLE       0xffu /* a fraction of one */
#define BITS        8     /* of a fraction */
#define BOTH_LEVELS 8     /* fractions, if the second level exists too */

unsigned slots_in_cycle(const struct ds_profile *profile)
{
    return profile->slots_per_cycle ? profile->slots_per_cycle : SLOTS_USUAL;
}

unsigned slots_of(const struct ds_profile *profile, const struct counter_cycle *cycle,
                  enum slot slot)
{
    enum slot others = cycle->mispredicted ? SLOT_BAD : SLOT_FRONTEND;

    if (slot == SLOT_RETIRING) {
        return 1;
    }
    return slot == others ? slots_in_cycle(profile) - 1 : 0;
}

static uint64_t enabled_rings(const struct ds_cpu *cpu)
{
    return counter_fixed_field(cpu, SLOTS_COUNTER) & (FIXED_OS | FIXED_USR);
}

void slots_refresh(struct ds_cpu *cpu)
{
    cpu->metrics_count = cpu->profile.metrics && cpu->global_control & SLOTS_METRICS &&
                         !(cpu->global_status & STATUS_CTR_FRZ) && enabled_rings(cpu);
}

void slots_cycle(struct ds_cpu *cpu, const struct counter_cycle *cycle)
{
    if (!cpu->metrics_count || !(enabled_rings(cpu) & (cycle->cpl == 0 ? FIXED_OS : FIXED_USR))) {
        return;
    }
    for (enum slot slot = SLOT_RETIRING; slot <= SLOT_BACKEND; slot++) {
        cpu->metrics_slots[slot] += slots_of(&cpu->profile, cycle, slot);
    }
}

/* The front end takes what rounding leaves: all fractions together are the whole. */
uint64_t slots_metrics(const struct ds_cpu *cpu)
{
    const uint64_t *slots = cpu->metrics_slots;
    uint64_t all = slots[SLOT_RETIRING] + slots[SLOT_BAD] + slots[SLOT_FRONTEND];

    if (all == 0) {
        return cpu->metrics_written;
    }
    uint64_t retiring = slots[SLOT_RETIRING] * WHOLE / all, bad = slots[SLOT_BAD] * WHOLE / all;
    uint64_t frontend = WHOLE - retiring - bad;
    uint64_t first = retiring | bad << BITS | frontend << 2 * BITS;

    /* The second level: heavy operations, mispredicted branches, waiting to fetch, for memory. */
    uint64_t second = bad << 5 * BITS | frontend << 6 * BITS;

    return first | (cpu->profile.metrics == BOTH_LEVELS ? second : 0);
}

void slots_write_metrics(struct ds_cpu *cpu, uint64_t value)
{
    cpu->metrics_written = value;
    for (unsigned i = 0; i < DS_METRICS; i++) {
        cpu->metrics_slots[i] = 0;
    }
}
