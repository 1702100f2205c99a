// SPDX-License-Identifier: GPL-2.0-or-later
#include "pdist.h"

#include "counter.h"

#define EVENT_BITS     0x00ffu
#define EVENT_AND_MASK 0xffffu
#define RETIRED        0x00c0u /* instructions, with any unit mask */
#define DISTRIBUTED    0x01c0u /* the same, made for this */

/* A shorter period skids, unless the processor knows better (F22.20). */
#define SHORTEST 128

/* Values of the field pdist_events. */
enum events { EVENTS_ANY, EVENTS_DISTRIBUTED, EVENTS_NOT_RETIRED };

static bool event_fits(const struct ds_cpu *cpu, unsigned number)
{
    if (number >= COUNTER_FIXED) {
        return true;
    }
    uint64_t select = cpu->general_select[number];

    switch (cpu->profile.pdist_events) {
    case EVENTS_DISTRIBUTED:
        return (select & EVENT_AND_MASK) == DISTRIBUTED;
    case EVENTS_NOT_RETIRED:
        return (select & EVENT_BITS) != RETIRED;
    default:
        return true;
    }
}

static bool period_fits(const struct ds_cpu *cpu, unsigned number)
{
    uint64_t shortest = cpu->profile.pdist_period ? cpu->profile.pdist_period : SHORTEST;

    return counter_period(cpu, number) >= shortest;
}

uint64_t pdist_counters(const struct ds_cpu *cpu, uint64_t wrapped)
{
    uint64_t exact = 0;

    for (uint64_t rest = wrapped & cpu->profile.pdist; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool fits = event_fits(cpu, number) && period_fits(cpu, number);
        exact |= (uint64_t)fits << number;
    }
    return exact;
}
