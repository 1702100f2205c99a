// SPDX-License-Identifier: GPL-2.0-or-later
/* Freeze on PMI, legacy and streamlined (section 7 of the facts). */
#ifndef FREEZE_H
#define FREEZE_H

#include "debug_store.h"

/* A counter has overflowed that signals, or a PEBS index has reached its threshold (F7.4): what
 * IA32_DEBUGCTL bits 11 and 12 ask for happens at once (F7.6).
 */
void freeze_on_pmi(struct ds_cpu *cpu);

#endif
