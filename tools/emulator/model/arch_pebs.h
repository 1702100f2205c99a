// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Architectural PEBS (section 22d of the facts): records go to physical memory, each counter
 * selects their contents, and the DS area is not used.
 */
#ifndef ARCH_PEBS_H
#define ARCH_PEBS_H

#include "pebs_groups.h"

/* Bits of the field arch-pebs-config that this model implements (F21.10). */
#define ARCH_PEBS_CONFIG_KNOWN 0x60060378u

/* Does IA32_PERF_CAPABILITIES enumerate format FH (F22.3)? */
bool arch_pebs_exists(const struct ds_profile *profile);

/* The bits of this counter's CFG_C that belong to PEBS, with the reload value (F22.33). */
uint64_t arch_pebs_config_bits(const struct ds_profile *profile, unsigned number);

/* The counters, as bits, whose overflow makes a record. */
uint64_t arch_pebs_counters(const struct ds_cpu *cpu);

/* The value that the counter restarts from. */
uint64_t arch_pebs_reset_value(const struct ds_cpu *cpu, unsigned number);

/* Stores one record for the event's counters and reloads them. True if an interrupt is due. */
bool arch_pebs_assist(struct ds_cpu *cpu, const struct ds_host *host,
                      const struct pebs_event *event);

/* Effect of INIT on the registers of architectural PEBS. */
void arch_pebs_init(struct ds_cpu *cpu);

enum ds_msr_result arch_pebs_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result arch_pebs_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
