/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running processor's last-branch-record stack, model-specific (F8.1 to F8.24) or architectural
 * (F20.9 to F20.27): reads it in time order, clears it, filters it. arch/trace/debugctl.h switches
 * recording on and off, for both kinds.
 *
 * The stack may be read while the processor records, in an interrupt routine too. The code that
 * reads the registers takes no branch, so the only branches of ours that can be recorded are the
 * calls that lead to that code.
 */
#ifndef ARCH_TRACE_LBR_H
#define ARCH_TRACE_LBR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/trace/lbr_format.h"

const struct lbr_stack *lbr_stack(void); /* NULL without FEATURE_LBR */
size_t lbr_depth(void);                  /* entries; 0 without FEATURE_LBR */

/* LBR_FORMAT_ARCHITECTURAL, or the enumerated format; LBR_FORMAT_EIP_FLAGS where
 * lbr_stack.misprediction corrects it; LBR_FORMAT_32 (addresses only) without
 * IA32_PERF_CAPABILITIES. */
enum lbr_format lbr_format(void);

/* MSR number of entry 0's INFO register; 0 if the format has none. */
uint32_t lbr_info_register(void);

/* Is it open whether FROM[63] is a flag? No text says so of Silvermont and Airmont, which enumerate
 * format 1 (F8.18). */
bool lbr_flag_is_open(void);

/* Decodes an entry, or the last-exception record, in this processor's format. */
struct lbr_entry lbr_decode_here(const struct lbr_raw *raw);

/* All registers of the stack, read at once. */
struct lbr_snapshot {
    uint64_t top_of_stack;             /* as read; architectural: 0, the newest is always entry 0 */
    struct lbr_raw raw[LBR_DEPTH_MAX]; /* lbr_slot() finds the newest */
};

/* All zero without FEATURE_LBR. */
void lbr_capture(struct lbr_snapshot *snapshot);

/* The branch-free part of lbr_capture() (lbr_registers.S). from, to, info: MSR numbers of entry 0;
 * top_of_stack: MSR number. to = from: an entry is one packed register. info = 0: there are no INFO
 * registers. Returns what the register top_of_stack holds. */
uint64_t lbr_capture_registers(struct lbr_raw *raw, uint32_t from, uint32_t to, uint32_t info,
                               uint32_t depth, uint32_t top_of_stack);

/* Index in snapshot->raw of the entry of this age. Age 0 is the newest (F8.3, F20.10). */
size_t lbr_slot(const struct lbr_snapshot *snapshot, size_t age);

/* Decodes a snapshot's entries, newest first (F8.2, F8.3). Returns their number, lbr_depth(). */
size_t lbr_entries_of(const struct lbr_snapshot *snapshot, struct lbr_entry *entries);

/* lbr_capture() and lbr_entries_of(); entries has room for LBR_DEPTH_MAX. */
size_t lbr_read(struct lbr_entry *entries);

/*
 * Zeroes the stack and, if writable, sets the top of stack to the last entry (F8.4); architectural
 * LBRs by a write of IA32_LBR_DEPTH (F20.17). LBR must be off. Returns whether all read so then.
 */
bool lbr_clear(void);

/* Writes the registers of entry `number`, below lbr_depth(). Returns the exception, if any (F8.4,
 * F8.5). */
struct exception lbr_write_entry(unsigned number, const struct lbr_raw *raw);

/* Set and read the filter in MSR_LBR_SELECT, or in IA32_LBR_CTL without changing LBREn. For either
 * register the filter is LBR_SELECT_… bits. lbr_select() returns the exception, if any. If the
 * processor has neither register, it does nothing, and lbr_selected() returns 0. */
struct exception lbr_select(uint64_t mask);
uint64_t lbr_selected(void);

/*
 * The last-exception record: the last branch before the last exception or interrupt (F8.30 to
 * F8.33).
 */

struct ler {
    uint64_t from, to; /* linear addresses; copies of bit 47 replace flags and cycles (F8.17) */
    uint64_t info;     /* defined bits of IA32_LER_INFO (F20.34); 0 without architectural LBRs */
};

/* Returns false and zeroes the record if a register cannot be read. Needs FEATURE_LER. */
bool ler_read(struct ler *record);

#endif
