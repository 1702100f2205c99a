/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/workers_choose.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/processors.h"
#include "arch/cpu/identity/topology.h"
#include "kernel/machine/cpu_label.h"

static bool has_low_number(uint32_t id)
{
    unsigned i = 0;

    while (i < processor_count() && processor_apic_id(i) != id)
        i++;
    return i < processor_count();
}

/* Processors without a number in processors.h follow, in the order in which they were found. */
uint32_t workers_id(unsigned number)
{
    unsigned behind = number - processor_count();
    uint32_t id;

    if (number < processor_count())
        return processor_apic_id(number);
    for (unsigned i = 0; (id = processor_found(i)) != UINT32_MAX; i++)
        if (!has_low_number(id) && behind-- == 0)
            return id;
    return UINT32_MAX;
}

static bool is_first_of_kind(unsigned number)
{
    return number < processor_count() && features_are_probed(number) &&
           cpu_first_of_kind(number) == number;
}

static bool shares_the_core(unsigned number)
{
    struct topology topology = topology_read(cpu_features()->identity.max_leaf, insn_cpuid);

    return topology.leaf != 0 &&
           topology_kinship(&topology, processor_apic_id(0), workers_id(number)) == KIN_CORE;
}

bool workers_wants(const struct options *options, unsigned number)
{
    switch (options->places) {
    case PLACES_BOOT:
        return false;
    case PLACES_OF_KINDS:
        return is_first_of_kind(number);
    case PLACES_PAIR:
        return shares_the_core(number);
    case PLACES_LISTED:
        return options_lists_place(options, number);
    default:
        return true;
    }
}

bool workers_wants_anybody(const struct options *options)
{
    if (options->places == PLACES_OF_KINDS && identity_is_hybrid())
        return true;
    for (unsigned number = 1; workers_id(number) != UINT32_MAX; number++)
        if (workers_wants(options, number))
            return true;
    return false;
}

const char *workers_obstacle(const struct options *options)
{
    if (options->places == PLACES_PAIR && !workers_wants_anybody(options))
        return "cpu=pair: no other thread of this core was found";
    for (unsigned number = 1; options->places == PLACES_LISTED && number < PLACES_MAX; number++)
        if (options_lists_place(options, number) && workers_id(number) == UINT32_MAX)
            return "cpu=: no processor has one of these numbers; the log of cpu=each names them";
    return NULL;
}
