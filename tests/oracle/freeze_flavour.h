/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the processor freezes: the legacy way clears LBR and the enable bits of the counters, the
 * streamlined way sets LBR_Frz and CTR_Frz.
 */
#ifndef TESTS_ORACLE_FREEZE_FLAVOUR_H
#define TESTS_ORACLE_FREEZE_FLAVOUR_H

#include <stdbool.h>
#include "arch/trace/pmi.h"
#include "kernel/report/test.h"
#include "tests/oracle/choices.h"

/* "legacy" for architectural performance monitoring versions 2 and 3, "streamlined" from 4 on
 * (F7.1). */
const char *freeze_flavour_name(void);
bool freeze_is_streamlined(void);

/* Of the LBR stack alone: VALUE_LEGACY or VALUE_STREAMLINED; VALUE_UNKNOWN on a Goldmont that has
 * not frozen yet (D 12). */
enum choice_value freeze_lbr_flavour(void);
bool freeze_lbr_is_streamlined(void);

/* Whether the manual says both of the LBR stack, that it freezes one way and the other (D 12). */
bool freeze_of_lbr_is_open(void);

/* Whether IA32_PERF_GLOBAL_STATUS_SET sets LBR_Frz (F7.9), by trying; it is clear afterwards. Needs
 * FEATURE_PERFMON4. */
bool freeze_of_lbr_can_be_set(void);

/* What IA32_DEBUGCTL holds after debugctl was written, as far as is known: both TR and
 * FREEZE_LBRS_ON_PMI, or that bit alone (F7.13). */
uint64_t freeze_written(uint64_t debugctl);

/* The same bits, but for FREEZE_LBRS_ON_PMI where that would take TR away. */
uint64_t freeze_beside_tr(uint64_t debugctl);

/* Learns that by trying. IA32_DEBUGCTL is clear afterwards. */
void freeze_learn_beside_tr(struct test_context *t);

/* The bits of debugctl that a legacy freeze of the LBR stack clears, or may (F7.2, F7.13). */
uint64_t freeze_may_clear(uint64_t debugctl);

/* What a legacy freeze of the LBR stack makes of debugctl, in which now is read behind it (F7.2,
 * F7.13). */
uint64_t freeze_leaves(struct test_context *t, uint64_t debugctl, uint64_t now);

/* After a counter's interrupt with bit 11 set, which freezes the stack one way or the other. */
void freeze_learn_lbr_flavour(struct test_context *t, const struct pmi_event *event);

#endif
