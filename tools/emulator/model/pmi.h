// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carries the performance-monitoring interrupt from its causes to the local APIC.
 *
 * A cause freezes and sets its status at once. The request may be late: by records after a BTS
 * threshold (pmi-late), by instructions after a counter's overflow or a PEBS threshold (pmi-skid).
 * It is never lost, because the first branch without a record, any WRMSR and a halt end the delay.
 * Causes that come during the delay share the request. Every record stored at or above the BTS
 * threshold is a cause (F5.3); the masked LVT entry drops repeats.
 */
#ifndef PMI_H
#define PMI_H

#include "bts.h"
#include "not_lent.h"

/* Requests the interrupt, unless a hypervisor does not lend it. */
static inline void pmi_request(const struct ds_cpu *cpu, const struct ds_host *host)
{
    if (is_lent(cpu, DS_FACILITY_PMI)) {
        host->raise_pmi(host->opaque);
    }
}

/* A branch had this outcome. */
void pmi_after_branch(struct ds_cpu *cpu, const struct ds_host *host, enum bts_outcome outcome);

/* A counter that signals overflowed, or the PEBS index reached its threshold. The freeze is done
 * already. */
void pmi_after_overflow(struct ds_cpu *cpu, const struct ds_host *host);

/* An instruction retired. */
void pmi_after_instruction(struct ds_cpu *cpu, const struct ds_host *host);

/* Delivers a delayed request now. */
void pmi_flush(struct ds_cpu *cpu, const struct ds_host *host);

/* Drops a delayed request (RESET, INIT). */
void pmi_forget(struct ds_cpu *cpu);

#endif
