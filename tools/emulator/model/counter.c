// SPDX-License-Identifier: GPL-2.0-or-later
#include "counter.h"

#include "fault.h"
#include "global_status.h"

#define SLOTS_PER_CYCLE 4

/* The architectural events, numbered as CPUID leaf 0AH enumerates them (F1.9, F6.25). */
enum event {
    EVENT_CYCLES,
    EVENT_INSTRUCTIONS,
    EVENT_REFERENCE_CYCLES,
    EVENT_CACHE_REFERENCES,
    EVENT_CACHE_MISSES,
    EVENT_BRANCHES,
    EVENT_MISPREDICTS,
    EVENT_SLOTS,
    EVENT_NONE,
};

uint64_t counter_existing(const struct ds_profile *profile)
{
    uint64_t general = (1ull << profile->general_counters) - 1;
    uint64_t fixed = (1ull << profile->fixed_counters) - 1;

    return general | fixed << COUNTER_FIXED;
}

uint64_t counter_value_bits(const struct ds_profile *profile, unsigned number)
{
    unsigned width = number < COUNTER_FIXED ? profile->general_width : profile->fixed_width;

    return (1ull << width) - 1;
}

uint64_t *counter_value(struct ds_cpu *cpu, unsigned number)
{
    return number < COUNTER_FIXED ? &cpu->general[number] : &cpu->fixed[number - COUNTER_FIXED];
}

uint64_t counter_fixed_field(const struct ds_cpu *cpu, unsigned number)
{
    uint64_t field = cpu->fixed_control >> (number - COUNTER_FIXED) * FIXED_FIELD_WIDTH;

    return field & (FIXED_OS | FIXED_USR | FIXED_ANY | FIXED_PMI | FIXED_ADAPTIVE);
}

static bool is_enabled(const struct ds_cpu *cpu, unsigned number)
{
    if (number >= COUNTER_FIXED) {
        return counter_fixed_field(cpu, number) & (FIXED_OS | FIXED_USR);
    }
    return cpu->general_select[number] & PERFEVTSEL_EN;
}

/* The counters that CTR_Frz does not hold: none. */
static uint64_t not_frozen(struct ds_cpu *cpu)
{
    uint64_t counters = fault_is_on(cpu, FAULT_CTR_FRZ_IDLE) ? ~0ull : 0;

    counters |= fault_is_on(cpu, FAULT_CTR_FRZ_MISSES_UPPER) ? 0xf0 : 0;
    counters |= fault_is_on(cpu, FAULT_CTR_FRZ_MISSES_FIXED) ? 0xfull << COUNTER_FIXED : 0;
    return counters;
}

void counter_refresh(struct ds_cpu *cpu)
{
    uint64_t candidates = counter_existing(&cpu->profile);

    if (cpu->profile.perfmon_version > 1) {
        candidates &= cpu->global_control;
    }
    cpu->counting = 0;
    if (cpu->global_status & STATUS_CTR_FRZ) {
        candidates &= not_frozen(cpu);
    }
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        cpu->counting |= (uint64_t)is_enabled(cpu, number) << number;
    }
}

bool counter_signals(const struct ds_cpu *cpu, unsigned number)
{
    if (number >= COUNTER_FIXED) {
        return counter_fixed_field(cpu, number) & FIXED_PMI;
    }
    return cpu->general_select[number] & PERFEVTSEL_INT;
}

uint64_t counter_signalling(const struct ds_cpu *cpu, uint64_t counters)
{
    uint64_t signalling = 0;

    for (uint64_t rest = counters & counter_existing(&cpu->profile); rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        signalling |= (uint64_t)counter_signals(cpu, number) << number;
    }
    return signalling;
}

bool counter_is_adaptive(const struct ds_cpu *cpu, unsigned number)
{
    if (number >= COUNTER_FIXED) {
        return counter_fixed_field(cpu, number) & FIXED_ADAPTIVE;
    }
    return cpu->general_select[number] & PERFEVTSEL_ADAPTIVE;
}

/* C0H/01H, C4H/04H and C5H/04H are the precise twins that most families have beside the umask 0. */
static enum event selected_event(uint64_t select)
{
    switch (select & 0xffff) {
    case 0x003c:
        return EVENT_CYCLES;
    case 0x00c0:
    case 0x01c0:
        return EVENT_INSTRUCTIONS;
    case 0x013c:
        return EVENT_REFERENCE_CYCLES;
    case 0x4f2e:
        return EVENT_CACHE_REFERENCES;
    case 0x412e:
        return EVENT_CACHE_MISSES;
    case 0x00c4:
    case 0x04c4:
        return EVENT_BRANCHES;
    case 0x00c5:
    case 0x04c5:
        return EVENT_MISPREDICTS;
    case 0x01a4:
        return EVENT_SLOTS;
    default:
        return EVENT_NONE;
    }
}

static enum event counter_event(const struct ds_cpu *cpu, unsigned number)
{
    static const enum event fixed[DS_FIXED_COUNTERS_MAX] = {
        EVENT_INSTRUCTIONS, EVENT_CYCLES, EVENT_REFERENCE_CYCLES, EVENT_SLOTS}; /* F6.4 */

    if (number >= COUNTER_FIXED) {
        return fixed[number - COUNTER_FIXED];
    }
    enum event event = selected_event(cpu->general_select[number]);

    if (fault_is_on(cpu, FAULT_COUNTER_DEAD)) {
        return EVENT_NONE;
    }
    return cpu->profile.events_missing >> event & 1 ? EVENT_NONE : event;
}

bool counter_is_precise(const struct ds_cpu *cpu, unsigned number)
{
    enum event event = counter_event(cpu, number);

    return event == EVENT_INSTRUCTIONS || event == EVENT_BRANCHES || event == EVENT_MISPREDICTS;
}

/* There is no cache in this processor: nothing refers to it, nothing misses it. */
static unsigned events_in(const struct counter_cycle *cycle, enum event event)
{
    switch (event) {
    case EVENT_CYCLES:
    case EVENT_INSTRUCTIONS:
    case EVENT_REFERENCE_CYCLES:
        return 1;
    case EVENT_BRANCHES:
        return cycle->branch;
    case EVENT_MISPREDICTS:
        return cycle->mispredicted;
    case EVENT_SLOTS:
        return SLOTS_PER_CYCLE;
    default:
        return 0;
    }
}

static bool selects_cpl(struct ds_cpu *cpu, unsigned number, unsigned cpl)
{
    if (cpu->pebs_enable >> number & 1 && fault(cpu, FAULT_PEBS_RING_IGNORED)) {
        return true;
    }
    if (number >= COUNTER_FIXED) {
        return counter_fixed_field(cpu, number) & (cpl == 0 ? FIXED_OS : FIXED_USR);
    }
    return cpu->general_select[number] & (cpl == 0 ? PERFEVTSEL_OS : PERFEVTSEL_USR);
}

/* CMASK, INV and edge detection, for which one cycle is the unit (F6.21). */
static unsigned general_increment(struct ds_cpu *cpu, unsigned number, unsigned events)
{
    uint64_t select = cpu->general_select[number];
    unsigned threshold = select >> 24 & 0xff;
    bool seen = cpu->edge_seen >> number & 1;

    if (threshold) {
        events = (events >= threshold) != !!(select & PERFEVTSEL_INV);
    }
    cpu->edge_seen &= ~(1ull << number);
    cpu->edge_seen |= (uint64_t)(events > 0) << number;
    return select & PERFEVTSEL_EDGE ? events > 0 && !seen : events;
}

uint64_t counter_cycle(struct ds_cpu *cpu, const struct counter_cycle *cycle, uint64_t *hit)
{
    uint64_t wrapped = 0;

    *hit = 0;
    for (uint64_t rest = cpu->counting; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        if (!selects_cpl(cpu, number, cycle->cpl)) {
            continue;
        }
        unsigned increment = events_in(cycle, counter_event(cpu, number));
        if (number < COUNTER_FIXED) {
            increment = general_increment(cpu, number, increment);
        }
        uint64_t *value = counter_value(cpu, number);
        uint64_t bits = counter_value_bits(&cpu->profile, number);
        uint64_t before = *value;

        *value = (before + increment) & bits;
        *hit |= (uint64_t)(increment > 0) << number;
        wrapped |= (uint64_t)(*value < before) << number;
    }
    return wrapped;
}
