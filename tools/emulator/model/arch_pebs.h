// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Architectural PEBS (22d): records go to physical memory, each counter says what is to be in them,
 * and the DS area has nothing to do with it.
 */
#ifndef ARCH_PEBS_H
#define ARCH_PEBS_H

#include "pebs_groups.h"

/* What of the field arch-pebs-config this model can do (F21.10). */
#define ARCH_PEBS_CONFIG_KNOWN 0x60060378u

/* Whether IA32_PERF_CAPABILITIES tells format FH (F22.3). */
bool arch_pebs_exists(const struct ds_profile *profile);

/* The bits of CFG_C that this counter has for it, its reload value among them (F22.33). */
uint64_t arch_pebs_config_bits(const struct ds_profile *profile, unsigned number);

/* The counters whose overflow makes a record. */
uint64_t arch_pebs_counters(const struct ds_cpu *cpu);

/* What the counter restarts from. */
uint64_t arch_pebs_reset_value(const struct ds_cpu *cpu, unsigned number);

/* Stores one record for the counters given, and reloads them. True when an interrupt is due. */
bool arch_pebs_assist(struct ds_cpu *cpu, const struct ds_host *host,
                      const struct pebs_event *event);

/* What INIT does to its registers. */
void arch_pebs_init(struct ds_cpu *cpu);

enum ds_msr_result arch_pebs_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result arch_pebs_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
