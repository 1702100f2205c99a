// SPDX-License-Identifier: GPL-2.0-or-later
#include "pmi.h"

#include "freeze.h"
#include "global_status.h"

void pmi_forget(struct ds_cpu *cpu)
{
    cpu->pmi_on_its_way = false;
    cpu->pmi_records = 0;
    cpu->pmi_skidding = false;
    cpu->pmi_instructions = 0;
}

void pmi_flush(struct ds_cpu *cpu, const struct ds_host *host)
{
    if (cpu->pmi_on_its_way || cpu->pmi_skidding) {
        pmi_forget(cpu);
        pmi_request(cpu, host);
    }
}

/* Other effects of a BTS threshold; the sources disagree (D1, D15). */
static void bts_cause(struct ds_cpu *cpu)
{
    if (!cpu->variation.bts_no_freeze) {
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
}
