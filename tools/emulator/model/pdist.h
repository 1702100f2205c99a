// SPDX-License-Identifier: GPL-2.0-or-later
/* Precise distribution (PDist): the record is of the instruction that overflows the counter
 * (F22.19). */
#ifndef PDIST_H
#define PDIST_H

#include "debug_store.h"

/*
 * wrapped: PEBS counters that just wrapped. Returns those whose record is of the instruction that
 * made them wrap. The others are armed, and their next event makes the record (F3.62).
 */
uint64_t pdist_counters(const struct ds_cpu *cpu, uint64_t wrapped);

#endif
