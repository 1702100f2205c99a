// SPDX-License-Identifier: GPL-2.0-or-later
/* Seams of PEBS: when a record is made, and what it holds. */
#include "../counter.h"
#include "../pebs.h"
#include "seams.h"

#define FIXED        (~0ull << COUNTER_FIXED)
#define FIXED_OTHERS (FIXED << 1)
#define EXTENDED     0xfffffff0ull /* general-purpose counters that only some formats sample */
#define RESET_FIRST  0x40          /* offsets of the reset values */
#define RESET_SIZE   8

uint64_t fault_late_assists(struct ds_cpu *cpu, uint64_t ready)
{
    uint64_t seen = cpu->fault_memory.pebs_seen;

    if (ready && pebs_exists(&cpu->profile) && fault_is_on(cpu, FAULT_PEBS_LATE)) {
        cpu->fault_memory.pebs_seen ^= ready;
        ready &= seen;
    }
    return ready;
}

unsigned fault_pebs_format(const struct ds_cpu *cpu)
{
    unsigned format = pebs_format(&cpu->profile);

    if (fault_is_on(cpu, FAULT_PEBS_FORMAT_WRONG)) {
        format = pebs_is_adaptive(&cpu->profile) ? 3 : format ^ 1;
    }
    return format;
}

uint64_t fault_record_time(const struct ds_cpu *cpu, uint64_t now)
{
    return now << fault_is_on(cpu, FAULT_PEBS_TSC_DOUBLE) >> fault_is_on(cpu, FAULT_PEBS_TSC_HALF);
}

bool fault_loses_record(struct ds_cpu *cpu, uint64_t counters)
{
    bool fixed = counters >> COUNTER_FIXED, extended = counters & EXTENDED;
    bool others = !(counters & ~FIXED_OTHERS);

    return (fixed && fault(cpu, FAULT_PEBS_FIXED_LOST)) ||
           (others && fault(cpu, FAULT_PEBS_FIXED_OTHERS_LOST)) ||
           (extended && fault(cpu, FAULT_PEBS_EXTENDED_LOST));
}

bool fault_keeps_fixed(struct ds_cpu *cpu, unsigned number)
{
    return number >= COUNTER_FIXED && fault(cpu, FAULT_PEBS_FIXED_NO_RELOAD);
}

uint64_t fault_reset_offset(const struct ds_cpu *cpu, unsigned counter, bool fixed, uint64_t offset)
{
    if (fixed && fault_is_on(cpu, FAULT_RESET_FIXED_NEIGHBOUR)) {
        offset += RESET_SIZE;
    }
    if (fixed && fault_is_on(cpu, FAULT_RESET_FIXED_GENERAL)) {
        offset = RESET_FIRST + counter * RESET_SIZE;
    }
    if (!fixed && counter >= 4 && fault_is_on(cpu, FAULT_RESET_EXTENDED_WRAPS)) {
        offset -= 4 * RESET_SIZE;
    }
    return offset;
}

uint64_t fault_told_counters(const struct ds_cpu *cpu, uint64_t counters)
{
    bool wrong = fault_is_on(cpu, FAULT_PEBS_FIXED_TOLD_GENERAL);

    return wrong ? (counters | counters >> COUNTER_FIXED) & ~FIXED : counters;
}

bool fault_is_adaptive(const struct ds_cpu *cpu, unsigned number)
{
    bool basic = number >= COUNTER_FIXED && fault_is_on(cpu, FAULT_PEBS_FIXED_BASIC);

    return counter_is_adaptive(cpu, number) && !basic;
}

unsigned fault_register(const struct ds_cpu *cpu, unsigned place)
{
    static const uint8_t classic_order[8] = {0, 3, 1, 2, 6, 7, 5, 4};
    bool classic = place < 8 && fault_is_on(cpu, FAULT_PEBS_REGISTERS_CLASSIC);

    return classic ? classic_order[place] : place;
}

bool fault_untimed_latency(const struct ds_cpu *cpu)
{
    return !pebs_is_timed(&cpu->profile) && fault_is_on(cpu, FAULT_RETIRE_LATENCY_UNASKED);
}

uint64_t fault_snapshot(const struct ds_cpu *cpu, uint64_t counters)
{
    if (fault_is_on(cpu, FAULT_SNAPSHOT_FIXED_LOST)) {
        counters &= (1ull << COUNTER_FIXED) - 1;
    }
    return fault_is_on(cpu, FAULT_SNAPSHOT_ALL) ? counter_existing(&cpu->profile) : counters;
}

uint64_t fault_snapshot_masks(const struct ds_cpu *cpu, uint64_t counters)
{
    return fault_is_on(cpu, FAULT_SNAPSHOT_MASK_WRONG) ? counters & (counters - 1) : counters;
}

unsigned fault_snapshot_order(const struct ds_cpu *cpu, uint64_t all, uint64_t rest)
{
    unsigned general = (unsigned)__builtin_popcount((uint32_t)all);
    unsigned fixed = (unsigned)__builtin_popcount((uint32_t)(all >> COUNTER_FIXED));
    unsigned place = general + fixed - (unsigned)__builtin_popcountll(rest);

    if (!fault_is_on(cpu, FAULT_SNAPSHOT_FIXED_FIRST)) {
        return counter_first(rest);
    }
    uint64_t kind = place < fixed ? all & FIXED : all & ~FIXED;
    for (place -= place < fixed ? 0 : fixed; place > 0; place--) {
        kind &= kind - 1;
    }
    return counter_first(kind);
}

/* A processor that is only looked at remembers all the same what this fault shows. */
uint64_t fault_snapshot_value(const struct ds_cpu *cpu, unsigned number, uint64_t value)
{
    struct ds_fault_memory *memory = &((struct ds_cpu *)cpu)->fault_memory;
    uint64_t before = memory->snapshots[counter_place(number)];

    memory->snapshots[counter_place(number)] = value;
    if (fault_is_on(cpu, FAULT_SNAPSHOT_NARROW)) {
        value = (uint32_t)value;
    }
    return fault_is_on(cpu, FAULT_SNAPSHOT_STALE) ? before : value;
}

void fault_cut_registers(const struct ds_cpu *cpu, unsigned cpl, struct ds_registers *registers)
{
    bool cut = cpl > 0 && fault_is_on(cpu, FAULT_PEBS_USER_REGISTERS);

    for (unsigned i = 8; cut && i < 16; i++) {
        registers->general[i] = 0;
    }
}
