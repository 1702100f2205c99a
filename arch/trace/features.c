/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/features.h"

#include "arch/cpu/ground/percpu.h"
#include "arch/trace/features_found.h"

static struct findings all[PROCESSORS_MAX];

struct findings *trace_findings(void)
{
    return &all[features_slot()];
}

struct trace_features *trace_features(void)
{
    return &trace_findings()->features;
}
