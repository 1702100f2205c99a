// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The way of the performance-monitoring interrupt from its causes to the local APIC.
 *
 * A cause acts at once: it freezes what is to be frozen and marks its status. The request itself
 * may be late: by records after a BTS threshold (pmi-late), by instructions after a counter's
 * overflow or a PEBS threshold (pmi-skid). It is never lost: the first branch that makes no record,
 * any WRMSR and a halt end the wait. One request stands for all causes that it finds on its way.
 * Every record stored at or above the BTS threshold is a cause (F5.3); the masked LVT swallows
 * repeats.
 */
#ifndef PMI_H
#define PMI_H

#include "bts.h"
#include "not_lent.h"

/* The request itself; an interrupt that is not lent never comes. */
static inline void pmi_request(const struct ds_cpu *cpu, const struct ds_host *host)
{
    if (is_lent(cpu, DS_FACILITY_PMI)) {
        host->raise_pmi(host->opaque);
    }
}

/* A branch has gone by with this outcome. */
void pmi_after_branch(struct ds_cpu *cpu, const struct ds_host *host, enum bts_outcome outcome);

/* A counter has overflowed and signals, or the PEBS index has reached its threshold. What it
 * freezes is frozen already. */
void pmi_after_overflow(struct ds_cpu *cpu, const struct ds_host *host);

/* An instruction has retired. */
void pmi_after_instruction(struct ds_cpu *cpu, const struct ds_host *host);

/* Whatever is on its way arrives now. */
void pmi_flush(struct ds_cpu *cpu, const struct ds_host *host);

/* Whatever is on its way is forgotten (RESET, INIT). */
void pmi_forget(struct ds_cpu *cpu);

#endif
