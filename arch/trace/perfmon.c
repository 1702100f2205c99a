/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/perfmon.h"

#define FEATURES_HYBRID    (1u << 15) /* CPUID.07H.0:EDX: it has cores of several kinds */
#define FEATURES_1_PERFMON (1u << 8)  /* CPUID.07H.1:EAX: leaf 23H exists */
#define LEAF_PERFMON_MORE  0x23u

struct perfmon_identity perfmon_decode(struct cpuid_result leaf)
{
    struct perfmon_identity perfmon = {.version = (uint8_t)leaf.eax};

    if (perfmon.version == 0)
        return perfmon;
    perfmon.counters = (uint8_t)(leaf.eax >> 8);
    perfmon.counter_bits = (uint8_t)(leaf.eax >> 16);
    perfmon.event_mask_length = leaf.eax >> 24;
    perfmon.events_unavailable = leaf.ebx;
    if (perfmon.version >= 2) { /* before, EDX is reserved: F1.10 */
        perfmon.fixed_counters = leaf.edx & 0x1f;
        perfmon.fixed_counter_bits = (uint8_t)(leaf.edx >> 5);
    }
    if (perfmon.version >= 5)
        perfmon.fixed_bitmap = leaf.ecx;
    return perfmon;
}

bool perfmon_fixed_exists(const struct perfmon_identity *perfmon, unsigned number)
{
    return number < perfmon->fixed_counters ||
           (number < 32 && (perfmon->fixed_bitmap >> number & 1)); /* by either: F1.11 */
}

bool perfmon_is_in_doubt(const struct cpuid_result features[2], uint32_t max_leaf)
{
    return features[0].edx & FEATURES_HYBRID ||
           (max_leaf >= LEAF_PERFMON_MORE && features[1].eax & FEATURES_1_PERFMON);
}

unsigned perfmon_fixed_limit(const struct perfmon_identity *perfmon)
{
    unsigned limit = 32;

    while (limit && !perfmon_fixed_exists(perfmon, limit - 1))
        limit--;
    return limit;
}

bool perfmon_event_available(const struct perfmon_identity *perfmon, unsigned event)
{
    return event < 32 && event < perfmon->event_mask_length &&
           !(perfmon->events_unavailable >> event & 1);
}
