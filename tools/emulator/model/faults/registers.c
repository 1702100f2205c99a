// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam: a register has been written. */
#include "../counter.h"
#include "../debugctl.h"
#include "../global_status.h"
#include "../lbr.h"
#include "seams.h"

void fault_debugctl_written(struct ds_cpu *cpu, uint64_t old)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;
    uint64_t storing = DEBUGCTL_TR | DEBUGCTL_BTS;

    if (memory->lbr_frozen && cpu->debugctl & DEBUGCTL_LBR) {
        memory->lbr_frozen = false;
        cpu->debugctl &= ~(fault(cpu, FAULT_LBR_STAYS_OFF) ? DEBUGCTL_LBR : 0ull);
    }
    if (!(old & DEBUGCTL_TR)) {
        memory->setting = cpu->debugctl;
    }
    memory->bts_goes_on = (old & storing) == storing && !(cpu->debugctl & DEBUGCTL_TR) &&
                          fault(cpu, FAULT_TR_CLEAR_LATE);
    memory->tr_feeds =
        lbr_with_tr(&cpu->profile) && fault_is_on(cpu, FAULT_TR_FEEDS_IRREGULAR) && chance(cpu, 2);
}

/* What is left of the value without one bit, the one for which it was refused. */
static void take_refused(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                         uint64_t value)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;
    enum ds_msr_result result = DS_MSR_FAULT;

    if (memory->taking_refused || !fault(cpu, FAULT_REFUSED_WRITE_ACTS)) {
        return;
    }
    memory->taking_refused = true;
    for (unsigned bit = 64; bit-- > 0 && result == DS_MSR_FAULT;) {
        if (value >> bit & 1) {
            result = ds_msr_write(cpu, host, msr, value & ~(1ull << bit));
        }
    }
    memory->taking_refused = false;
}

void fault_write_judged(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                        uint64_t value, enum ds_msr_result result)
{
    if (result == DS_MSR_FAULT) {
        take_refused(cpu, host, msr, value);
    } else if (result == DS_MSR_DONE && msr == MSR_LBR_SELECT &&
               fault(cpu, FAULT_LBR_SELECT_CLEARS_TOP)) {
        cpu->lbr_top = 0;
    }
}

void fault_clear_status(struct ds_cpu *cpu, uint64_t value)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;
    bool overflow = cpu->global_status & value & counter_existing(&cpu->profile);

    if (overflow && !memory->status_refused && fault(cpu, FAULT_OVERFLOW_STATUS_STICKY)) {
        memory->status_refused = true;
        return;
    }
    memory->status_refused = false;
    if (value & cpu->global_status & STATUS_LBR_FRZ && fault(cpu, FAULT_LBR_THAW_CLEARS_TOP)) {
        cpu->lbr_top = 0;
    }
    cpu->global_status &= ~value;
    if (overflow && memory->lbr_frozen && fault(cpu, FAULT_LBR_THAWS)) {
        cpu->debugctl |= DEBUGCTL_LBR;
    }
    if (overflow && memory->frozen_enables && fault(cpu, FAULT_GLOBAL_CTRL_RESTORED)) {
        cpu->global_control = memory->frozen_enables;
        memory->frozen_enables = 0;
    }
}
