/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stand-in: features of the one processor of a host program, as the test makes them up. */
#ifndef ONE_PROCESSOR_H
#define ONE_PROCESSOR_H

#include "arch/trace/features.h"
#include "one_cpu.h"

struct trace_features *trace_features(void)
{
    static struct trace_features own;

    return &own;
}

#endif
