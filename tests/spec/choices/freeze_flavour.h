/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the processor freezes: the legacy way clears LBR and the enable bits of the counters, the
 * streamlined way sets LBR_Frz and CTR_Frz.
 */
#ifndef TESTS_SPEC_CHOICES_FREEZE_FLAVOUR_H
#define TESTS_SPEC_CHOICES_FREEZE_FLAVOUR_H

#include <stdbool.h>
#include "arch/trace/pmi.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"

/* From architectural performance monitoring version 4 on; versions 2 and 3 are the legacy way
 * (F7.1). */
bool freeze_is_streamlined(void);

/* How the LBR stack freezes: VALUE_LEGACY or VALUE_STREAMLINED, or VALUE_UNKNOWN on a Goldmont
 * whose stack has not frozen yet (D 12). */
enum choice_value freeze_lbr_flavour(void);
bool freeze_lbr_is_streamlined(void);

/* Does the manual contradict itself on how this processor's LBR stack freezes (D 12)? */
bool freeze_of_lbr_is_open(void);

/* Does IA32_PERF_GLOBAL_STATUS_SET set LBR_Frz (F7.9)? Tries it, and clears LBR_Frz again. Needs
 * FEATURE_PERFMON4. */
bool freeze_of_lbr_can_be_set(void);

/* What IA32_DEBUGCTL holds after `debugctl` was written: FREEZE_LBRS_ON_PMI may clear TR on this
 * processor, as far as was learnt (F7.13). */
uint64_t freeze_written(uint64_t debugctl);

/* The bits of `debugctl`, without FREEZE_LBRS_ON_PMI if that would clear TR when written. */
uint64_t freeze_beside_tr(uint64_t debugctl);

/* Learns by trying whether writing FREEZE_LBRS_ON_PMI clears TR. IA32_DEBUGCTL is 0 afterwards. */
void freeze_learn_beside_tr(struct test_context *t);

/* The bits that a legacy freeze of the LBR stack clears, or may, when IA32_DEBUGCTL is `debugctl`
 * (F7.2, F7.13). */
uint64_t freeze_may_clear(uint64_t debugctl);

/* What a legacy freeze of the LBR stack makes of `debugctl` (F7.2, F7.13). now: IA32_DEBUGCTL as
 * read after the freeze, to learn from. */
uint64_t freeze_leaves(struct test_context *t, uint64_t debugctl, uint64_t now);

/* Of the bits of `debugctl` that freeze on the interrupt, those of which it was learnt (VALUE_YES,
 * VALUE_NO), or not (VALUE_UNKNOWN), whether that of the BTS threshold is one (D 1). */
uint64_t freeze_by_bts(uint64_t debugctl, enum choice_value learnt);

/* Learns how the stack freezes from an interrupt that froze it. */
void freeze_learn_lbr_flavour(struct test_context *t, const struct pmi_event *event);

#endif
