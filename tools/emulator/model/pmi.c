// SPDX-License-Identifier: GPL-2.0-or-later
#include "pmi.h"

#include "area.h"
#include "debugctl.h"
#include "fault.h"
#include "freeze.h"
#include "global_status.h"

void pmi_forget(struct ds_cpu *cpu)
{
    cpu->pmi_on_its_way = false;
    cpu->pmi_records = 0;
    cpu->pmi_skidding = false;
    cpu->pmi_instructions = 0;
}

#define AGAIN_AFTER 5000 /* instructions: the routine that serves the first is over */

static void request(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (fault(cpu, FAULT_PMI_CLEARS_DS_AREA)) {
        area_set(cpu, 0);
    }
    if (fault(cpu, FAULT_PMI_CLEARS_BTS)) {
        cpu->debugctl &= ~(uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS);
    }
    if (host->raise_neighbours_pmi && fault(cpu, FAULT_PMI_TO_NEIGHBOUR)) {
        host->raise_neighbours_pmi(host->opaque);
    } else {
        host->raise_pmi(host->opaque);
    }
}

bool ds_redirects_pmi(const struct ds_cpu *cpu)
{
    return fault_is_on(cpu, FAULT_LVT_REWRITE_REDIRECTS);
}

void pmi_flush(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (cpu->pmi_on_its_way || cpu->pmi_skidding) {
        pmi_forget(cpu);
        request(cpu, host);
    }
}

/* What a BTS threshold does besides its interrupt; the sources disagree (D1, D15). */
static void bts_cause(struct ds_cpu *cpu)
{
    bool skipped = fault_is_on(cpu, FAULT_BTS_FREEZE_IRREGULAR) && fault_chance(cpu, 2);

    if (!cpu->variation.bts_no_freeze && !skipped) {
        freeze_on_pmi(cpu);
    }
    if (cpu->variation.bts_ovfbuf) {
        cpu->global_status |= STATUS_OVFBUF;
    }
}

void pmi_after_branch(struct ds_cpu *cpu, const struct ds_host *host, enum bts_outcome outcome)
{
    if (outcome == BTS_STORED_THRESHOLD) {
        bts_cause(cpu);
        outcome = fault(cpu, FAULT_BTS_PMI_LOST) ? BTS_STORED : outcome;
    }
    if (cpu->pmi_on_its_way) {
        cpu->pmi_records--;
    } else if (outcome == BTS_STORED_THRESHOLD) {
        cpu->pmi_on_its_way = true;
        cpu->pmi_records = cpu->variation.pmi_late;
    }
    if (cpu->pmi_on_its_way && (cpu->pmi_records == 0 || outcome == BTS_NOT_SELECTED)) {
        pmi_flush(cpu, host);
    }
}

void pmi_after_overflow(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (fault(cpu, FAULT_OVERFLOW_PMI_TWICE)) {
        cpu->fault_memory.pmi_again = AGAIN_AFTER;
    }
    if (!cpu->pmi_skidding) {
        cpu->pmi_skidding = true;
        cpu->pmi_instructions = cpu->variation.pmi_skid;
    }
    if (cpu->pmi_instructions == 0) {
        pmi_flush(cpu, host);
    }
}

void pmi_after_instruction(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (cpu->pmi_skidding && --cpu->pmi_instructions == 0) {
        pmi_flush(cpu, host);
    }
    if (cpu->fault_memory.pmi_again && --cpu->fault_memory.pmi_again == 0) {
        request(cpu, host);
    }
}
