// SPDX-License-Identifier: GPL-2.0-or-later
#include "counter.h"

#include "errata.h"
#include "event.h"
#include "global_status.h"
#include "slots.h"
#include "taken.h"

/* The lowest so many, unless it is said which. */
static uint64_t those(uint64_t mask, unsigned count)
{
    return mask ? mask : (1ull << count) - 1;
}

uint64_t counter_existing(const struct ds_profile *profile)
{
    uint64_t general = those(profile->general_mask, profile->general_counters);
    uint64_t fixed = those(profile->fixed_mask, profile->fixed_counters);

    return general | fixed << COUNTER_FIXED;
}

bool counter_any_thread_deprecated(const struct ds_profile *profile)
{
    return profile->perfmon_version > 4 || profile->any_thread_gone;
}

bool counter_any_thread(const struct ds_profile *profile)
{
    return profile->perfmon_version > 2 && !counter_any_thread_deprecated(profile);
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

void counter_loaded(struct ds_cpu *cpu, unsigned number)
{
    cpu->loaded[counter_place(number)] = *counter_value(cpu, number);
}

uint64_t counter_period(const struct ds_cpu *cpu, unsigned number)
{
    uint64_t most = counter_value_bits(&cpu->profile, number) + 1;

    return most - cpu->loaded[counter_place(number)];
}

uint64_t counter_fixed_field(const struct ds_cpu *cpu, unsigned number)
{
    uint64_t field = cpu->fixed_control >> (number - COUNTER_FIXED) * FIXED_FIELD_WIDTH;

    return field & (FIXED_OS | FIXED_USR | FIXED_ANY | FIXED_PMI | FIXED_ADAPTIVE | FIXED_USER_OFF);
}

static bool is_enabled(const struct ds_cpu *cpu, unsigned number)
{
    if (number >= COUNTER_FIXED) {
        return counter_fixed_field(cpu, number) & (FIXED_OS | FIXED_USR);
    }
    return cpu->general_select[number] & PERFEVTSEL_EN;
}

void counter_refresh(struct ds_cpu *cpu)
{
    uint64_t candidates = counter_existing(&cpu->profile);

    if (cpu->profile.perfmon_version > 1) {
        candidates &= cpu->global_control;
    }
    candidates &= ~taken_by_microcode(cpu);
    cpu->counting = 0;
    if (cpu->global_status & STATUS_CTR_FRZ) {
        candidates = 0;
    }
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        cpu->counting |= (uint64_t)is_enabled(cpu, number) << number;
    }
    cpu->lbr_inserts = cpu->counting ? cpu->lbr_inserts : 0;
    slots_refresh(cpu);
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

uint32_t counter_missing_events(const struct ds_profile *profile)
{
    return ~event_counted(profile);
}

bool counter_is_precise(const struct ds_cpu *cpu, unsigned number)
{
    return number < COUNTER_FIXED && event_is_precise(cpu, number);
}

static bool selects_cpl(const struct ds_cpu *cpu, unsigned number, unsigned cpl)
{
    if (number >= COUNTER_FIXED) {
        return counter_fixed_field(cpu, number) & (cpl == 0 ? FIXED_OS : FIXED_USR);
    }
    return cpu->general_select[number] & (cpl == 0 ? PERFEVTSEL_OS : PERFEVTSEL_USR);
}

/* CMASK: so many events in the cycle or more, exactly so many with EQ (F6.21, F21.8). */
static bool meets(uint64_t select, unsigned events)
{
    unsigned threshold = select >> 24 & 0xff;
    bool met = select & PERFEVTSEL_EQ ? events == threshold : events >= threshold;

    return met != !!(select & PERFEVTSEL_INV);
}

/* CMASK, INV and edge detection, for which one cycle is the unit (F6.21). */
static unsigned general_increment(struct ds_cpu *cpu, unsigned number, unsigned events)
{
    uint64_t select = cpu->general_select[number];
    bool seen = cpu->edge_seen >> number & 1;

    if (select & PERFEVTSEL_CMASK) {
        events = meets(select, events);
    }
    cpu->edge_seen &= ~(1ull << number);
    cpu->edge_seen |= (uint64_t)(events > 0) << number;
    return select & PERFEVTSEL_EDGE ? events > 0 && !seen : events;
}

/* An erratum: without an event in it the cycle is one of fewer events than CMASK. */
static uint64_t count_other_ring(struct ds_cpu *cpu, unsigned cpl)
{
    uint64_t wrapped = 0;

    for (uint64_t rest = cpu->counting; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        if (!selects_cpl(cpu, number, cpl) && errata_counts_other_ring(cpu, number)) {
            uint64_t *value = counter_value(cpu, number);
            unsigned increment = general_increment(cpu, number, 0);
            *value = (*value + increment) & counter_value_bits(&cpu->profile, number);
            wrapped |= (uint64_t)(increment && *value == 0) << number;
        }
    }
    return wrapped;
}

uint64_t counter_cycle(struct ds_cpu *cpu, const struct counter_cycle *cycle, uint64_t *hit)
{
    uint64_t wrapped = 0;

    *hit = 0;
    slots_cycle(cpu, cycle);
    for (uint64_t rest = cpu->counting; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        if (!selects_cpl(cpu, number, cycle->cpl) || errata_counter_pauses(cpu, number)) {
            continue;
        }
        unsigned increment = event_times(&cpu->profile, cycle, event_of(cpu, number));
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
    wrapped |= cpu->faults.some ? count_other_ring(cpu, cycle->cpl) : 0;
    return wrapped;
}

/* CFG_C holds the value's low half, as a write of IA32_PMCx would (F21.15). */
static void reload(struct ds_cpu *cpu, unsigned number)
{
    uint64_t value = counter_extended(cpu->config_c[counter_place(number)]);

    *counter_value(cpu, number) = value & counter_value_bits(&cpu->profile, number);
    counter_loaded(cpu, number);
}

void counter_reload_others(struct ds_cpu *cpu, uint64_t wrapped)
{
    for (uint64_t rest = cpu->profile.reloadable; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);

        if (cpu->reload_causes[counter_place(number)] & wrapped) {
            reload(cpu, number);
        }
    }
}

uint64_t counter_one_more(struct ds_cpu *cpu, unsigned cpl)
{
    uint64_t wrapped = 0;

    for (uint64_t rest = cpu->counting; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool counts = event_of(cpu, number) == EVENT_INSTRUCTIONS &&
                      selects_cpl(cpu, number, cpl) && !errata_counter_pauses(cpu, number);

        if (counts && (number >= COUNTER_FIXED || general_increment(cpu, number, 1) > 0)) {
            uint64_t *value = counter_value(cpu, number);
            *value = (*value + 1) & counter_value_bits(&cpu->profile, number);
            wrapped |= (uint64_t)(*value == 0) << number;
        }
    }
    return wrapped;
}
