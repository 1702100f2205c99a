// SPDX-License-Identifier: GPL-2.0-or-later
/* Freeze on PMI, legacy and streamlined (section 7 of the facts). */
#ifndef FREEZE_H
#define FREEZE_H

#include "debug_store.h"

/* A trigger's condition is met: what IA32_DEBUGCTL bits 11 and 12 ask for happens at once (F7.6).
 */
void freeze_on_pmi(struct ds_cpu *cpu);

/*
 * Whether this is a trigger (F7.4): these counters have overflowed, those of them signal a PMI, or
 * the PEBS index has reached its threshold by a record of these.
 */
bool freeze_is_triggered(struct ds_cpu *cpu, uint64_t overflowed, uint64_t signalling,
                         uint64_t pebs);

/* Whether a trigger at this CPL does nothing all the same: by a fault only. */
bool freeze_is_missed(struct ds_cpu *cpu, const struct ds_host *host, unsigned cpl);

/* A PEBS counter has overflowed: nothing freezes yet. */
void freeze_after_arming(struct ds_cpu *cpu);

/* An interrupt is being delivered, nothing of it is recorded yet; the freeze came long before. */
void freeze_at_delivery(struct ds_cpu *cpu);

/* An interrupt has been taken. */
void freeze_when_taken(struct ds_cpu *cpu);

#endif
