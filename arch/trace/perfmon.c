/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/perfmon.h"

#define FEATURES_HYBRID    (1u << 15) /* CPUID.07H.0:EDX: it has cores of several kinds */
#define FEATURES_1_PERFMON (1u << 8)  /* CPUID.07H.1:EAX: leaf 23H exists */
#define LEAF_PERFMON_OWN   0x23u
#define BITMAP_BITS        32u

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

static bool is_set(uint32_t bitmap, unsigned number)
{
    return number < BITMAP_BITS && (bitmap >> number & 1);
}

static uint32_t first(unsigned count)
{
    return count < BITMAP_BITS ? (1u << count) - 1 : UINT32_MAX;
}

static bool tells_counters(const struct perfmon_identity *perfmon)
{
    return perfmon->own.leaves & PERFMON_OWN_COUNTERS;
}

uint32_t perfmon_general_bitmap(const struct perfmon_identity *perfmon)
{
    return tells_counters(perfmon) ? perfmon->own.counters.general : first(perfmon->counters);
}

uint32_t perfmon_fixed_bitmap(const struct perfmon_identity *perfmon)
{
    if (tells_counters(perfmon))
        return perfmon->own.counters.fixed;
    return first(perfmon->fixed_counters) | perfmon->fixed_bitmap; /* by either: F1.11 */
}

unsigned perfmon_count(uint32_t bitmap)
{
    unsigned count = 0;

    for (; bitmap; bitmap &= bitmap - 1)
        count++;
    return count;
}

bool perfmon_general_exists(const struct perfmon_identity *perfmon, unsigned number)
{
    return is_set(perfmon_general_bitmap(perfmon), number);
}

bool perfmon_fixed_exists(const struct perfmon_identity *perfmon, unsigned number)
{
    return is_set(perfmon_fixed_bitmap(perfmon), number);
}

bool perfmon_has_own(const struct cpuid_result features[2], uint32_t max_leaf)
{
    return max_leaf >= LEAF_PERFMON_OWN && features[1].eax & FEATURES_1_PERFMON;
}

struct perfmon_own perfmon_decode_own(const struct cpuid_result leaves[PERFMON_OWN_LEAVES])
{
    struct cpuid_result leaf[PERFMON_OWN_LEAVES] = {leaves[0]};

    for (unsigned i = 1; i < PERFMON_OWN_LEAVES; i++)
        if (is_set(leaves[0].eax, i))
            leaf[i] = leaves[i];
    return (struct perfmon_own){
        .leaves = leaf[0].eax,
        .select_bits = leaf[0].ebx,
        .slots = leaf[0].ecx & 0xff,
        .counters = {leaf[1].eax, leaf[1].ebx},
        .reloaded = {leaf[2].eax, leaf[2].ebx},
        .reloads = {leaf[2].ecx, leaf[2].edx},
        .events = leaf[3].eax,
        .pebs_groups = leaf[4].ebx,
        .pebs = {leaf[5].eax, leaf[5].ecx},
        .distributed = {leaf[5].ebx, leaf[5].edx},
    };
}

bool perfmon_is_in_doubt(const struct cpuid_result features[2], uint32_t max_leaf)
{
    return features[0].edx & FEATURES_HYBRID && !perfmon_has_own(features, max_leaf);
}

static unsigned limit_of(uint32_t bitmap)
{
    return bitmap ? BITMAP_BITS - (unsigned)__builtin_clz(bitmap) : 0;
}

unsigned perfmon_general_limit(const struct perfmon_identity *perfmon)
{
    return limit_of(perfmon_general_bitmap(perfmon));
}

unsigned perfmon_fixed_limit(const struct perfmon_identity *perfmon)
{
    return limit_of(perfmon_fixed_bitmap(perfmon));
}

bool perfmon_event_available(const struct perfmon_identity *perfmon, unsigned event)
{
    if (perfmon->own.leaves & PERFMON_OWN_EVENTS)
        return is_set(perfmon->own.events, event);
    return event < perfmon->event_mask_length && event < BITMAP_BITS &&
           !is_set(perfmon->events_unavailable, event);
}
