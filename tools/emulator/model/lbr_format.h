// SPDX-License-Identifier: GPL-2.0-or-later
/* Layouts of an LBR entry in its registers, by IA32_PERF_CAPABILITIES[5:0] (F8.10-F8.15). */
#ifndef LBR_FORMAT_H
#define LBR_FORMAT_H

#include "debug_store.h"
#include "lbr.h"

/* Makes an entry; cycles: core cycles since the previous entry. Without PDCM the registers hold
 * only addresses, of 64 bits. */
struct lbr_entry lbr_format_entry(const struct ds_cpu *cpu, uint64_t from, uint64_t to,
                                  bool mispredicted, uint64_t cycles);

/* Does the format keep flags and cycles in MSR_LBR_INFO_x? */
bool lbr_format_has_info(const struct ds_cpu *cpu);

/* How many top bits of FROM, and of TO, are flags instead of address. */
unsigned lbr_format_from_flags(const struct ds_cpu *cpu);
unsigned lbr_format_to_flags(const struct ds_cpu *cpu);

/* Does the format hold linear addresses (F8.10)? */
bool lbr_format_is_linear(const struct ds_cpu *cpu);

#endif
