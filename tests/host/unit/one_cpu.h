/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stand-in: CPUID of the one processor of a host program, as the test makes it up. */
#ifndef ONE_CPU_H
#define ONE_CPU_H

#include "arch/cpu/identity/features.h"

unsigned features_slot(void)
{
    return 0;
}

struct cpu_features *cpu_features(void)
{
    static struct cpu_features own;

    return &own;
}

#endif
