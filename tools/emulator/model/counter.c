// SPDX-License-Identifier: GPL-2.0-or-later
#include "counter.h"

#include "errata.h"
#include "family.h"
#include "global_status.h"
#include "taken.h"

#define SELECT_CODE     0xffffu /* umask and event */
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
    EVENT_MICRO_OPERATIONS, /* from here on no architectural one */
    EVENT_NONE,
};

uint64_t counter_existing(const struct ds_profile *profile)
{
    uint64_t general = (1ull << profile->general_counters) - 1;
    uint64_t fixed = (1ull << profile->fixed_counters) - 1;

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

    return field & (FIXED_OS | FIXED_USR | FIXED_ANY | FIXED_PMI | FIXED_ADAPTIVE);
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

/* There is no cache in this processor: nothing refers to it, nothing misses it. */
uint32_t counter_missing_events(const struct ds_profile *profile)
{
    return profile->events_missing | 1u << EVENT_CACHE_REFERENCES | 1u << EVENT_CACHE_MISSES;
}

/* Events by umask and event; as bits of struct family's precise, where some family samples them. */
static const struct selection {
    uint16_t code;
    uint8_t event;   /* enum event */
    uint8_t precise; /* PRECISE_... or 0 */
    bool specific;   /* counts on the families alone that sample it */
} selections[] = {
    {0x003c, EVENT_CYCLES, 0, false},
    {0x00c0, EVENT_INSTRUCTIONS, PRECISE_C0_00, false},
    {0x01c0, EVENT_INSTRUCTIONS, PRECISE_C0_01, true},
    {0x01c2, EVENT_MICRO_OPERATIONS, PRECISE_C2_01, true},
    {0x013c, EVENT_REFERENCE_CYCLES, 0, false},
    {0x4f2e, EVENT_CACHE_REFERENCES, 0, false},
    {0x412e, EVENT_CACHE_MISSES, 0, false},
    {0x00c4, EVENT_BRANCHES, PRECISE_C4_00, false},
    {0x04c4, EVENT_BRANCHES, PRECISE_C4_04, true},
    {0x00c5, EVENT_MISPREDICTS, PRECISE_C5_00, false},
    {0x04c5, EVENT_MISPREDICTS, PRECISE_C5_04, true},
    {0x01a4, EVENT_SLOTS, 0, false},
};

static const struct selection none = {0, EVENT_NONE, 0, false};

static const struct selection *selection(const struct ds_cpu *cpu, unsigned number)
{
    const struct selection *end = selections + sizeof(selections) / sizeof(selections[0]);

    for (const struct selection *one = selections; one < end; one++) {
        if (one->code == (cpu->general_select[number] & SELECT_CODE)) {
            bool exists = !one->specific || family_of(&cpu->profile)->precise & one->precise;
            return exists ? one : &none;
        }
    }
    return &none;
}

static enum event counter_event(const struct ds_cpu *cpu, unsigned number)
{
    /* By the fixed counter's number (F6.4). */
    static const enum event fixed[DS_FIXED_COUNTERS_MAX] = {EVENT_INSTRUCTIONS, EVENT_CYCLES,
                                                            EVENT_REFERENCE_CYCLES, EVENT_SLOTS};

    if (number >= COUNTER_FIXED) {
        return fixed[number - COUNTER_FIXED];
    }
    enum event event = selection(cpu, number)->event;

    bool missing =
        event < EVENT_MICRO_OPERATIONS && counter_missing_events(&cpu->profile) >> event & 1;

    return missing ? EVENT_NONE : event;
}

bool counter_is_precise(const struct ds_cpu *cpu, unsigned number)
{
    const struct family *family = family_of(&cpu->profile);

    if (counter_event(cpu, number) == EVENT_NONE || number >= COUNTER_FIXED) {
        return false;
    }
    unsigned precise = selection(cpu, number)->precise;
    bool bare = !(cpu->general_select[number] & PERFEVTSEL_CMASK);

    if (precise == PRECISE_C0_01 && family->c0_01_on_pmc1 && bare && number != 1) {
        return false;
    }
    return family->precise & precise;
}

static unsigned events_in(const struct counter_cycle *cycle, enum event event)
{
    switch (event) {
    case EVENT_INSTRUCTIONS:
        return cycle->instructions + cycle->extra;
    case EVENT_CYCLES:
    case EVENT_REFERENCE_CYCLES:
    case EVENT_MICRO_OPERATIONS:
        return 1;
    case EVENT_BRANCHES:
        return cycle->branch + cycle->extra;
    case EVENT_MISPREDICTS:
        return cycle->mispredicted;
    case EVENT_SLOTS:
        return SLOTS_PER_CYCLE;
    default:
        return 0;
    }
}

static bool selects_cpl(const struct ds_cpu *cpu, unsigned number, unsigned cpl)
{
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
    for (uint64_t rest = cpu->counting; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        if (!selects_cpl(cpu, number, cycle->cpl) || errata_counter_pauses(cpu, number)) {
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
    wrapped |= cpu->errata.some ? count_other_ring(cpu, cycle->cpl) : 0;
    return wrapped;
}

uint64_t counter_one_more(struct ds_cpu *cpu, unsigned cpl)
{
    uint64_t wrapped = 0;

    for (uint64_t rest = cpu->counting; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool counts = counter_event(cpu, number) == EVENT_INSTRUCTIONS &&
                      selects_cpl(cpu, number, cpl) && !errata_counter_pauses(cpu, number);

        if (counts && (number >= COUNTER_FIXED || general_increment(cpu, number, 1) > 0)) {
            uint64_t *value = counter_value(cpu, number);
            *value = (*value + 1) & counter_value_bits(&cpu->profile, number);
            wrapped |= (uint64_t)(*value == 0) << number;
        }
    }
    return wrapped;
}
