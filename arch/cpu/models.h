/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only the model tells, by CPUID.01H: no leaf enumerates it. */
#ifndef ARCH_CPU_MODELS_H
#define ARCH_CPU_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of Intel's family 6, with one of these model numbers? */
bool model_is_one_of(const uint8_t *models, size_t count);

/* A branch after a change of frequency has a wrong FROM: Nehalem to Ivy Bridge, but for its servers
 * (F4.15). */
bool model_minds_frequency(void);

/* The big cores from Nehalem to Comet Lake, which have four counters that sample, and their load
 * latencies. */
bool model_samples_latencies(void);

/* Nehalem and Westmere, whose counters count wrongly until they are flushed (F25.1). */
bool model_is_nehalem_or_westmere(void);

/* From Nehalem to Broadwell 391H is a register of the uncore's counters, which is not ours to
 * write. */
bool model_has_uncore_at_status_set(void);

/* The register, among those set aside for counters, is one that nobody has described: Core 2 and
 * Bonnell have such a one (F6.52). */
bool model_has_undocumented(uint32_t number);

/* A far transfer may count as two instructions and branches: the Atoms from Silvermont on, and such
 * cores of hybrids, the one that asks (F21.32). */
bool model_overcounts_far(void);

/* Some of the core's line have RTM, or a control that hides it: Haswell to Rocket Lake, their
 * servers, and those of Sapphire Rapids to Granite Rapids (F21.19). */
bool model_has_rtm(void);

/* Eight counters of a core, four of each of its threads: Sandy Bridge to Comet Lake (F1.14). */
bool model_shares_counters(void);

/* Golden Cove, where PEBS is made for instructions retired (C0H/00H) on PMC1 to PMC7 and fixed 0
 * but not on PMC0 (F22.22); the small cores of the same processors have no such limit. */
bool model_samples_no_instructions_on_pmc0(void);

#endif
