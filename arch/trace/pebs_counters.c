/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which counters of which processor can do PEBS (F3.60). */
#include "arch/cpu/identity/models.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/foreign_counters.h"

static bool samples_on(enum pebs_on counters)
{
    return core_facts(&cpu_features()->identity)->pebs == counters;
}

static bool has_one_counter(void)
{
    return pebs_format() == 0 || samples_on(PEBS_ON_PMC0);
}

static bool has_latencies(void)
{
    return pebs_format() > 0 && pebs_format() < PEBS_FORMAT_ADAPTIVE && core_has(SAMPLES_LATENCIES);
}

static uint64_t general_counters(unsigned at_most)
{
    unsigned count = trace_features()->perfmon.counters;

    return (PEBS_GENERAL(count < at_most ? count : at_most) - 1) & ~foreign_counters();
}

static bool has_every_counter(void)
{
    return pebs_format() >= PEBS_FORMAT_ADAPTIVE || samples_on(PEBS_ON_ALL);
}

/* Format 4 has reset slots for eight general-purpose counters (F3.2). */
static uint64_t with_a_slot(void)
{
    return pebs_format() < PEBS_FORMAT_SLOTS ? 0xffff000000ff : UINT64_MAX;
}

uint64_t pebs_counters(void)
{
    if (!feature_present(FEATURE_PEBS_RECORDS))
        return 0;
    if (has_one_counter())
        return PEBS_GENERAL(0);
    return has_every_counter() ? pmu_all_counters() & with_a_slot() : general_counters(4);
}

bool pebs_samples_every_event(void)
{
    return pebs_format() >= PEBS_FORMAT_ADAPTIVE || core_has(SAMPLES_EVERY_EVENT);
}

bool pebs_may_store_at_overflow(unsigned number)
{
    const struct perfmon_own *own = &trace_features()->perfmon.own;

    if (own->leaves & PERFMON_OWN_PEBS)
        return own->distributed.general >> number & 1;
    if (core_has(SAMPLES_EVERY_EVENT))
        return number == 0;
    return pebs_format() >= PEBS_FORMAT_ADAPTIVE && number < 2 && !core_has(DISTRIBUTES_ON_FIXED);
}

/* A guest's revision is what its hypervisor says. */
uint32_t pebs_microcode_wanted(void)
{
    static const struct {
        enum core core;
        uint8_t stepping;
        uint32_t revision;
    } rows[] = {{CORE_SANDY_BRIDGE, 7, 0x28},
                {CORE_SANDY_BRIDGE_E, 6, 0x618},
                {CORE_SANDY_BRIDGE_E, 7, 0x70c}};
    const struct cpu_identity *identity = &cpu_features()->identity;

    if (identity_is_somebodys_guest(identity))
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (core_of(identity) == rows[i].core && identity->stepping == rows[i].stepping &&
            identity->microcode < rows[i].revision)
            return rows[i].revision;
    return 0;
}

const char *pebs_unusable(void)
{
    return core_has(PEBS_IS_UNUSABLE)
               ? "on Core 2 of 65 nm errata make PEBS unusable (AJ67, AJ68, AJ69, AJ106)"
               : NULL;
}

uint64_t pebs_latency_bits(void)
{
    return feature_present(FEATURE_PEBS_RECORDS) && has_latencies() ? general_counters(4) << 32 : 0;
}

/*
 * The first four counters may be there where pebs_counters() does not count on them, but not with
 * format 0; 35:32 and 63:60 have had several meanings. A core of a hybrid may have more.
 */
uint64_t pebs_reserved_bits(void)
{
    const uint64_t several = 15ull << 60 | 15ull << 32, four = pebs_format() ? 15 : 0;
    uint64_t untold = trace_features()->counters_in_doubt ? pmu_in_doubt_bits() : 0;

    if (!feature_present(FEATURE_PEBS_RECORDS))
        return 0;
    if (has_one_counter() || has_latencies() || pebs_format() >= PEBS_FORMAT_ADAPTIVE)
        return ~(pebs_counters() | foreign_counters() | several | four | untold);
    return 0;
}

/* --- architectural PEBS --- */

bool pebs_arch_enumerated(void)
{
    return pebs_format() == PEBS_FORMAT_ARCH && pmu_has_blocks() &&
           (trace_features()->perfmon.own.leaves & PERFMON_OWN_PEBS) == PERFMON_OWN_PEBS;
}

uint64_t pebs_arch_counters(void)
{
    struct perfmon_pair pebs = trace_features()->perfmon.own.pebs;

    if (!feature_present(FEATURE_PEBS_ARCH))
        return 0;
    return (pebs.general | (uint64_t)pebs.fixed << 32) & pmu_all_counters();
}
