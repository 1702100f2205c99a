/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The choices about single transfers, in the form that comparisons need. */
#ifndef TESTS_SPEC_CHOICES_TRANSFER_CHOICES_H
#define TESTS_SPEC_CHOICES_TRANSFER_CHOICES_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/maybe.h"
#include "tests/workloads/workload.h"

/*
 * Does this setting of IA32_DEBUGCTL store the transfer? Table 17-6 says it, or a choice: of a
 * change of ring with one OFF bit set (F4.33), of a debug exception (F4.7) and, on a processor that
 * aborts all transactions, of such an abort (F25.30). MAYBE until that is learnt.
 */
enum maybe is_stored(uint64_t debugctl, const struct transfer *transfer);
void is_stored_learn(struct test_context *t, uint64_t debugctl, const struct transfer *transfer,
                     bool stored);

/* What may keep records away besides Table 17-6, unless it was seen not to: MSR_LBR_SELECT, of
 * which `select` is the value, and LBR_Frz (F8.20, F7.2). */
bool may_be_filtered(uint64_t select, bool is_frozen);

/*
 * What FROM holds for a kind that has two readings (from_next of struct transfer). `choice` is
 * CHOICE_FROM or CHOICE_LBR_FROM. INT3 and INTO hold the instruction's address if INT n does. INT n
 * in real-address mode, which uses no gate, is a kind of its own.
 */
enum choice_value from_choice(enum choice choice, uint32_t kind);

/* The same for one transfer, which has a second reading or none. */
static inline enum choice_value from_reading(enum choice choice, const struct transfer *transfer)
{
    return transfer->from_next ? from_choice(choice, transfer->kind) : VALUE_INSTRUCTION;
}

#endif
