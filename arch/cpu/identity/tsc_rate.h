/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The TSC's rate by CPUID.15H and CPUID.16H, and how far two TSCs are apart. Pure. */
#ifndef ARCH_CPU_IDENTITY_TSC_RATE_H
#define ARCH_CPU_IDENTITY_TSC_RATE_H

#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"

/*
 * Rate in Hz, or 0 if the leaves do not tell. Pass zeros for a leaf that does not exist. 15H has
 * the ratio of the TSC to a crystal, whose rate some models omit. 16H has the base frequency in
 * MHz, which is the TSC's within a few parts in a thousand.
 */
uint64_t tsc_rate(const struct cpu_identity *identity, struct cpuid_result leaf15,
                  struct cpuid_result leaf16);

/* The same for this processor, with the leaves that it has. Needs features_probe(). */
uint64_t tsc_rate_of_this(void);

/*
 * Ticks by which another processor's TSC is at least ahead of ours (F14.17); negative if it is
 * behind; 0 if both may be equal. `before` and `after` are readings of ours, and `there` is what
 * the other processor read between them.
 */
int64_t tsc_ahead(uint64_t before, uint64_t there, uint64_t after);

#endif
