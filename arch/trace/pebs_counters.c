/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which counters of which processor can do PEBS (F3.60). */
#include "arch/cpu/features.h"
#include "arch/cpu/models.h"
#include "arch/trace/features.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmu.h"
#include "arch/trace/taken.h"

#define FAMILY_P6 0x06u

/* Models whose PEBS is on the first counter alone: Core 2, Atom, Silvermont, Airmont, Goldmont. */
static const uint8_t one_counter_models[] = {
    0x0f, 0x17, 0x1d, 0x1c, 0x26, 0x27, 0x35, 0x36, 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x5c, 0x5f,
};

/* Goldmont, Goldmont Plus and Tremont, which sample every event. */
static const uint8_t every_event_models[] = {0x5c, 0x5f, 0x7a, 0x86, 0x96, 0x9c};

/* Adaptive records, but a precise distribution on no general-purpose counter: Ice Lake, Tiger Lake
 * and Rocket Lake. */
static const uint8_t fixed_distribution_models[] = {0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7};

static bool has_one_counter(void)
{
    return pebs_format() == 0 || model_is_one_of(one_counter_models, sizeof one_counter_models);
}

static bool has_latencies(void)
{
    return pebs_format() > 0 && pebs_format() < PEBS_FORMAT_ADAPTIVE && model_samples_latencies();
}

static uint64_t general_counters(unsigned at_most)
{
    unsigned count = trace_features()->perfmon.counters;

    return (PEBS_GENERAL(count < at_most ? count : at_most) - 1) & ~taken_counters();
}

/* Goldmont Plus samples on fixed counters too, without enumerating it (F22.17). */
static bool has_every_counter(void)
{
    static const uint8_t models[] = {0x7a};

    return pebs_format() >= PEBS_FORMAT_ADAPTIVE || model_is_one_of(models, sizeof models);
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
    return pebs_format() >= PEBS_FORMAT_ADAPTIVE ||
           model_is_one_of(every_event_models, sizeof every_event_models);
}

bool pebs_may_store_at_overflow(unsigned number)
{
    const struct perfmon_own *own = &trace_features()->perfmon.own;

    if (own->leaves & PERFMON_OWN_PEBS)
        return own->distributed.general >> number & 1;
    if (model_is_one_of(every_event_models, sizeof every_event_models))
        return number == 0;
    return pebs_format() >= PEBS_FORMAT_ADAPTIVE && number < 2 &&
           !model_is_one_of(fixed_distribution_models, sizeof fixed_distribution_models);
}

/* A guest's revision is what its hypervisor says. */
uint32_t pebs_microcode_wanted(void)
{
    static const struct {
        uint8_t model, stepping;
        uint32_t revision;
    } rows[] = {{0x2a, 7, 0x28}, {0x2d, 6, 0x618}, {0x2d, 7, 0x70c}};
    const struct cpu_identity *identity = &cpu_features()->identity;

    if (identity->family != FAMILY_P6 || identity_is_somebodys_guest(identity))
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (identity->model == rows[i].model && identity->stepping == rows[i].stepping &&
            identity->microcode < rows[i].revision)
            return rows[i].revision;
    return 0;
}

const char *pebs_unusable(void)
{
    static const uint8_t models[] = {0x0f, 0x16};

    return model_is_one_of(models, sizeof models)
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
        return ~(pebs_counters() | taken_counters() | several | four | untold);
    return 0;
}
