/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the model tells of the counters, by CPUID.01H: no leaf enumerates it. */
#ifndef ARCH_TRACE_MODELS_H
#define ARCH_TRACE_MODELS_H

#include <stdbool.h>

/* Nehalem and Westmere, whose counters count wrongly until they are flushed (F25.1). */
bool model_is_nehalem_or_westmere(void);

/* From Nehalem to Broadwell 391H is a register of the uncore's counters, which is not ours to
 * write. */
bool model_has_uncore_at_status_set(void);

/* Some of the model have RTM: Haswell to Ice Lake and their servers (F21.19). */
bool model_has_rtm(void);

/* Eight counters of a core, four of each of its threads: Sandy Bridge to Comet Lake (F1.14). */
bool model_shares_counters(void);

#endif
