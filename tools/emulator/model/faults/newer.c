// SPDX-License-Identifier: GPL-2.0-or-later
/* Seams of the counters that came last: PMC8 and on, fixed counter 3, and 4 and on. */
#include "../counter.h"
#include "seams.h"

#define UPPER_GENERAL (COUNTER_GENERAL & ~0xffull)
#define UPPER_FIXED   (~0xfull << COUNTER_FIXED)

bool fault_upper(const struct ds_cpu *cpu, unsigned number, enum fault general, enum fault fixed)
{
    uint64_t bit = 1ull << number;

    return (bit & UPPER_GENERAL && fault(cpu, general)) || (bit & UPPER_FIXED && fault(cpu, fixed));
}

bool fault_dead(const struct ds_cpu *cpu, unsigned number)
{
    return fault_upper(cpu, number, FAULT_UPPER_DEAD, FAULT_FIXED_UPPER_DEAD) ||
           (number == COUNTER_FIXED + 3 && fault_is_on(cpu, FAULT_FIXED_3_DEAD));
}

uint64_t fault_overflow_told(const struct ds_cpu *cpu, uint64_t wrapped)
{
    uint64_t lost = 0;

    for (uint64_t rest = wrapped; faults_are_on(cpu) && rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool untold =
            fault_upper(cpu, number, FAULT_UPPER_OVERFLOW_LOST, FAULT_FIXED_UPPER_OVERFLOW_LOST);
        lost |= (uint64_t)untold << number;
    }
    return wrapped & ~lost;
}

uint64_t fault_enabled(const struct ds_cpu *cpu)
{
    return (fault_is_on(cpu, FAULT_UPPER_ENABLE_IGNORED) ? UPPER_GENERAL : 0) |
           (fault_is_on(cpu, FAULT_FIXED_UPPER_ENABLE_IGNORED) ? UPPER_FIXED : 0);
}

uint64_t fault_newer_not_frozen(const struct ds_cpu *cpu)
{
    return fault_is_on(cpu, FAULT_CTR_FRZ_MISSES_NEWER) ? UPPER_GENERAL : 0;
}

unsigned fault_fixed_field(const struct ds_cpu *cpu, unsigned number)
{
    uint64_t below = counter_existing(&cpu->profile) >> COUNTER_FIXED;

    if (!fault_is_on(cpu, FAULT_FIXED_FIELDS_PACKED)) {
        return number;
    }
    below &= (1ull << (number - COUNTER_FIXED)) - 1;
    return COUNTER_FIXED + (unsigned)__builtin_popcountll(below);
}

bool fault_counts_in_every_ring(const struct ds_cpu *cpu, unsigned number)
{
    return fault_upper(cpu, number, FAULT_COUNT, FAULT_FIXED_UPPER_RING_IGNORED) ||
           fault_upper(cpu, number, FAULT_COUNT, FAULT_FIXED_UPPER_CONTROL_IGNORED);
}

/* In version 1 nothing starts several counters at once, and no test compares them. */
static bool in_rings(const struct ds_cpu *cpu, enum fault fault)
{
    return cpu->profile.perfmon_version > 1 && fault_is_on(cpu, fault);
}

unsigned fault_ring(const struct ds_cpu *cpu, unsigned cpl)
{
    return cpl != 3 && in_rings(cpu, FAULT_INNER_RINGS_COUNT_AS_0) ? 0 : cpl;
}

bool fault_far_lost(const struct ds_cpu *cpu, unsigned number, const struct counter_cycle *cycle)
{
    const uint64_t both = PERFEVTSEL_OS | PERFEVTSEL_USR, field = FIXED_OS | FIXED_USR;
    bool in_all = number < COUNTER_FIXED ? (cpu->general_select[number] & both) == both
                                         : (counter_fixed_field(cpu, number) & field) == field;

    return in_all && cycle->branch && cycle->kind == DS_BRANCH_FAR &&
           in_rings(cpu, FAULT_ALL_RINGS_LOSE_FAR);
}

bool fault_reloads(struct ds_cpu *cpu, unsigned number)
{
    bool again = cpu->fault_memory.reloaded >> number & 1;

    cpu->fault_memory.reloaded |= 1ull << number;
    return !again || !fault(cpu, FAULT_RELOAD_ONCE);
}

void fault_causes_written(struct ds_cpu *cpu, unsigned number)
{
    cpu->fault_memory.reloaded &= ~(1ull << number);
}

bool fault_user_off(const struct ds_cpu *cpu)
{
    uint64_t selects = 0;

    for (unsigned i = 0; i < DS_GENERAL_COUNTERS_MAX; i++) {
        selects |= cpu->general_select[i];
    }
    for (unsigned i = 0; i < DS_FIXED_COUNTERS_MAX; i++) {
        bool off = counter_fixed_field(cpu, COUNTER_FIXED + i) & FIXED_USER_OFF;
        selects |= off ? PERFEVTSEL_USER_OFF : 0;
    }
    return selects & PERFEVTSEL_USER_OFF && fault_is_on(cpu, FAULT_USER_OFF_SHARED);
}
