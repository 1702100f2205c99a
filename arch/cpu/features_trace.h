/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the feature table that no single bit tells: the LBR stack, which goes by family and
 * model, and PEBS records that this kernel can read. Used by features.c alone.
 */
#ifndef ARCH_CPU_FEATURES_TRACE_H
#define ARCH_CPU_FEATURES_TRACE_H

#include <stdbool.h>
#include "arch/cpu/features.h"
#include "arch/cpu/text.h"

/* Needs the other features and IA32_PERF_CAPABILITIES probed. Leaves every register as it was. */
void features_trace_probe(void);

/* Why it is missing; false when the reason is that FEATURE_PEBS is. */
bool features_trace_explain(struct text *text, enum feature feature);

#endif
