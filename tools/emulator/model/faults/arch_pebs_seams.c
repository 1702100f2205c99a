// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam of architectural PEBS: whether and where a record goes, its header, and its effects. */
#include "../arch_pebs.h"
#include "../counter.h"
#include "../global_status.h"
#include "seams.h"

#define FIXED        (~0ull << COUNTER_FIXED)
#define FIXED_OTHERS (FIXED << 1)
#define EXTENDED     0xffffff00ull /* counters that the older numbers do not reach */
#define GROUPS       (~0ull << 35 & ~(1ull << 63))
#define UNIT         16

uint32_t fault_apebs_reload(const struct ds_cpu *cpu, unsigned number, uint64_t config)
{
    unsigned place = counter_place(number);

    if (fault_is_on(cpu, FAULT_APEBS_RELOAD_NEIGHBOUR)) {
        config = cpu->config_c[place ? place - 1 : 1];
    }
    return (uint32_t)config;
}

/* By whose record it is: of which counters, in which ring. */
static bool loses(const struct ds_cpu *cpu, const struct pebs_event *event)
{
    uint64_t counters = event->counters;

    return (counters & FIXED && fault(cpu, FAULT_APEBS_FIXED_LOST)) ||
           (!(counters & ~FIXED_OTHERS) && fault(cpu, FAULT_APEBS_FIXED_OTHERS_LOST)) ||
           (counters & EXTENDED && fault(cpu, FAULT_APEBS_EXTENDED_LOST)) ||
           (event->instruction->cpl == 3 && fault(cpu, FAULT_APEBS_RING_3_LOST));
}

bool fault_apebs_drops(struct ds_cpu *cpu, bool off, bool full, const struct pebs_event *event)
{
    return (off && !fault(cpu, FAULT_APEBS_EN_IGNORED)) ||
           (full && !fault(cpu, FAULT_APEBS_FULL_IGNORED)) || fault(cpu, FAULT_APEBS_RECORD_LOST) ||
           loses(cpu, event);
}

bool fault_apebs_write(struct ds_cpu *cpu, const struct ds_host *host, uint64_t address,
                       const void *record, size_t size)
{
    if (fault_is_on(cpu, FAULT_APEBS_BASE_LINEAR)) {
        return host->write(host->opaque, address, record, size);
    }
    address += fault(cpu, FAULT_APEBS_BASE_OFFSET) ? UNIT : 0;
    return host->write_physical(host->opaque, address, record, size);
}

size_t fault_apebs_advance(struct ds_cpu *cpu, size_t size)
{
    size += fault(cpu, FAULT_APEBS_WR_LONG) ? UNIT : 0;
    return fault(cpu, FAULT_APEBS_WR_STUCK) ? 0 : size;
}

bool fault_apebs_reaches(const struct ds_cpu *cpu, uint64_t at, uint64_t threshold)
{
    if (fault(cpu, FAULT_APEBS_THRESHOLD_LOST)) {
        return false;
    }
    if (fault_is_on(cpu, FAULT_APEBS_THRESHOLD_MATCH)) {
        return at == threshold;
    }
    return fault(cpu, FAULT_APEBS_THRESHOLD_LATE) ? at > threshold : at >= threshold;
}

uint64_t fault_apebs_status(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_APEBS_STATUS_MISSING)) {
        return 0;
    }
    return fault_is_on(cpu, FAULT_APEBS_STATUS_OVFBUF) ? STATUS_OVFBUF : STATUS_ARCH_PEBS;
}

uint64_t fault_apebs_told(const struct ds_cpu *cpu, uint64_t counters)
{
    bool wrong = fault_is_on(cpu, FAULT_APEBS_FIXED_TOLD_GENERAL);

    return wrong ? (counters | counters >> COUNTER_FIXED) & ~FIXED : counters;
}

uint64_t fault_apebs_header(const struct ds_cpu *cpu, uint64_t header)
{
    if (fault_is_on(cpu, FAULT_APEBS_GROUPS_UNTOLD)) {
        header &= ~GROUPS;
    }
    return header;
}
