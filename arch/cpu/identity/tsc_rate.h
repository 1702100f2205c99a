/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The TSC: its rate as CPUID.15H and CPUID.16H tell it, and how far two are apart. Pure. */
#ifndef ARCH_CPU_IDENTITY_TSC_RATE_H
#define ARCH_CPU_IDENTITY_TSC_RATE_H

#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/insn.h"

/*
 * In Hz, or 0 when the leaves do not tell. A leaf that does not exist is given as zeros. 15H is the
 * ratio of the TSC to a crystal, whose rate some models leave out; 16H, the base frequency in MHz,
 * is what the TSC has but for some parts in a thousand.
 */
uint64_t tsc_rate(const struct cpu_identity *identity, struct cpuid_result leaf15,
                  struct cpuid_result leaf16);

/* The same of this processor, once features_probe() was called. */
uint64_t tsc_rate_of_this(void);

/*
 * How many ticks another processor's TSC is ahead of ours (F14.17), at least; negative: behind. It
 * read there some time between our before and our after; 0: both may be alike.
 */
int64_t tsc_ahead(uint64_t before, uint64_t there, uint64_t after);

#endif
