// SPDX-License-Identifier: GPL-2.0-or-later
/* Precise distribution (PDist): records of the very instruction that overflows a counter (F22.19).
 */
#ifndef PDIST_H
#define PDIST_H

#include "debug_store.h"

/*
 * Those of these PEBS counters, which have wrapped just now, whose record is of the instruction
 * that did it. The others are armed by it, and their next event makes the record (F3.62).
 */
uint64_t pdist_counters(const struct ds_cpu *cpu, uint64_t wrapped);

#endif
