// SPDX-License-Identifier: GPL-2.0-or-later
/* Freeze on PMI, legacy and streamlined (section 7 of the facts). */
#ifndef FREEZE_H
#define FREEZE_H

#include "debug_store.h"

/* A counter that signals overflowed, or the PEBS index reached its threshold (F7.4): freezes at
 * once what IA32_DEBUGCTL bits 11 and 12 select (F7.6). */
void freeze_on_pmi(struct ds_cpu *cpu);

#endif
