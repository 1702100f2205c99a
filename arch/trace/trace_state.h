/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one logical processor owns for tracing (ISR-4): its DS save area, BTS buffer and PEBS
 * buffer, between pages of canary bytes that nothing may write, and the log its interrupt service
 * routine fills. The canary pages are mapped: a DS store that faults is nothing a real machine must
 * survive (F3.37).
 */
#ifndef ARCH_TRACE_TRACE_STATE_H
#define ARCH_TRACE_TRACE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/ds.h"

/* Memory for the buffers; a geometry uses the first part of it. More than 16 bits count for BTS. */
#define BTS_BUFFER_BYTES  0x11000u
#define PEBS_BUFFER_BYTES 0x8000u

#define DS_POISON 0xa5u /* every byte that the processor has no business to write */

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
    uint64_t moved_to;                       /* trace_move_to()'s address; 0: not moved by it */
    bool is_below_too;                       /* and 4 GiB below that */
    struct ds_management_area *decoy;        /* NULL: none, see trace_move_to() */
    struct ds_management_area area_as_built; /* what software wrote, to see what else did */
    size_t bts_base_offset;                  /* bytes, in the layout prepared last */
    bool bts_is_large;                       /* the buffer memory of that is arch/trace/bts.c's */
    size_t pebs_record_size;                 /* bytes, in the layout prepared last */
    struct pmi_log *pmi_log;                 /* NULL while no log is open */
    unsigned lbr_depth;                      /* architectural LBRs: entries; 0: the most */
    unsigned lbr_left_out;                   /* and what lbr_select() was told */
    bool pmi_was_nmi;                        /* since pmi_forget_nmis() */
    size_t unclaimed_nmis;                   /* likewise */
};

/* The running processor's, set up by trace_init(). */
struct trace_state *trace_state(void);

/* That of another processor, for looking at; its memory is NULL until its own trace_init(). */
const struct trace_state *trace_state_of(unsigned processor);

/* Gives the running processor its trace state and poisons the memory. Touches no register. */
void trace_init(void);

/*
 * Puts the running processor's save area and buffers at linear addresses that are their physical
 * ones, until trace_move_back(). Code that runs without paging, or with the firmware's tables,
 * finds them there: an SMI handler (F10.5), in which a processor must store nothing. Tracing must
 * be off for both, and the buffers be prepared again after each. NULL, or the reason why not.
 */
const char *trace_move_to_physical(void);

/*
 * The same with linear addresses from this one on, a multiple of 8, in which no two neighbouring
 * pages are neighbours in physical memory. A processor that gets an address wrong must not store at
 * random (F3.37): where only bits 31:0 of the area's address are like those of the usual one, a
 * decoy of a management area lies there, unless the area is to lie across two pages; and what loses
 * a carry out of bit 31 finds memory too.
 */
const char *trace_move_to(uint64_t address);

/*
 * The same for the usual addresses and so many bytes, a multiple of 8. The decoy is at the start of
 * the area's page, where a processor looks that drops the low bits: it must have room.
 */
const char *trace_move_by(size_t offset);

void trace_move_back(void);
bool trace_has_moved(void);

/* Makes the memory poison, and sets up the decoy where there is one. */
void trace_poison(void);
void trace_set_decoy(void);

bool trace_is_poison(const void *bytes, size_t length);

/*
 * Looks for a byte touched in the canary pages or in the buffer management area, the two index
 * fields apart. NULL, or what was touched (static text).
 */
const char *trace_find_stray_write(void);

#endif
