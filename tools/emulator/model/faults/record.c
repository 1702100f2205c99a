// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam: a branch record goes out. Faults lose some and falsify some. */
#include "../debugctl.h"
#include "seams.h"

#define NOT_CANONICAL_FIRST 0x0000800000000000ull /* with 48 bits: just above the lower half */
#define UPPER_BITS          0xffff000000000000ull

static const enum fault lost_by_kind[] = {
    [DS_BRANCH_CONDITIONAL] = FAULT_CONDITIONAL_LOST,
    [DS_BRANCH_JMP_RELATIVE] = FAULT_JMP_LOST,
    [DS_BRANCH_JMP_INDIRECT] = FAULT_JMP_LOST,
    [DS_BRANCH_CALL_RELATIVE] = FAULT_CALL_LOST,
    [DS_BRANCH_CALL_INDIRECT] = FAULT_CALL_LOST,
    [DS_BRANCH_RET] = FAULT_RET_LOST,
    [DS_BRANCH_FAR] = FAULT_FAR_LOST,
    [DS_BRANCH_SOFTWARE_INTERRUPT] = FAULT_INT_LOST,
    [DS_BRANCH_INTERRUPT] = FAULT_INTERRUPT_LOST,
    [DS_BRANCH_EXCEPTION] = FAULT_EXCEPTION_LOST,
    [DS_BRANCH_DEBUG_EXCEPTION] = FAULT_EXCEPTION_LOST,
};

static bool is_lost(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    return fault(cpu, FAULT_RECORD_LOST) || fault(cpu, lost_by_kind[branch->kind]) ||
           fault(cpu, branch->old_cpl > 0 ? FAULT_RING_3_NOT_STORED : FAULT_RING_0_NOT_STORED);
}

static bool is_stale(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool crosses = (branch->old_cpl == 0) != (branch->new_cpl == 0);
    bool filtered = cpu->debugctl & (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR);

    return fault(cpu, FAULT_FROM_REPEATED) ||
           (crosses && filtered && fault(cpu, FAULT_FROM_CROSSING_STALE));
}

static bool is_late(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    switch (branch->kind) {
    case DS_BRANCH_FAR:
        return fault(cpu, FAULT_FAR_FROM_LATE);
    case DS_BRANCH_SOFTWARE_INTERRUPT: /* INT3 has one byte, INT n has two */
        return branch->length == 1 && fault(cpu, FAULT_INT3_FROM_LATE);
    case DS_BRANCH_INTERRUPT:
    case DS_BRANCH_EXCEPTION:
        return fault(cpu, FAULT_EVENT_FROM_LATE);
    default:
        return false;
    }
}

uint64_t fault_record_from(const struct ds_cpu *cpu, uint64_t from)
{
    if (from >> 47 == NOT_CANONICAL_FIRST >> 47 && fault(cpu, FAULT_FROM_SIGN_EXTENDED)) {
        from |= UPPER_BITS;
    }
    return from;
}

/* Changes the record by every fault that is on. A stale FROM is that of the record before as it was
 * stored: two in a row have the same (ERRATA A2). */
static void tell(struct ds_cpu *cpu, struct ds_branch *record)
{
    record->from = fault_record_from(cpu, record->from);
    record->from += record->length && fault(cpu, FAULT_FROM_NEXT) ? record->length : 0;
    record->from += is_late(cpu, record);
    record->to += fault(cpu, FAULT_TO_LATE);
    if (is_stale(cpu, record) && cpu->fault_memory.stored_from) {
        record->from = cpu->fault_memory.stored_from;
    }
    cpu->fault_memory.stored_from = record->from;
    if (fault(cpu, FAULT_UPPER_HALF_LOST)) {
        record->from = (uint32_t)record->from;
        record->to = (uint32_t)record->to;
    }
    if (fault(cpu, FAULT_FROM_TO_EXCHANGED)) {
        fault_exchange(&record->from, &record->to);
    }
}

bool fault_record_out(struct ds_cpu *cpu, struct ds_branch *record)
{
    if (!faults_are_on(cpu)) {
        return false;
    }
    cpu->fault_memory.bts_goes_on = false;
    if (is_lost(cpu, record)) {
        return true;
    }
    tell(cpu, record);
    return false;
}
