/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The features of the one processor that a host program has, as it makes them up. */
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
