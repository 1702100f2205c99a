/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last-branch-record stack of the running processor, of its model (F8.1 to F8.24) or
 * architectural (F20.9 to F20.27): read it in time order, clear it, filter it. Nothing here
 * switches recording on and off; arch/trace/debugctl.h does, for both kinds.
 *
 * Reading while the processor records is possible, in an interrupt routine too: the registers are
 * read by straight code, newest entries first in the result, and the only branches of the reader
 * that can be among them are the calls that led to it.
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

/* LBR_FORMAT_ARCHITECTURAL, or as enumerated; without IA32_PERF_CAPABILITIES, LBR_FORMAT_32:
 * nothing but addresses is known. */
enum lbr_format lbr_format(void);

/* MSR number of MSR_LBR_INFO_0; 0 when the format has none. */
uint32_t lbr_info_register(void);

/* Is it open here whether FROM[63] is a flag: Silvermont and Airmont where the format says plain
 * (F8.18)? */
bool lbr_flag_is_open(void);

/* Of the registers of one entry, or of the last-exception record, what they say here. */
struct lbr_entry lbr_decode_here(const struct lbr_raw *raw);

/* Every register of the stack, entry 0 first, in one go. */
struct lbr_snapshot {
    uint64_t top_of_stack; /* as read; architectural: 0, the newest is always entry 0 */
    struct lbr_raw raw[LBR_DEPTH_MAX];
};

/* All zero without FEATURE_LBR. */
void lbr_capture(struct lbr_snapshot *snapshot);

/* The straight code behind it (lbr_registers.S); to may be from, info may be 0: none. */
uint64_t lbr_capture_registers(struct lbr_raw *raw, uint32_t from, uint32_t to, uint32_t info,
                               uint32_t depth, uint32_t top_of_stack);

/* The entry of this age, 0 for the newest (F8.3, F20.10): its number among the registers. */
size_t lbr_slot(const struct lbr_snapshot *snapshot, size_t age);

/* Entries of a snapshot in time order, newest first (F8.2, F8.3). Returns how many: the depth. */
size_t lbr_entries_of(const struct lbr_snapshot *snapshot, struct lbr_entry *entries);

/* lbr_capture() and lbr_entries_of(); entries has room for LBR_DEPTH_MAX. */
size_t lbr_read(struct lbr_entry *entries);

/*
 * Zeroes every register of the stack and the top of stack, where they can be written (F8.4);
 * architectural: by a write of IA32_LBR_DEPTH (F20.17).
 * Returns whether all read as zero afterwards. LBR must be off.
 */
bool lbr_clear(void);

/* One entry's registers; the exception that came, if any (F8.4, F8.5). */
struct exception lbr_write_entry(unsigned number, const struct lbr_raw *raw);

/* What is left out, LBR_SELECT_…, from now on: MSR_LBR_SELECT, or IA32_LBR_CTL, whose LBREn stays.
 * No such register: EXCEPTION_NO_VECTOR, nothing done, and reads as 0. */
struct exception lbr_select(uint64_t mask);
uint64_t lbr_selected(void);

/*
 * The last-exception record: the last branch before the last exception or interrupt (F8.30 to
 * F8.33).
 */

struct ler {
    uint64_t from, to; /* linear addresses, as read but for flag bits (F8.17) */
    uint64_t info; /* where LBRs are architectural, what of it means something (F20.34); else 0 */
};

/* False, and the record all zero, when a register cannot be read. Needs FEATURE_LER. */
bool ler_read(struct ler *record);

#endif
