// SPDX-License-Identifier: GPL-2.0-or-later
/* How an LBR entry is laid out in its registers: IA32_PERF_CAPABILITIES[5:0] (F8.10-F8.15). */
#ifndef LBR_FORMAT_H
#define LBR_FORMAT_H

#include "debug_store.h"
#include "lbr.h"

/* cycles: since the previous entry. Without PDCM the addresses stand alone, all 64 bits of them. */
struct lbr_entry lbr_format_entry(const struct ds_cpu *cpu, uint64_t from, uint64_t to,
                                  bool mispredicted, uint64_t cycles);

/* Whether the format keeps flags and cycles in MSR_LBR_INFO_x. */
bool lbr_format_has_info(const struct ds_cpu *cpu);

/* How many of the top bits are flags, and not part of the address: of FROM and of TO. */
unsigned lbr_format_from_flags(const struct ds_cpu *cpu);
unsigned lbr_format_to_flags(const struct ds_cpu *cpu);

/* Whether it is one of those that hold linear addresses (F8.10). */
bool lbr_format_is_linear(const struct ds_cpu *cpu);

#endif
