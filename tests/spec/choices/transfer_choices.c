/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/transfer_choices.h"

#include "arch/trace/debugctl.h"
#include "tests/spec/mode.h"

#define OFF_BITS ((uint64_t)(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR))

static enum choice_off_bit off_bit_of(uint64_t debugctl)
{
    if (debugctl & DEBUGCTL_BTS_OFF_OS)
        return CHOICE_OFF_OS;
    return debugctl & DEBUGCTL_BTS_OFF_USR ? CHOICE_OFF_USR : CHOICE_OFF_NEITHER;
}

/* Returns lead from ring 0 to another, all other kinds that change ring to ring 0. */
static bool leaves_ring_0(uint32_t kind)
{
    return kind == TRANSFER_IRET || kind == TRANSFER_SYSRET || kind == TRANSFER_SYSEXIT ||
           kind == TRANSFER_FAR_RET;
}

/* Whether the CPL before the transfer is the one that the OFF bit lets pass. */
static bool old_ring_passes(uint64_t debugctl, uint32_t kind)
{
    return leaves_ring_0(kind) == (off_bit_of(debugctl) == CHOICE_OFF_USR);
}

/* Where no OFF bit decides nothing but a debug exception is open. */
static bool is_about_debug(uint64_t debugctl, const struct transfer *transfer)
{
    return !(debugctl & OFF_BITS) || !transfer_crosses(transfer);
}

static enum choice_value stored_choice(uint64_t debugctl, const struct transfer *transfer)
{
    unsigned off_bit = off_bit_of(debugctl);
    enum choice_value value;

    if (transfer->kind == TRANSFER_ABORT)
        return choice_of(CHOICE_FORCED_ABORT);
    if (is_about_debug(debugctl, transfer))
        return choice_of(CHOICE_DEBUG_STORED, off_bit, transfer->kind);
    value = choice_of(CHOICE_CROSSING, off_bit, transfer->kind);
    if (value == VALUE_UNKNOWN)
        return VALUE_UNKNOWN;
    return (value == VALUE_OLD) == old_ring_passes(debugctl, transfer->kind) ? VALUE_YES : VALUE_NO;
}

enum maybe is_stored(uint64_t debugctl, const struct transfer *transfer)
{
    enum maybe by_table = mode_judge(debugctl, transfer);
    enum choice_value value;

    if (by_table != MAYBE)
        return by_table;
    value = stored_choice(debugctl, transfer);
    return value == VALUE_UNKNOWN ? MAYBE : value == VALUE_YES ? YES : NO;
}

bool may_be_filtered(uint64_t select, bool is_frozen)
{
    return (select && choice_of(CHOICE_SELECT_FILTERS_BTS) != VALUE_NO) ||
           (is_frozen && choice_of(CHOICE_FREEZE_STOPS_BTS) != VALUE_NO);
}

/* One that this processor stores in no mode tells nothing of the CPL that decides where it is
 * absent. */
static bool tells_of_crossing(const struct transfer *transfer, bool stored)
{
    return stored || !transfer_is(transfer->kind, TRANSFER_IS_DEBUG) ||
           choice_of(CHOICE_DEBUG_STORED, CHOICE_OFF_NEITHER, transfer->kind) == VALUE_YES;
}

void is_stored_learn(struct test_context *t, uint64_t debugctl, const struct transfer *transfer,
                     bool stored)
{
    unsigned off_bit = off_bit_of(debugctl);
    bool old = old_ring_passes(debugctl, transfer->kind) == stored;

    if (transfer->kind == TRANSFER_ABORT)
        choice_learn(t, CHOICE_FORCED_ABORT, stored ? VALUE_YES : VALUE_NO);
    else if (is_about_debug(debugctl, transfer))
        choice_learn(t, CHOICE_DEBUG_STORED, stored ? VALUE_YES : VALUE_NO, off_bit,
                     transfer->kind);
    else if (tells_of_crossing(transfer, stored))
        choice_learn(t, CHOICE_CROSSING, old ? VALUE_OLD : VALUE_NEW, off_bit, transfer->kind);
}

enum choice_value from_choice(enum choice choice, uint32_t kind)
{
    bool follows_int = kind == TRANSFER_INT3 || kind == TRANSFER_INTO;

    if (follows_int && choice_of(choice, TRANSFER_INT) == VALUE_INSTRUCTION)
        return VALUE_INSTRUCTION;
    return choice_of(choice, kind);
}
