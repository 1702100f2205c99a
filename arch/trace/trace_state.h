/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracing state of one logical processor (ISR-4): DS save area, BTS buffer and PEBS buffer between
 * canary pages, which nothing may write, and the log of its interrupt service routine. The canary
 * pages are mapped, because a machine need not survive a DS store that faults (F3.37).
 */
#ifndef ARCH_TRACE_TRACE_STATE_H
#define ARCH_TRACE_TRACE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/ds.h"

/* Bytes of memory for the buffers, of which a layout uses a part. BTS has more than 2^16. */
#define BTS_BUFFER_BYTES  0x11000u
#define PEBS_BUFFER_BYTES 0x8000u

#define DS_POISON 0xa5u /* in every byte that the processor must not write */

struct pmi_log; /* arch/trace/pmi.h */

struct ds_memory { /* in section .ds: pages of their own, ring 0, no code */
    uint8_t canary_before[PAGE_SIZE];
    struct ds_management_area area;
    uint8_t area_rest[PAGE_SIZE - sizeof(struct ds_management_area)];
    uint8_t canary_between[PAGE_SIZE];
    uint8_t buffer[BTS_BUFFER_BYTES];
    uint8_t canary_after[PAGE_SIZE];
    uint8_t pebs_buffer[PEBS_BUFFER_BYTES];
    uint8_t canary_after_pebs[PAGE_SIZE];
};

_Static_assert(sizeof(struct ds_memory) % PAGE_SIZE == 0, "whole pages");

struct trace_state {
    struct ds_memory *memory;
    uint64_t moved_to;                /* page where the memory is mapped a second time; 0: none */
    bool is_below_too;                /* mapped 4 GiB below that page, too */
    struct ds_management_area *decoy; /* see trace_move_to(); NULL: none */
    struct ds_management_area area_as_built; /* as software wrote it, to find stray writes */
    size_t bts_base_offset;                  /* bytes, in the layout prepared last */
    bool bts_is_large;       /* the layout uses the large buffer of arch/trace/bts.c */
    size_t pebs_record_size; /* bytes, in the layout prepared last */
    struct pmi_log *pmi_log; /* NULL while no log is open */
    unsigned lbr_depth;      /* argument of lbr_arch_set_depth(); 0: the most */
    unsigned lbr_left_out;   /* argument of lbr_select() */
    bool pmi_was_nmi;        /* pmi_start() with NMI delivery since pmi_forget_nmis() */
    size_t unclaimed_nmis;   /* pmi_unclaimed_nmis() */
};

/* The running processor's state. Its first call poisons the memory, and writes no register. */
struct trace_state *trace_state(void);

/* Another processor's state, to read. memory is NULL before that processor calls trace_state(). */
const struct trace_state *trace_state_of(unsigned processor);

/*
 * Moves the running processor's save area and buffers to linear addresses equal to their physical
 * ones, until trace_move_back(). An SMI handler (F10.5), which runs without paging or with the
 * firmware's tables, then finds them at the same addresses; the processor must store nothing there.
 * Tracing must be off for either call, and the buffers must be prepared again after it. Returns
 * NULL, or the reason it failed.
 */
const char *trace_move_to_physical(void);

/*
 * The same, but to linear addresses from `address` on (a multiple of 8). Pages that are adjacent
 * there are not adjacent in physical memory. A processor that computes a wrong address must not
 * store at random (F3.37). Therefore a decoy management area lies at the usual address, unless the
 * area crosses a page: if `address` has the usual bits 31:0, a processor that keeps only these
 * finds the decoy. The memory is also mapped 4 GiB below, where a processor stores if it loses a
 * carry out of bit 31.
 */
const char *trace_move_to(uint64_t address);

/*
 * The same, but to addresses `offset` bytes (a multiple of 8) above the usual ones. A decoy, for
 * which there must be room before the area, lies at the start of the area's page. A processor that
 * drops the low bits of the address finds the decoy.
 */
const char *trace_move_by(size_t offset);

void trace_move_back(void);
bool trace_has_moved(void);

/* trace_poison() poisons all of the memory, and calls trace_set_decoy(), which fills the decoy, if
 * any. */
void trace_poison(void);
void trace_set_decoy(void);

bool trace_is_poison(const void *bytes, size_t length);

/*
 * Looks for a changed byte in the canary pages or the buffer management area, except the two index
 * fields. Returns NULL, or what was changed (static text).
 */
const char *trace_find_stray_write(void);

#endif
