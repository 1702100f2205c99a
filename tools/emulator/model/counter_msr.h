// SPDX-License-Identifier: GPL-2.0-or-later
/* The counters' registers: values, event selects, fixed and global control, and status (F6.1). */
#ifndef COUNTER_MSR_H
#define COUNTER_MSR_H

#include "debug_store.h"

enum ds_msr_result counter_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result counter_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

/* Does the counter have registers on this processor, even if it is the other thread's (F1.14)?
 * number: COUNTER_FIXED + n for a fixed counter. */
bool counter_msr_has(const struct ds_cpu *cpu, unsigned number);

/* What a general-purpose counter reads as: 0 if microcode uses it. */
uint64_t counter_msr_general(const struct ds_cpu *cpu, unsigned number);

#endif
