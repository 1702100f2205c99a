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

/* Bytes of memory for the buffers, of which a geometry uses the first part. BTS has more than
 * 2^16. */
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
    uint64_t moved_to;                       /* address of trace_move_to(); 0: not moved */
    bool is_below_too;                       /* mapped 4 GiB below too */
    struct ds_management_area *decoy;        /* see trace_move_to(); NULL: none */
    struct ds_management_area area_as_built; /* as software wrote it, to find stray writes */
    size_t bts_base_offset;                  /* bytes, in the layout prepared last */
    bool bts_is_large;                       /* its buffer memory is that of arch/trace/bts.c */
    size_t pebs_record_size;                 /* bytes, in the layout prepared last */
    struct pmi_log *pmi_log;                 /* NULL while no log is open */
    unsigned lbr_depth;                      /* architectural LBRs: entries; 0: the most */
    unsigned lbr_left_out;                   /* argument of lbr_select() */
    bool pmi_was_nmi;                        /* since pmi_forget_nmis() */
    size_t unclaimed_nmis;                   /* likewise */
};

/* The running processor's. The first call sets it up: its memory is poisoned, and no register is
 * written. */
struct trace_state *trace_state(void);

/* Another processor's, to read; its memory is NULL until it has called trace_state() itself. */
const struct trace_state *trace_state_of(unsigned processor);

/*
 * Moves the running processor's save area and buffers to linear addresses equal to their physical
 * ones, until trace_move_back(). Code without paging, or with the firmware's tables, then has them
 * at the same addresses: an SMI handler (F10.5), in which a processor must store nothing. Tracing
 * must be off for either call, and the buffers must be prepared again after it. Returns NULL, or
 * the reason it failed.
 */
const char *trace_move_to_physical(void);

/*
 * The same, but to linear addresses from address on (a multiple of 8). Pages that are adjacent
 * there are not adjacent in physical memory. A processor that computes a wrong address must not
 * store at random (F3.37). Therefore a decoy management area lies at the usual address, unless the
 * area crosses a page. A processor that keeps only bits 31:0 of the area's address finds the decoy.
 * Memory is also mapped at the addresses to which a processor stores if it loses a carry out of bit
 * 31.
 */
const char *trace_move_to(uint64_t address);

/*
 * The same, but by offset bytes (a multiple of 8) from the usual addresses. A decoy lies at the
 * start of the area's page. A processor that drops the low bits of the address finds it. The decoy
 * must fit before the area.
 */
const char *trace_move_by(size_t offset);

void trace_move_back(void);
bool trace_has_moved(void);

/* Poisons the memory, and sets up the decoy, if any. */
void trace_poison(void);
void trace_set_decoy(void);

bool trace_is_poison(const void *bytes, size_t length);

/*
 * Looks for a changed byte in the canary pages or the buffer management area, except the two index
 * fields. Returns NULL, or what was changed (static text).
 */
const char *trace_find_stray_write(void);

#endif
